/**
 * The host: network cards built from the engine's own halves, for applications that know nothing of
 * it. An application sends into a TAP; its frames wait in the card, by priority, while the switch
 * pauses them or grants no credits; and when they are many, the TAP's token bucket is turned down,
 * so that they wait in the bucket's queue, charged to the sockets that sent them, which block.
 * Flows whose rates are controlled wait before the card, each for itself, and have queues of the
 * TAP for themselves.
 *
 * <p>Threads: the workers of {@link io.headgate.dataplane.runner.RealTimeEngine} own the cards; one
 * governor turns token buckets, since the kernel may have it wait. Bounded by the card's slots, the
 * TAP's own queue, and the bucket's backlog; what overflows the last two is lost, counted, and an
 * incident.
 */
@NullMarked
package io.headgate.hostagent;

import org.jspecify.annotations.NullMarked;
