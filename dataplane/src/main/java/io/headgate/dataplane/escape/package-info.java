/**
 * Escape: head-of-line blocking cleared, and deadlocks dissolved, without loss and in order
 * (Menikkumbura's dissertation, chapter 4, algorithm 3). A switch whose port asks its sender to
 * pause sends that a <i>token</i> for each flow that could go on from here; the sender takes the
 * first frame of the flow out of its paused queue and lets it <i>escape</i>.
 *
 * <p>Owners: of each port the ingress half takes tokens ({@link
 * io.headgate.dataplane.escape.TokenReceiver}); the egress half has all else ({@link
 * io.headgate.dataplane.escape.TokenManager}): the table of the flows that leave by it, their token
 * pools, the queue of escaping frames. A token that is for the sender at another port goes to that
 * port's egress half by a {@link io.headgate.dataplane.linkcontrol.LinkRelay}, one record each.
 *
 * <p>Bounded by the pools: the frames that escape to a switch have slots of their own.
 *
 * <p>Where this departs from the dissertation, it is for what its proofs ask for:
 *
 * <ul>
 *   <li>A port has two pools of K tokens for each lossless priority: one for tokens that begin
 *       here, one for tokens that pass. Frames that escaped to here wait for their turn among
 *       ordinary ones, as long as the port is paused; with one pool they could use it up, and no
 *       token would pass any more. (The dissertation lets such frames overtake a pause, for which
 *       nobody has kept room.)
 *   <li>A token that finds a frame takes it out even where the pool is empty: the frame has its
 *       slot already.
 *   <li>A frame that comes by while older frames of its flow wait in the ordinary queue changes
 *       places with the oldest of them. Otherwise it would overtake them.
 *   <li>A token that nothing came of is taken back at its own time, not when the pool's size has
 *       been the same twice: {@link io.headgate.dataplane.escape.TokenPool} says why.
 *   <li>Where more tokens come that would pass than the pool has, the flows have turns at its last
 *       one ({@link io.headgate.dataplane.escape.Turns}). In the dissertation whoever comes first
 *       has it: of flows that ask at the same times some would get none for ever.
 *   <li>A flow is five values and the priorities in which it comes and leaves.
 *   <li>In each period tokens are given out to the flows in turn, from behind the one that got the
 *       last, as long as there are some, and to each as many as it may have under way: one, and one
 *       more for each that has found a frame since the last that came to nothing. (Algorithm 3 has
 *       one token for each entry of the table in each period. The table is one of "active flows",
 *       whose tokens come back; but which of the flows that came last are active the switch does
 *       not see. With as many for each, those that have ended keep all tokens from the others until
 *       they are taken back, and next to nothing escapes.) Each priority has turns of its own:
 *       where two shared them, a flow could get none for ever. By weight, of which section 4.3.3
 *       says no more than that, a flow gets up to eight tokens in its turn: in proportion to its
 *       bytes, and one at the least, so that theorem 4.4.1 holds for light flows too.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.escape;

import org.jspecify.annotations.NullMarked;
