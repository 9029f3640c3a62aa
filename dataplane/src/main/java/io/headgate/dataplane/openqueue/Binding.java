package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Field;
import java.util.Arrays;
import java.util.List;

/**
 * Maps frames to a policy (the chapter's external classification): the priorities that each queue
 * carries, and the frame value for each field of a packet.
 *
 * @param carries per queue, a mask of priorities; each priority is in one of them, unless the
 *     policy itself selects queues
 * @param value frame value for {@code Packet.value}; the others in the same way
 * @param countsPackets whether sizes of queues and buffers are in packets, not bytes
 * @param dropsFirst whether packets that {@code admPrio} ranks higher are dropped first
 */
public record Binding(
        List<Integer> carries,
        FrameValue value,
        FrameValue processing,
        FrameValue slack,
        FrameValue flow,
        boolean countsPackets,
        boolean dropsFirst) {
    /** Mask of all priorities. */
    public static final int ALL = 0xFF;

    private static final int PRIORITIES = 8;

    public Binding {
        carries = List.copyOf(carries);
    }

    /**
     * The default binding: priorities spread over queues in order; value is the priority,
     * processing the type of service, flow the flow's hash; no slack.
     */
    public static Binding standard(int queues, boolean selects) {
        return new Binding(
                spread(queues, selects),
                FrameValue.PRIORITY,
                FrameValue.TOS,
                FrameValue.NONE,
                FrameValue.FLOW,
                false,
                false);
    }

    /** The same with other priorities in each queue. */
    Binding carrying(List<Integer> masks) {
        return new Binding(masks, value, processing, slack, flow, countsPackets, dropsFirst);
    }

    /** The same with sizes in packets, or in bytes. */
    public Binding countingPackets(boolean packets) {
        return new Binding(carries, value, processing, slack, flow, packets, dropsFirst);
    }

    /**
     * Masks of priorities spread over queues in order; all priorities for each queue if the policy
     * selects queues.
     */
    public static List<Integer> spread(int queues, boolean selects) {
        int[] masks = new int[queues];
        for (int priority = 0; priority < PRIORITIES; priority++) {
            masks[priority * queues / PRIORITIES] |= 1 << priority;
        }
        return Arrays.stream(masks).mapToObj(mask -> selects ? ALL : mask).toList();
    }

    /** The frame value for a field; none for its arrival, its queue and the policy. */
    FrameValue source(Field field) {
        return switch (field) {
            case PACKET_VALUE -> value;
            case PACKET_PROCESSING -> processing;
            case PACKET_SLACK -> slack;
            case PACKET_FLOW -> flow;
            case PACKET_SIZE, PACKET_LENGTH -> FrameValue.LENGTH;
            case PACKET_TOS -> FrameValue.TOS;
            case PACKET_ID -> FrameValue.ID;
            case PACKET_TTL -> FrameValue.TTL;
            case PACKET_PROTOCOL -> FrameValue.PROTOCOL;
            case PACKET_SOURCE -> FrameValue.SOURCE;
            case PACKET_DESTINATION -> FrameValue.DESTINATION;
            default -> FrameValue.NONE;
        };
    }
}
