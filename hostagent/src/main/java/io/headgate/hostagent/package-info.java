/**
 * The host agent: network cards built from the engine's own halves, for unmodified applications. An
 * application sends into a TAP; its frames wait in the card, by priority, while the switch pauses
 * them or grants no credits. When too many wait, the rate of the TAP's token bucket is reduced, so
 * that frames wait in the bucket's queue; they are charged to the sockets that sent them, which
 * block. Flows whose rates are controlled wait before the card, each in its own list, and have
 * queues of the TAP for themselves.
 *
 * <p>Threads: the workers of {@link io.headgate.dataplane.runner.RealTimeEngine} own the cards; one
 * governor sets the rates of token buckets, since the kernel may make it wait. Bounded by the
 * card's slots, the TAP's own queue, and the bucket's backlog; a frame that overflows the last two
 * is lost, counted, and an incident.
 */
@NullMarked
package io.headgate.hostagent;

import org.jspecify.annotations.NullMarked;
