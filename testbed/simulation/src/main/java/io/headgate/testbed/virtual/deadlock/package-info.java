/**
 * Finds cyclic waits: a queue is stopped because a buffer is full of frames, these frames wait in
 * queues that are stopped too, and so on round to the first. None of the queues moves until a node
 * drops frames or sends despite a pause: a deadlock of a lossless network (Hu et al., "Deadlocks in
 * Datacenter Networks: Why Do They Form, and How to Avoid Them", HotNets 2016).
 *
 * <p>A switch sees only its own part; a {@link io.headgate.testbed.virtual.deadlock.WaitGraph} sees
 * the whole network of a run, whose thread owns it. It only reads.
 */
@NullMarked
package io.headgate.testbed.virtual.deadlock;

import org.jspecify.annotations.NullMarked;
