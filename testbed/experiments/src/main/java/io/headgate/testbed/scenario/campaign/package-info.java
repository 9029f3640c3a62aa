/**
 * Sweeps: the cells of a scenario over parameters, seeds and beds, run one on each core, split over
 * machines by an index, and merged. Results are in the order of the cells, whenever they ended.
 */
@NullMarked
package io.headgate.testbed.scenario.campaign;

import org.jspecify.annotations.NullMarked;
