/**
 * Deadlock Breaker: has a deadlock make progress without loss (Shpiner et al., "Unlocking Credit
 * Loop Deadlocks", HotNets 2016; Menikkumbura's dissertation, section 4.6.4). The search for loops
 * is {@link io.headgate.dataplane.deadlock}'s. The port that has found a loop sends a <i>move</i>
 * round it: each port that the move passes sends one frame of its paused queue into a slot which
 * the next switch keeps for that. Round by round every frame of the loop gets one switch further,
 * and those that have come to where they leave the loop make room; it ends once one of the ports
 * may send again.
 *
 * <p>Owners: the ingress half of a port takes such frames in, in slots of their own, and says how
 * many are free ({@link io.headgate.dataplane.deadlockbreaker.MoveReceiver}); the egress half moves
 * them ({@link io.headgate.dataplane.deadlockbreaker.DeadlockBreakerDetour}).
 *
 * <p>Bounded by the slots: a port moves a frame only if the far end has said that one is free.
 *
 * <p>The paper is not among those at hand, and the dissertation gives neither messages nor sizes.
 * Ours:
 *
 * <ul>
 *   <li>A frame that is moved has a tag, by which the next switch knows that it is for a slot.
 *   <li>Where it waits behind the loop's frames again, it takes over the ordinary slot of the next
 *       frame that is moved from there: the slot that is kept is free for the next round.
 *   <li>The far end says after each such frame, and each token, how many slots are free. A port
 *       without a free one passes the move on without a frame: nothing is lost.
 *   <li>One round at a time; one that is not back after the detection time is given up.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.deadlockbreaker;

import org.jspecify.annotations.NullMarked;
