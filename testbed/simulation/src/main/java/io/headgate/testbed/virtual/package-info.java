/**
 * Networks in virtual time: the engine of the real switch under a discrete-event clock that counts
 * picoseconds. One thread, or several, run a {@link io.headgate.testbed.virtual.VirtualRun}: nodes
 * (switches and hosts) with their events, and links between them. A {@link
 * io.headgate.testbed.virtual.VirtualNetwork} builds a plan's network in a run, with traffic at its
 * hosts' cards. The run knows its nodes, links and duties; none of them knows the run. At each
 * instant of a node its links' events come first, receptions before transmissions, then timers,
 * then the duties that were rung or are due, in the order of their numbers, until none is left.
 * Nodes are run one after another, each for up to twice the delay of the shortest link, which is
 * much faster in large networks; under checks or with an observer all of them run instant by
 * instant. The results are the same.
 *
 * <p>The same seed and configuration give the same digest of every frame on every link, on every
 * machine. Nothing here reads a clock, iterates in hash order or draws from a generator without a
 * name.
 *
 * <p>Memory is bounded by the nodes' slots and by what is in flight on the links; both are reused,
 * and nothing is allocated per frame. Virtual time ends at {@link
 * io.headgate.testbed.virtual.VirtualRun#LAST_PS}, after 18 minutes.
 */
@NullMarked
package io.headgate.testbed.virtual;

import org.jspecify.annotations.NullMarked;
