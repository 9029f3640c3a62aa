/**
 * Sweeps: runs the cells of a scenario over parameters, seeds and beds, one on each core, splits
 * them over machines by an index, and merges them. Results are in the order of the cells, not of
 * their ends.
 */
@NullMarked
package io.headgate.testbed.scenario.campaign;

import org.jspecify.annotations.NullMarked;
