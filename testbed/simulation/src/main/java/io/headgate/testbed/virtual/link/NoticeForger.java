package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.topology.FrameKind;
import java.lang.foreign.MemorySegment;

/**
 * Forges a notice to a sender, with correct checksums: it has another source address, names another
 * flow, or has other contents. The contents may be anything, also values that no congestion point
 * would send. IPv4 only.
 */
final class NoticeForger {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int QUEUE_PAIRS = 1 << 24;

    private final NamedRandom random;

    NoticeForger(NamedRandom random) {
        this.random = random;
    }

    static boolean isForgeable(Frame frame) {
        return frame.etherType == EtherType.IPV4
                && frame.storedBytes == frame.lengthBytes
                && FrameKind.isNotice(frame);
    }

    /**
     * @param original which {@link #isForgeable}
     * @param copy where a copy of its bytes is
     */
    void forge(Frame original, long copy) {
        long ip = copy + original.ipOffset;
        long transport = copy + original.transportOffset;
        int kind = random.nextInt(3);
        if (kind == 0) {
            Wire.put32(MEMORY, ip + Ipv4.SOURCE_OFFSET, (int) random.nextLong());
            Ipv4.writeChecksum(MEMORY, ip);
        }
        if (Notice.is(MEMORY, original)) {
            forgeNotice(kind, ip, transport);
        } else {
            forgePacket(kind, ip, transport);
        }
    }

    private void forgeNotice(int kind, long ip, long icmp) {
        int bytes = Ipv4.totalBytes(MEMORY, ip) - Ipv4.MIN_HEADER_BYTES;
        if (kind == 1) {
            // Behind the addresses that it quotes: protocols stay, ports and numbers do not.
            long ports = icmp + Notice.QUOTE_OFFSET + Ipv4.MIN_HEADER_BYTES;
            randomize(ports, icmp + Math.min(bytes, Notice.DETAILS_OFFSET));
        } else if (kind == 2) {
            int said = Notice.kind(MEMORY, icmp);
            long value = random.nextLong() >>> random.nextInt(Long.SIZE);
            Wire.put64(MEMORY, icmp + Notice.FIRST_OFFSET, Notice.first(said, value));
            randomize(icmp + Notice.DETAILS_OFFSET, icmp + bytes);
        }
        Icmp.writeChecksumIpv4(MEMORY, icmp, bytes);
    }

    private void forgePacket(int kind, long ip, long udp) {
        long bth = udp + Udp.HEADER_BYTES;
        if (kind == 1) {
            int acknowledge = Wire.u8(MEMORY, bth + Bth.DESTINATION_QP_OFFSET + 3);
            int pair = random.nextInt(QUEUE_PAIRS);
            Wire.put32(MEMORY, bth + Bth.DESTINATION_QP_OFFSET, pair << Byte.SIZE | acknowledge);
        } else if (kind == 2) {
            Wire.put8(MEMORY, bth + Bth.CONGESTION_OFFSET, random.nextInt(1 << Byte.SIZE));
        }
        int crc = Icrc.locate(MEMORY, ip, Ipv4.totalBytes(MEMORY, ip));
        if (crc != Icrc.ABSENT) {
            Icrc.write(MEMORY, ip, crc);
        }
    }

    private void randomize(long from, long to) {
        for (long at = from; at < to; at++) {
            Wire.put8(MEMORY, at, random.nextInt(1 << Byte.SIZE));
        }
    }
}
