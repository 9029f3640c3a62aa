/**
 * Named experiments: their parameters and ranges, their runs, the measured numbers, and the checks
 * of expected values. A scenario describes topology and traffic in terms that hold both in virtual
 * time and on real frames. The beds that run it are in {@code bed}, sweeps in {@code campaign},
 * files and figures in {@code report}, recordings of every frame in {@code trace}. Everything here
 * is immutable or owned by the thread that runs one cell.
 */
@NullMarked
package io.headgate.testbed.scenario;

import org.jspecify.annotations.NullMarked;
