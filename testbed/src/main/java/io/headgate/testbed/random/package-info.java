/**
 * Random numbers that are the same in every run: each from a generator that is named by who draws
 * and what for, and seeded by the run. Nothing else in the test bed draws any.
 *
 * <p>A generator belongs to one thread, that of the run; four words of state each.
 */
@NullMarked
package io.headgate.testbed.random;

import org.jspecify.annotations.NullMarked;
