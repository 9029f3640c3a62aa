package io.headgate.dataplane.escape;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.Wire;
import java.lang.foreign.MemorySegment;

/**
 * A token of Escape (Menikkumbura's dissertation, section 4.5.1): a MAC control frame that asks the
 * far end of a link to send one blocked frame of a flow. The opcode, the five values of the flow
 * (13 bytes) and the hops (2 bytes) are the dissertation's; the priority of the queue in which the
 * flow is blocked, and the form for IPv6, are ours. It is never tagged.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |   destination 01-80-C2-00-00-01, source (12 bytes)            |
 *  +-------------------------------+-------------------------------+
 *  |            0x8808             | opcode: IPv4 0x0102, 6 0x0112 |
 *  +-------------------------------+-------------------------------+
 *  |  source (4 or 16 bytes), destination (4 or 16 bytes)          |
 *  +-------------------------------+-------------------------------+
 *  |          source port          |       destination port        |
 *  +---------------+---------------+---------------+---------------+
 *  |   protocol    |             hops              |   priority    |
 *  +---------------+-------------------------------+---------------+
 *  |  zero, to 60 bytes                                            |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class EscapeToken {
    public static final int IPV4 = 0x0102;
    public static final int IPV6 = 0x0112;

    public static final int ADDRESSES_OFFSET = MacControl.OPCODE_OFFSET + 2;
    public static final int FRAME_BYTES = MacControl.FRAME_BYTES;

    /** Maximum number of hops in a token. */
    public static final int MAX_HOPS = 0xFFFF;

    private static final int IPV4_PORTS_OFFSET = ADDRESSES_OFFSET + 2 * 4;
    private static final int IPV6_PORTS_OFFSET = ADDRESSES_OFFSET + 2 * 16;

    // From the ports on.
    private static final int PROTOCOL_OFFSET = 4;
    private static final int HOPS_OFFSET = 5;
    private static final int PRIORITY_OFFSET = 7;
    private static final int BEHIND_ADDRESSES_BYTES = 8;

    private EscapeToken() {}

    public static boolean isOpcode(int opcode) {
        return opcode == IPV4 || opcode == IPV6;
    }

    /**
     * Whether a token is complete and valid: a protocol with ports, at least one hop, a priority 0
     * to 7. Padding may be missing.
     */
    public static boolean isValid(MemorySegment segment, long frame, int availableBytes) {
        if (!MacControl.isValid(segment, frame, availableBytes)
                || !isOpcode(MacControl.opcode(segment, frame))) {
            return false;
        }
        int ports = portsOffset(segment, frame);
        return availableBytes >= ports + BEHIND_ADDRESSES_BYTES
                && IpProtocol.hasPorts(Wire.u8(segment, frame + ports + PROTOCOL_OFFSET))
                && hops(segment, frame) > 0
                && priority(segment, frame) < PRIORITIES;
    }

    private static int portsOffset(MemorySegment segment, long frame) {
        return MacControl.opcode(segment, frame) == IPV4 ? IPV4_PORTS_OFFSET : IPV6_PORTS_OFFSET;
    }

    /** Reads the flow. Only after {@link #isValid}, as all methods below. */
    public static void flow(MemorySegment segment, long frame, FiveTuple into) {
        int ports = portsOffset(segment, frame);
        int portsValue = Wire.i32(segment, frame + ports);
        int protocol = Wire.u8(segment, frame + ports + PROTOCOL_OFFSET);
        long addresses = frame + ADDRESSES_OFFSET;
        if (ports == IPV4_PORTS_OFFSET) {
            into.ipv4(
                    Wire.i32(segment, addresses),
                    Wire.i32(segment, addresses + 4),
                    portsValue,
                    protocol);
            return;
        }
        into.ipv6(portsValue, protocol);
        for (int word = 1; word < FiveTuple.WORDS; word++) {
            into.word(word, Wire.i64(segment, addresses + 8L * (word - 1)));
        }
    }

    /** Number of switches that the token has passed, including its origin: 1 to 65,535. */
    public static int hops(MemorySegment segment, long frame) {
        return Wire.u16(segment, frame + portsOffset(segment, frame) + HOPS_OFFSET);
    }

    /** Priority of the queue in which the flow is blocked, as both ends of the link number it. */
    public static int priority(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + portsOffset(segment, frame) + PRIORITY_OFFSET);
    }

    /** Writes a whole frame of {@link #FRAME_BYTES}. */
    public static void write(
            MemorySegment segment,
            long frame,
            long source,
            FiveTuple flow,
            int hops,
            int priority) {
        MacControl.write(segment, frame, source, flow.isIpv6() ? IPV6 : IPV4, 0);
        long addresses = frame + ADDRESSES_OFFSET;
        int addressWords = flow.isIpv6() ? 4 : 1;
        for (int word = 1; word <= addressWords; word++) {
            Wire.put64(segment, addresses + 8L * (word - 1), flow.word(word));
        }
        long ports = frame + portsOffset(segment, frame);
        Wire.put32(segment, ports, (int) flow.word(0));
        Wire.put8(segment, ports + PROTOCOL_OFFSET, flow.protocol());
        Wire.put16(segment, ports + HOPS_OFFSET, hops);
        Wire.put8(segment, ports + PRIORITY_OFFSET, priority);
    }
}
