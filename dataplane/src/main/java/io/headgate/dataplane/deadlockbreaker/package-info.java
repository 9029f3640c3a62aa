/**
 * Deadlock Breaker: lets a deadlock make progress without loss (Shpiner et al., "Unlocking Credit
 * Loop Deadlocks", HotNets 2016; Menikkumbura's dissertation, section 4.6.4). Package {@link
 * io.headgate.dataplane.deadlock} searches for loops. The port that has found a loop sends a
 * <i>move</i> round it: each port that the move passes sends one frame of its paused queue into a
 * slot which the next switch reserves for that. In each round every frame of the loop advances by
 * one switch, and frames that leave the loop make room; the deadlock ends once one of the ports may
 * send again.
 *
 * <p>Owners: the ingress half of a port receives such frames, in slots of their own, and reports
 * how many are free ({@link io.headgate.dataplane.deadlockbreaker.MoveReceiver}); the egress half
 * moves them ({@link io.headgate.dataplane.deadlockbreaker.DeadlockBreakerDetour}).
 *
 * <p>Bounded by the slots: a port moves a frame only if the far end has said that one is free.
 *
 * <p>We did not have the paper, and the dissertation gives neither messages nor sizes. These rules
 * are ours:
 *
 * <ul>
 *   <li>A moved frame has a tag, by which the next switch knows that it is for a reserved slot.
 *   <li>If it waits behind the loop's frames again, it takes over the ordinary slot of the next
 *       frame that is moved from there, so that the reserved slot is free for the next round.
 *   <li>The far end reports its free slots after each such frame and each token. If none is free, a
 *       port passes the move on without a frame: no frame is lost.
 *   <li>There is one round at a time; a round that has not returned after the detection time is
 *       given up.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.deadlockbreaker;

import org.jspecify.annotations.NullMarked;
