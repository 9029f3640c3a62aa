/**
 * Congestion points: they watch the queues of an egress port, and notify senders by marks in the
 * frames that pass or by notices. A mechanism is a {@link CongestionPoint}, or a {@link Detector}
 * for one priority; it knows numbers and frames, not the engine that calls it.
 *
 * <p>All of it belongs to the egress half of its port, which alone calls it; it allocates nothing,
 * has no clock except the times that it receives, and draws only from named generators.
 */
@NullMarked
package io.headgate.dataplane.congestion;

import org.jspecify.annotations.NullMarked;
