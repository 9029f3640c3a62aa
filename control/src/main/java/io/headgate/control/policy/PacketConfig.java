package io.headgate.control.policy;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.FrameValue;
import java.util.List;

/**
 * The fields of a switch's frames that a policy sees, and the meaning of its sizes and ranks: the
 * external classification of section 2.3.2.
 */
public record PacketConfig(
        @Key(absent = "priority") @Says("The property of a frame that Packet.value means.")
                FrameValue value,
        @Key(absent = "tos") @Says("The property of a frame that Packet.processing means.")
                FrameValue processing,
        @Key(absent = "none") @Says("The property of a frame that Packet.slack means, in ns.")
                FrameValue slack,
        @Key(absent = "flow") @Says("The property of a frame that Packet.flow means.")
                FrameValue flow,
        @Key(absent = "bytes")
                @Says("The unit of the sizes of queues and buffers: bytes or packets.")
                SizeUnit sizeUnit,
        @Key(absent = "value")
                @Says(
                        "The meaning of a higher rank by admPrio: a more valuable packet (value),"
                                + " or a packet that is dropped earlier (drop-first).")
                AdmissionOrder admissionOrder,
        @Key(absent = "false")
                @Says("Whether the policy may reorder frames of a lossless priority.")
                boolean reorders) {
    /** The unit of sizes. */
    public enum SizeUnit {
        /** As in figure 2.4. */
        BYTES,
        /** As in the policy of figure 2.18. */
        PACKETS
    }

    /** The meaning of a higher rank by {@code admPrio}. */
    public enum AdmissionOrder {
        /** The packet is worth more; the lowest is dropped. */
        VALUE,
        /** The packet is dropped first, as in the comment in figure 2.10. */
        DROP_FIRST
    }

    /** The defaults of a file, with sizes in another unit. */
    public static PacketConfig standard(SizeUnit sizeUnit) {
        return new PacketConfig(
                FrameValue.PRIORITY,
                FrameValue.TOS,
                FrameValue.NONE,
                FrameValue.FLOW,
                sizeUnit,
                AdmissionOrder.VALUE,
                false);
    }

    /**
     * The binding of a policy's queues.
     *
     * @param carries masks of the priorities that each queue carries
     */
    Binding binding(List<Integer> carries) {
        return new Binding(
                carries,
                value,
                processing,
                slack,
                flow,
                sizeUnit == SizeUnit.PACKETS,
                admissionOrder == AdmissionOrder.DROP_FIRST);
    }
}
