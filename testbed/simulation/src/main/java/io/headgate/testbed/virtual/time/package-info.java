/**
 * Virtual time by itself: a run's clock, the pending events, and the set of numbers that are due in
 * this instant. The lowest layer: knows neither links nor nodes, only numbers.
 *
 * <p>Owned by the run's thread. Each event has at most one pending time, so that memory is bounded
 * by the number of events, and nothing is allocated once all of them are there.
 */
@NullMarked
package io.headgate.testbed.virtual.time;

import org.jspecify.annotations.NullMarked;
