package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EscapeHeader;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * That frames which came in by one port with one priority leave a port in the order in which they
 * came: more than is promised for flows, and true of every queue that is first in, first out. Where
 * frames escape, it is true of those of one flow.
 */
final class OrderCheck {
    /** Frames of which order is asked; the last three are 0 for all but flows of IPv4. */
    private record Key(int home, int priority, long addresses, long ports, int protocol) {}

    private final String where;
    private final boolean byFlow;
    private final Map<Key, Long> last = new HashMap<>();

    /**
     * @param byFlow whether frames may escape
     */
    OrderCheck(String where, boolean byFlow) {
        this.where = where;
        this.byFlow = byFlow;
    }

    void leaves(Frame frame) {
        // What an egress half has made itself is link control, and goes before all else.
        if ((frame.home & 1) != 0) {
            return;
        }
        Key key =
                byFlow
                        ? ofFlow(FrameRegion.MEMORY, frame)
                        : new Key(frame.ingressPort, frame.priority, 0, 0, 0);
        Long before = last.put(key, frame.packetId);
        if (before != null && frame.packetId <= before) {
            throw new IllegalStateException(
                    "%s: %s (packet %x) leaves after packet %x of the same port and %s"
                            .formatted(
                                    where,
                                    frame,
                                    frame.packetId,
                                    before,
                                    byFlow ? "flow" : "priority"));
        }
    }

    /** Looks behind the header of an escaping frame. */
    private static Key ofFlow(MemorySegment memory, Frame frame) {
        long type = frame.dataOffset + frame.etherTypeOffset;
        if (Wire.u16(memory, type) == EtherType.ESCAPE) {
            type += EscapeHeader.BYTES;
        }
        long ip = type + 2;
        if (Wire.u16(memory, type) != EtherType.IPV4) {
            return new Key(frame.ingressPort, frame.priority, 0, 0, 0);
        }
        long transport = ip + Ipv4.headerBytes(memory, ip);
        long ports = Wire.u32(memory, transport);
        if ((ports & 0xFFFF) == EscapeHeader.UDP_PORT) {
            ports += Bth.UDP_PORT - EscapeHeader.UDP_PORT;
        }
        return new Key(
                frame.ingressPort,
                frame.priority,
                Wire.i64(memory, ip + Ipv4.SOURCE_OFFSET),
                ports,
                Ipv4.protocol(memory, ip));
    }
}
