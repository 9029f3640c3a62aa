package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;

/**
 * The header of HPCC's simulation (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM
 * 2019; int-header.h of its code): five words of 64 bits, little endian, for the last five ports,
 * and the number of ports that have written. 42 bytes from the source on. It is behind the UDP
 * header with a port of its own, so that no node reads the packet as plain RoCEv2. Only for virtual
 * time, because no tool reads it.
 *
 * <pre>
 *   bits  0 to  2   rate of the link: 25, 50, 100, 200, 400 Gb/s
 *         3 to 26   time of leaving, ns
 *        27 to 46   sent, in units of 128 bytes
 *        47 to 63   bytes in the queue, in units of 80
 * </pre>
 *
 * It has no other rates and no identity of the port. A record that is not written cannot be
 * distinguished from one of time 0, so {@link #add} writes zeros.
 */
public final class HpccInt implements HopEncoding {
    /** UDP destination port of packets with this header. */
    public static final int UDP_PORT = 49_377;

    static final int BYTES = 42;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int WORDS = 5;
    private static final int COUNT_OFFSET = WORDS * Long.BYTES;

    private static final int TIME_SHIFT = 3;
    private static final int TIME_BITS = 24;
    private static final int SENT_SHIFT = 27;
    private static final int SENT_UNITS_BITS = 20;
    private static final int SENT_UNIT_BYTES = 128;
    private static final int SENT_BITS = SENT_UNITS_BITS + 7;
    private static final int QUEUE_SHIFT = 47;
    private static final int MOST_QUEUE = (1 << 17) - 1;
    private static final int QUEUE_UNIT_BYTES = 80;
    private static final long[] RATES_GBPS = {25, 50, 100, 200, 400};
    private static final long GIGA = 1_000_000_000;
    private static final int NO_RATE = -1;

    /** Whether the header can represent a rate. */
    static boolean hasRate(long rateBps) {
        return code(rateBps) != NO_RATE;
    }

    private static int code(long rateBps) {
        for (int code = 0; code < RATES_GBPS.length; code++) {
            if (RATES_GBPS[code] * GIGA == rateBps) {
                return code;
            }
        }
        return NO_RATE;
    }

    @Override
    public int growsBytes(int hops) {
        return BYTES;
    }

    @Override
    public int mostHops() {
        return WORDS;
    }

    private static long header(Frame frame) {
        return frame.dataOffset + frame.transportOffset + Udp.HEADER_BYTES;
    }

    @Override
    public boolean isIn(Frame frame) {
        return FrameRoom.isTo(MEMORY, frame, UDP_PORT, Udp.HEADER_BYTES);
    }

    private static boolean isSound(Frame frame) {
        return FrameRoom.isTo(MEMORY, frame, UDP_PORT, Udp.HEADER_BYTES + BYTES);
    }

    @Override
    public Room begin(Frame frame, int hops, int most) {
        if (!RocePacket.isWithoutChecksum(frame)) {
            return Room.OTHER;
        }
        if (!FrameGap.openInUdp(frame, 0, BYTES, most, UDP_PORT)) {
            return Room.TOO_LONG;
        }
        MEMORY.asSlice(header(frame), BYTES).fill((byte) 0);
        return Room.MADE;
    }

    @Override
    public Room add(Frame frame, HopRecord own, int most) {
        frame.recordAt = 0;
        if (!isSound(frame)) {
            return Room.DAMAGED;
        }
        long header = header(frame);
        int count = count(header);
        Wire.put16(MEMORY, header + COUNT_OFFSET, Short.reverseBytes((short) (count + 1)));
        frame.recordAt = word(header, count);
        Wire.put64(MEMORY, frame.recordAt, 0);
        return Room.MADE;
    }

    private static int count(long header) {
        return Short.toUnsignedInt(
                Short.reverseBytes((short) Wire.u16(MEMORY, header + COUNT_OFFSET)));
    }

    private static long word(long header, int index) {
        return header + (long) (index % WORDS) * Long.BYTES;
    }

    @Override
    public boolean write(Frame frame, HopRecord own) {
        long at = frame.recordAt;
        int code = code(own.rateBps);
        if (at == 0 || code == NO_RATE || Wire.i64(MEMORY, at) != 0) {
            return false;
        }
        long word =
                code
                        | (bits(own.timeNs, TIME_BITS) << TIME_SHIFT)
                        | (bits(own.sentBytes / SENT_UNIT_BYTES, SENT_UNITS_BITS) << SENT_SHIFT)
                        | (Math.min(own.queueBytes / QUEUE_UNIT_BYTES, MOST_QUEUE) << QUEUE_SHIFT);
        Wire.put64(MEMORY, at, Long.reverseBytes(word));
        return true;
    }

    private static long bits(long value, int bits) {
        return value & ((1L << bits) - 1);
    }

    @Override
    public boolean takeOff(Frame frame, HopRecords hops) {
        if (!isSound(frame)) {
            return false;
        }
        long header = header(frame);
        int count = count(header);
        if (count > WORDS) {
            hops.cut();
        }
        for (int i = Math.max(0, count - WORDS); i < count; i++) {
            long word = Long.reverseBytes(Wire.i64(MEMORY, word(header, i)));
            if ((word & 7) >= RATES_GBPS.length) {
                return false;
            }
            read(word, hops);
        }
        FrameGap.closeInUdp(frame, BYTES, Bth.UDP_PORT);
        return true;
    }

    private static void read(long word, HopRecords hops) {
        HopRecord hop = word == 0 ? null : hops.add();
        if (hop == null) {
            hops.cut();
            return;
        }
        hop.rateBps = RATES_GBPS[(int) (word & 7)] * GIGA;
        hop.timeNs = bits(word >>> TIME_SHIFT, TIME_BITS);
        hop.timeBits = TIME_BITS;
        hop.sentBytes = bits(word >>> SENT_SHIFT, SENT_UNITS_BITS) * SENT_UNIT_BYTES;
        hop.sentBits = SENT_BITS;
        hop.queueBytes = (word >>> QUEUE_SHIFT) * QUEUE_UNIT_BYTES;
    }
}
