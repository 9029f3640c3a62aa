/**
 * Cyclic waits: queues that are stopped for a buffer that is full of frames that wait in queues
 * which are stopped themselves, and so on round to the first. None of them will ever move unless
 * somebody drops, or sends against a pause: a deadlock of a lossless network (Hu et al., "Deadlocks
 * in Datacenter Networks: Why Do They Form, and How to Avoid Them", HotNets 2016).
 *
 * <p>A switch alone sees its own part only; a {@link
 * io.headgate.testbed.virtual.deadlock.WaitGraph} sees the whole network of a run, whose thread
 * owns it. It looks and changes nothing.
 */
@NullMarked
package io.headgate.testbed.virtual.deadlock;

import org.jspecify.annotations.NullMarked;
