/**
 * Executes OpenQueue policies: queues a port's frames according to a checked {@link
 * io.headgate.dataplane.openqueue.language.Policy}. {@link
 * io.headgate.dataplane.openqueue.PolicyPlan} chooses the data structures, {@link
 * io.headgate.dataplane.openqueue.CompiledPolicy} makes a separate class for each policy out of
 * {@link io.headgate.dataplane.openqueue.PolicyQueues}. Owned by an egress half; no clock; once the
 * longest queue so far has been reached, nothing is allocated per frame. Source: Menikkumbura,
 * "Software-defined buffer management and robust congestion control for modern datacenter networks"
 * (Purdue, 2022), chapter 2.
 */
@NullMarked
package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.NullMarked;
