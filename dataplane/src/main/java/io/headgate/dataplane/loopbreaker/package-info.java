/**
 * Loop Breaker: ends a deadlock by dropping frames (Shpiner et al., "Unlocking Credit Loop
 * Deadlocks", HotNets 2016, as Menikkumbura's dissertation uses it in section 4.6.4). The search
 * for loops is {@link io.headgate.dataplane.deadlock}'s. The port that has found a loop drops the
 * first frames of its paused queue that came in by the loop, until the switch before it may send
 * again.
 *
 * <p>The paper reroutes these frames, where there is another way; the dissertation drops them. How
 * many it does not say. Here they are dropped at the rate of the link, as if they were sent, so
 * that what is dropped has come off the ingress port's account before more is; and frames that came
 * in by other ports, which block no frame in the loop, stay.
 */
@NullMarked
package io.headgate.dataplane.loopbreaker;

import org.jspecify.annotations.NullMarked;
