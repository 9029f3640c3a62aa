package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.PolicyPlan.QueuePlan;
import io.headgate.dataplane.openqueue.PolicyPlan.Structure;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Policy;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/**
 * Facts of a policy that are known when its classes are made: constants there, so that the JIT
 * leaves out code that the policy does not need.
 *
 * @param isSingle whether all packets go into a single queue, which shares no buffer
 * @param selects whether the policy itself, or the layout of its ports, selects queues
 * @param countsPackets whether sizes are in packets, not bytes
 * @param pushesOut whether another packet than the arriving one may be dropped
 * @param bounds whether a queue drops packets because of its own bound, and not only of its
 *     buffer's
 * @param shares whether queues share buffers
 * @param isPooled whether all queues share one buffer
 * @param readsQueue whether the code reads a packet's queue
 * @param acts whether the policy has actions after a packet has started
 * @param hasBuckets whether buckets hold the packets of all queues
 * @param dropsByKey whether a queue sends packets in order of arrival, and drops them by a small
 *     key
 */
record PolicyShape(
        boolean isSingle,
        boolean selects,
        boolean countsPackets,
        boolean pushesOut,
        boolean bounds,
        boolean shares,
        boolean isPooled,
        boolean readsQueue,
        boolean acts,
        boolean hasBuckets,
        boolean dropsByKey) {

    static PolicyShape of(PolicyPlan plan) {
        Policy policy = plan.policy();
        boolean selects = plan.isOfSeveralPorts() || policy.ports().getFirst().selection() != null;
        return new PolicyShape(
                policy.queues().size() == 1 && policy.buffers().isEmpty() && !selects,
                selects,
                plan.binding().countsPackets(),
                plan.queues().stream().anyMatch(queue -> queue.admission() != null),
                plan.queues().stream().anyMatch(QueuePlan::drops),
                !policy.buffers().isEmpty(),
                policy.buffers().size() == 1
                        && policy.queues().stream().allMatch(queue -> queue.buffer() == 0),
                plan.asks(Field.PACKET_QUEUE),
                policy.ports().stream().anyMatch(port -> !port.postScheduling().isEmpty()),
                plan.queues().stream()
                        .allMatch(queue -> queue.processing().structure() == Structure.BUCKETS),
                plan.queues().stream().anyMatch(QueuePlan::dropsByKey));
    }

    /** The shape of the policy for which a class was made, from its class data. */
    static PolicyShape of(MethodHandles.Lookup madeFor) {
        try {
            return Objects.requireNonNull(
                    MethodHandles.classData(madeFor, ConstantDescs.DEFAULT_NAME, PolicyShape.class),
                    "not made for a policy");
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The occupancy {@code held}, in packets or bytes as sizes count. */
    long sizeOf(long held) {
        return countsPackets ? held >>> QueueState.FRAMES_SHIFT : held & QueueState.BYTES_MASK;
    }
}
