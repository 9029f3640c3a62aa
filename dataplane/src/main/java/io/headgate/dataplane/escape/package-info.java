/**
 * Escape: clears head-of-line blocking and dissolves deadlocks, without loss and in order
 * (Menikkumbura's dissertation, chapter 4, algorithm 3). A port that asks its sender to pause sends
 * it a <i>token</i> for each flow that could go on from here; the sender takes the first frame of
 * the flow out of its paused queue and lets it <i>escape</i>.
 *
 * <p>Owners: the ingress half of a port takes tokens ({@link
 * io.headgate.dataplane.escape.TokenReceiver}); the egress half owns all other parts ({@link
 * io.headgate.dataplane.escape.TokenManager}): the table of the flows that leave by it, their token
 * pools, the queue of escaping frames. A token for the sender at another port goes to that port's
 * egress half through a {@link io.headgate.dataplane.linkcontrol.LinkRelay}, as one record.
 *
 * <p>Bounded by the pools: the frames that escape to a switch have slots of their own.
 *
 * <p>There are these differences from the dissertation, which its proofs require:
 *
 * <ul>
 *   <li>A port has two pools of K tokens for each lossless priority: one for tokens that begin
 *       here, one for tokens that pass. Frames that escaped to here wait for their turn among
 *       ordinary ones, as long as the port is paused; with one pool they could use it up, and no
 *       token would pass any more. (The dissertation lets such frames overtake a pause, though no
 *       room is reserved for them.)
 *   <li>A token that finds a frame takes it out even if the pool is empty: the frame has its slot
 *       already.
 *   <li>A frame that comes by while older frames of its flow wait in the ordinary queue changes
 *       places with the oldest of them. Otherwise it would overtake them.
 *   <li>A token that found no frame is taken back at its own time, not when the pool's size has
 *       been the same twice: {@link io.headgate.dataplane.escape.TokenPool} says why.
 *   <li>If more tokens would pass than the pool has, the flows have turns at its last one ({@link
 *       io.headgate.dataplane.escape.Turns}). In the dissertation the first token to arrive takes
 *       it: of flows that ask at the same times, some would never get one.
 *   <li>A flow is five values and the priorities in which it comes and leaves.
 *   <li>In each period tokens are given out to the flows in turn, starting after the flow that got
 *       the last, while tokens are left. Each flow gets up to its maximum number under way: one,
 *       and one more for each token that has found a frame since the last that found none.
 *       (Algorithm 3 has one token for each entry of the table in each period. The table is one of
 *       "active flows", whose tokens come back; but the switch cannot see which of the flows that
 *       came last are active. With the same number for each, flows that have ended would keep all
 *       tokens from the others until they are taken back, and next to nothing would escape.) Each
 *       priority has its own turns: if two shared them, a flow might never get a token. By weight,
 *       which section 4.3.3 only names, a flow gets up to eight tokens in its turn: in proportion
 *       to its bytes, and at least one, so that theorem 4.4.1 holds for light flows, too.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.escape;

import org.jspecify.annotations.NullMarked;
