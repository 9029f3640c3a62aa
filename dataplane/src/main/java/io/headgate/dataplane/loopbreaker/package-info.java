/**
 * Loop Breaker: ends a deadlock by dropping frames (Shpiner et al., "Unlocking Credit Loop
 * Deadlocks", HotNets 2016, as Menikkumbura's dissertation uses it in section 4.6.4). Package
 * {@link io.headgate.dataplane.deadlock} searches for loops. The port that has found a loop drops
 * the first frames of its paused queue that came in by the loop, until the switch before it may
 * send again.
 *
 * <p>The paper reroutes these frames if there is another path; the dissertation drops them, and
 * does not say how many. Here they are dropped at the rate of the link, as if they were sent, so
 * that each has left the ingress port's account before the next is dropped. Frames that came in by
 * other ports, which block no frame in the loop, stay.
 */
@NullMarked
package io.headgate.dataplane.loopbreaker;

import org.jspecify.annotations.NullMarked;
