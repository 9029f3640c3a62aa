/**
 * Detection of deadlocks by tokens, as in Loop Breaker and Deadlock Breaker (Shpiner et al.,
 * "Unlocking Credit Loop Deadlocks", HotNets 2016; described in Menikkumbura's dissertation,
 * section 4.6.4). A port whose queue has been paused for the detection time sends a <i>search</i>
 * downstream, out of that queue's port. If a switch pauses the sender at the port where a search
 * comes in, it passes the search to its own paused ports that hold frames from there. A search that
 * returns to its origin has gone round a cyclic wait. The port with the highest address in the
 * cycle finds it: the searches of all other ports end there.
 *
 * <p>Owners: the ingress half of a port takes tokens ({@link
 * io.headgate.dataplane.deadlock.LoopReceiver}), the egress half owns all other parts ({@link
 * io.headgate.dataplane.deadlock.LoopDetour}). The mechanism extends both, and decides what the
 * port that found a loop does.
 *
 * <p>Bounded: one search per port and priority in each detection time; a token passes each port
 * once, and a limited number of ports.
 *
 * <p>We did not have the paper, and the dissertation says little about the search. These rules are
 * ours:
 *
 * <ul>
 *   <li>A port is identified by its MAC address, which no other port of the network has.
 *   <li>When a token comes, a switch walks the queue to see which ingress ports' frames wait there.
 *       The dissertation uses a table of port pairs instead, in which flows that have ended remain.
 *   <li>Tokens pass each port once, and at most {@link
 *       io.headgate.dataplane.deadlock.LoopToken#MAX_HOPS} ports: otherwise the token of a port
 *       that waits for a loop, but is not part of it, would circulate forever.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.deadlock;

import org.jspecify.annotations.NullMarked;
