package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Field;
import java.util.Arrays;
import java.util.List;

/**
 * The chapter's external classification: which priorities each queue of a policy carries, and which
 * values of a frame the fields of a packet are.
 *
 * @param carries per queue, a mask of priorities; each priority is in one of them, unless the
 *     policy itself selects queues
 * @param value value of {@code Packet.value}; the others in the same way
 * @param countsPackets whether sizes of queues and buffers are packets, not bytes
 * @param dropsFirst whether {@code admPrio} ranks those higher that are dropped first
 */
public record Binding(
        List<Integer> carries,
        FrameValue value,
        FrameValue processing,
        FrameValue slack,
        FrameValue flow,
        boolean countsPackets,
        boolean dropsFirst) {
    /** Every priority. */
    public static final int ALL = 0xFF;

    private static final int PRIORITIES = 8;

    public Binding {
        carries = List.copyOf(carries);
    }

    /** The standard one: priorities spread over queues in order, value and the rest as named. */
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

    /** Priorities spread over queues in their order; all of them each where the policy selects. */
    public static List<Integer> spread(int queues, boolean selects) {
        int[] masks = new int[queues];
        for (int priority = 0; priority < PRIORITIES; priority++) {
            masks[priority * queues / PRIORITIES] |= 1 << priority;
        }
        return Arrays.stream(masks).mapToObj(mask -> selects ? ALL : mask).toList();
    }

    /** What of a frame a field is; none for its arrival, its queue and the policy. */
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
