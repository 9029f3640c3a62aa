/**
 * Virtual time: a run's clock, the pending events, and the set of numbers that are due in this
 * instant. This is the lowest layer: it knows only numbers, neither links nor nodes.
 *
 * <p>Owned by the run's thread. Each event has at most one pending time, so that memory is bounded
 * by the number of events, and nothing is allocated once all of them exist.
 */
@NullMarked
package io.headgate.testbed.virtual.time;

import org.jspecify.annotations.NullMarked;
