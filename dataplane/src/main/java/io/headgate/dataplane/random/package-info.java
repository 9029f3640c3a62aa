/**
 * Random numbers that are the same in every run: each generator is named by its owner and its
 * purpose, and seeded by the run. There is no other source of random numbers, neither here nor in
 * the test bed.
 *
 * <p>A generator belongs to one thread, that of its owner; four words of state each.
 */
@NullMarked
package io.headgate.dataplane.random;

import org.jspecify.annotations.NullMarked;
