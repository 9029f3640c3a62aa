/**
 * Random numbers that are the same in every run: each from a generator that is named by who draws
 * and what for, and seeded by the run. Nothing else draws any, neither here nor in the test bed.
 *
 * <p>A generator belongs to one thread, that of its owner; four words of state each.
 */
@NullMarked
package io.headgate.dataplane.random;

import org.jspecify.annotations.NullMarked;
