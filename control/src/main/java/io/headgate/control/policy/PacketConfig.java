package io.headgate.control.policy;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.FrameValue;
import java.util.List;

/**
 * What of a switch's frames a policy sees, and what its sizes and ranks mean: the external
 * classification of section 2.3.2.
 */
public record PacketConfig(
        @Key(absent = "priority") @Says("What of a frame Packet.value is.") FrameValue value,
        @Key(absent = "tos") @Says("What of a frame Packet.processing is.") FrameValue processing,
        @Key(absent = "none") @Says("What of a frame Packet.slack is, in ns.") FrameValue slack,
        @Key(absent = "flow") @Says("What of a frame Packet.flow is.") FrameValue flow,
        @Key(absent = "bytes") @Says("What sizes of queues and buffers count: bytes, or packets.")
                SizeUnit sizeUnit,
        @Key(absent = "value")
                @Says(
                        "What ranks higher by admPrio: what is worth more (value), or what is"
                                + " dropped first (drop-first).")
                AdmissionOrder admissionOrder,
        @Key(absent = "false")
                @Says("Whether the policy may reorder frames of a lossless priority.")
                boolean reorders) {
    /** What sizes count. */
    public enum SizeUnit {
        /** As figure 2.4 has them. */
        BYTES,
        /** As the policy of figure 2.18 has them. */
        PACKETS
    }

    /** What a higher rank by {@code admPrio} means. */
    public enum AdmissionOrder {
        /** The packet is worth more; the lowest is dropped. */
        VALUE,
        /** The packet is dropped first, as the comment in figure 2.10 has it. */
        DROP_FIRST
    }

    /** As where a file says nothing of it, with sizes in another unit. */
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
     * The same for a policy's queues.
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
