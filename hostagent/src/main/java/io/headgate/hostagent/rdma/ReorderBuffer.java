package io.headgate.hostagent.rdma;

import io.headgate.dataplane.frame.Wire;
import java.lang.foreign.MemorySegment;

/**
 * The receiving end's part of selective repair: keeps packets that came while an earlier one was
 * missing, each in a place given by its number, and knows which of them were not reported to the
 * sender yet (IRN: Mittal et al., SIGCOMM 2018, sections 3.1 and 5.3). Owned by the receiving host.
 * Memory grows with the distance that packets come ahead, at most the window; nothing is allocated
 * per packet.
 *
 * <p>IRN's answer names the one packet that caused it. Answers here may be merged, so a report
 * covers the 128 packets from the first unreported one on. It follows the acknowledgement's
 * extended header of a NAK (PSN sequence error), whose own number acknowledges all packets before
 * the missing one:
 *
 * <pre>
 *   0  reserved 1 (0) · number of the packet of the first bit, a multiple of 64 behind the first of
 *      the connection 3
 *   4  packets that came 8, the first in the lowest bit · the next 64 8
 * </pre>
 */
final class ReorderBuffer {
    static final int REPORT_BYTES = 20;

    private static final int LOW_OFFSET = 4;
    private static final int HIGH_OFFSET = 12;
    private static final int REPORTED = 2 * Long.SIZE;
    private static final int LEAST_PACKETS = Long.SIZE;

    // A packet in a word; 0: none is kept there.
    private static final long KEPT = 1L << 63;
    private static final int OPCODE_SHIFT = 48;
    private static final int OPCODE_MASK = 0xFF;
    private static final int PAYLOAD_SHIFT = 32;
    private static final int PAYLOAD_MASK = 0xFFFF;
    private static final long ANNOUNCED_MASK = 0xFFFF_FFFFL;

    private final int window;

    // By packet, a ring.
    private long[] packets = new long[LEAST_PACKETS];
    private int kept;
    private long highest = -1;

    // The first and the last packet to be reported; from > to: none.
    private long untoldFrom = 0;
    private long untoldTo = -1;

    // The report being made.
    private long base;
    private long low;
    private long high;

    /**
     * @param window maximum distance that a packet may come ahead: a power of two, at least 64
     */
    ReorderBuffer(int window) {
        if (window < LEAST_PACKETS || Integer.bitCount(window) != 1) {
            throw new IllegalArgumentException("a window of " + window + " packets");
        }
        this.window = window;
    }

    boolean isEmpty() {
        return kept == 0;
    }

    /** The last packet that came, in the sender's order; -1: none has come ahead. */
    long highest() {
        return highest;
    }

    private int slot(long packet) {
        return (int) packet & (packets.length - 1);
    }

    /** Keeps a packet beyond the one expected, unless it is too far ahead or was kept before. */
    Responder.Arrived keep(
            long packet, long expected, int opcode, int payloadBytes, long announcedBytes) {
        if (packet - expected >= window) {
            return Responder.Arrived.EARLY;
        }
        while (packet - expected >= packets.length) {
            grow(expected);
        }
        tell(packet, expected);
        int slot = slot(packet);
        if (packets[slot] != 0) {
            return Responder.Arrived.REPEATED;
        }
        packets[slot] =
                KEPT
                        | (long) opcode << OPCODE_SHIFT
                        | (long) payloadBytes << PAYLOAD_SHIFT
                        | announcedBytes;
        kept++;
        highest = Math.max(highest, packet);
        return Responder.Arrived.KEPT;
    }

    private void grow(long expected) {
        long[] old = packets;
        packets = new long[2 * old.length];
        for (long packet = expected; packet < expected + old.length; packet++) {
            packets[slot(packet)] = old[(int) packet & (old.length - 1)];
        }
    }

    private void tell(long packet, long expected) {
        if (hasUntold(expected)) {
            untoldFrom = Math.min(untoldFrom, packet);
            untoldTo = Math.max(untoldTo, packet);
        } else {
            untoldFrom = packet;
            untoldTo = packet;
        }
    }

    /** Whether there is an unreported packet. */
    boolean hasUntold(long expected) {
        return untoldTo >= Math.max(untoldFrom, expected);
    }

    /** Takes out the expected packet; 0: it is not here. The other bits describe the packet. */
    long take(long expected) {
        int slot = slot(expected);
        long packet = packets[slot];
        if (packet != 0) {
            packets[slot] = 0;
            kept--;
        }
        return packet;
    }

    static int opcode(long packet) {
        return (int) (packet >>> OPCODE_SHIFT) & OPCODE_MASK;
    }

    static int payloadBytes(long packet) {
        return (int) (packet >>> PAYLOAD_SHIFT) & PAYLOAD_MASK;
    }

    static long announcedBytes(long packet) {
        return packet & ANNOUNCED_MASK;
    }

    /** Makes a report of the first unreported packets. */
    void report(long expected) {
        base = Math.max(untoldFrom, expected) & -Long.SIZE;
        low = bits(base, expected);
        high = bits(base + Long.SIZE, expected);
        untoldFrom = base + REPORTED;
    }

    private long bits(long from, long expected) {
        long bits = 0;
        long end = Math.min(from + Long.SIZE, expected + packets.length);
        for (long packet = Math.max(from, expected); packet < end; packet++) {
            if (packets[slot(packet)] != 0) {
                bits |= 1L << packet;
            }
        }
        return bits;
    }

    void write(MemorySegment segment, long at, int firstPsn) {
        Wire.put32(segment, at, Psn.of(firstPsn + base));
        Wire.put64(segment, at + LOW_OFFSET, low);
        Wire.put64(segment, at + HIGH_OFFSET, high);
    }

    /** Number of the packet of a report's first bit, as it is on the wire. */
    static int basePsn(MemorySegment segment, long at) {
        return Wire.i32(segment, at) & Psn.MASK;
    }

    static long low(MemorySegment segment, long at) {
        return Wire.i64(segment, at + LOW_OFFSET);
    }

    static long high(MemorySegment segment, long at) {
        return Wire.i64(segment, at + HIGH_OFFSET);
    }
}
