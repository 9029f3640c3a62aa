/**
 * Experiments with a name: what is varied and in which range, what is run, what was measured, and
 * whether that is what was expected. A scenario describes topology and traffic in terms that hold
 * in virtual time and on real frames alike; the beds that run it are in {@code bed}, sweeps in
 * {@code campaign}, files and figures in {@code report}, recordings of every frame in {@code
 * trace}. Everything here is immutable or owned by the thread that runs one cell.
 */
@NullMarked
package io.headgate.testbed.scenario;

import org.jspecify.annotations.NullMarked;
