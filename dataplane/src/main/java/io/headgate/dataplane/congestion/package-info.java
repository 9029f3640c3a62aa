/**
 * Congestion points: what watches the queues of an egress port and tells senders, by marks in the
 * frames that pass. A mechanism is a {@link CongestionPoint}, or for one priority at a time a
 * {@link Detector}; it knows numbers and frames, not the engine that calls it.
 *
 * <p>All of it belongs to the egress half of its port, which alone calls it; it allocates nothing,
 * has no clock but the times it is given, and draws from named generators alone.
 */
@NullMarked
package io.headgate.dataplane.congestion;

import org.jspecify.annotations.NullMarked;
