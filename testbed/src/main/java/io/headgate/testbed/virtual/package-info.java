/**
 * The virtual-time test bed: the engine of the real switch under a discrete-event clock that counts
 * picoseconds. One thread runs a {@link io.headgate.testbed.virtual.VirtualRun}: nodes (switches
 * and hosts), links between them, and an event queue. At each instant first what the links do
 * happens, received before transmitted before other, then the duties that were rung or are due, in
 * the order of their numbers, until none is left.
 *
 * <p>Same seed, same configuration: the same digest of every frame on every link, on every machine.
 * Nothing here reads a clock, iterates in hash order or draws from a generator without a name.
 *
 * <p>Memory is bounded by the nodes' slots and by what is in flight on the links; both are reused,
 * and nothing is allocated per frame.
 */
@NullMarked
package io.headgate.testbed.virtual;

import org.jspecify.annotations.NullMarked;
