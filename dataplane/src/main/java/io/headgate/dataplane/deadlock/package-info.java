/**
 * Deadlocks found by tokens, as Loop Breaker and Deadlock Breaker find them (Shpiner et al.,
 * "Unlocking Credit Loop Deadlocks", HotNets 2016; by Menikkumbura's dissertation, section 4.6.4).
 * A port whose queue has been paused for the detection time sends a <i>search</i> downstream, out
 * of that queue's port. A switch that has paused the port by which a search comes in hands it to
 * its own paused ports that hold frames from there. A search that is back where it began has been
 * round a cyclic wait. The one of its ports with the highest address finds it: every other port's
 * search ends there.
 *
 * <p>Owners: the ingress half of a port takes tokens ({@link
 * io.headgate.dataplane.deadlock.LoopReceiver}), the egress half has all else ({@link
 * io.headgate.dataplane.deadlock.LoopDetour}). What the port that found a loop then does is the
 * mechanism's, which extends both.
 *
 * <p>Bounded: one search of a port and priority in each detection time; a token passes a port once,
 * and a limited number of ports.
 *
 * <p>The paper is not among those at hand, and the dissertation says little of the search. Ours:
 *
 * <ul>
 *   <li>A port is known by its MAC address, which no other port of the network has.
 *   <li>Which of its ports' frames wait in a queue a switch sees by walking the queue when a token
 *       comes. The dissertation has a table of port pairs, which flows that have ended stay in.
 *   <li>Tokens pass a port once, and at most {@link
 *       io.headgate.dataplane.deadlock.LoopToken#MAX_HOPS}: that of a port which waits for a loop
 *       without being part of it would go round without end.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.deadlock;

import org.jspecify.annotations.NullMarked;
