package io.headgate.hostagent.rate;

import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;

/**
 * The format {@link HopEcho#WHOLE}: for each port, in the order of the path,
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-----------------------------------------------+---------------+
 *  |                    switch                     | bits of time  |
 *  +-----------------------------------------------+---------------+
 *  |         rate of the link in 100 kb/s          | bits of sent  |
 *  +-----------------------------------------------+---------------+
 *  |                        queue in bytes                         |
 *  +-------------------------------+-------------------------------+
 *  |          egress port          |                               |
 *  +-------------------------------+   bytes sent so far           +
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                                                               |
 *  +                          time in ns                           +
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * A switch or port with all bits set is unknown; a queue or rate that exceeds its field gets the
 * field's largest value.
 */
final class WholeHopEcho implements HopEcho {
    private static final int RATE_OFFSET = 4;
    private static final int QUEUE_OFFSET = 8;
    private static final int SENT_OFFSET = 12;
    private static final int TIME_OFFSET = 20;
    private static final int HOP_BYTES = 28;
    private static final int MOST_HOPS = MOST_BYTES / HOP_BYTES;

    private static final int LOW_BITS = 8;
    private static final long RATE_UNIT_BPS = 100_000;
    private static final int MOST_U24 = 0xFF_FFFF;
    private static final long MOST_U32 = 0xFFFF_FFFFL;
    private static final int PORT_SHIFT = 48;
    private static final int MOST_PORT = 0xFFFF;
    private static final int SENT_BITS = 48;
    private static final long SENT_MASK = (1L << SENT_BITS) - 1;

    @Override
    public int mostHops() {
        return MOST_HOPS;
    }

    @Override
    public int bytes(HopRecords hops) {
        return hops.hops() * HOP_BYTES;
    }

    @Override
    public void write(HopRecords hops, MemorySegment segment, long at) {
        for (int hop = 0; hop < hops.hops(); hop++) {
            HopRecord one = hops.hop(hop);
            long to = at + (long) hop * HOP_BYTES;
            int rate = Math.clamp(one.rateBps / RATE_UNIT_BPS, 0, MOST_U24);
            int sentBits = Math.min(one.sentBits, SENT_BITS);
            long portAndSent = ((long) one.egressPort << PORT_SHIFT) | (one.sentBytes & SENT_MASK);
            Wire.put32(segment, to, (one.node << LOW_BITS) | one.timeBits);
            Wire.put32(segment, to + RATE_OFFSET, (rate << LOW_BITS) | sentBits);
            Wire.put32(segment, to + QUEUE_OFFSET, (int) Math.clamp(one.queueBytes, 0, MOST_U32));
            Wire.put64(segment, to + SENT_OFFSET, portAndSent);
            Wire.put64(segment, to + TIME_OFFSET, one.timeNs);
        }
    }

    @Override
    public boolean read(MemorySegment segment, long at, int bytes, HopRecords into) {
        if (bytes % HOP_BYTES != 0) {
            return false;
        }
        for (long from = at; from < at + bytes; from += HOP_BYTES) {
            HopRecord one = into.add();
            if (one == null || !read(segment, from, one)) {
                return false;
            }
        }
        return true;
    }

    private static boolean read(MemorySegment segment, long from, HopRecord into) {
        long nodeAndBits = Wire.u32(segment, from);
        long rateAndBits = Wire.u32(segment, from + RATE_OFFSET);
        long portAndSent = Wire.i64(segment, from + SENT_OFFSET);
        int node = (int) (nodeAndBits >>> LOW_BITS);
        int port = (int) (portAndSent >>> PORT_SHIFT);
        into.node = node == MOST_U24 ? HopRecord.UNKNOWN : node;
        into.egressPort = port == MOST_PORT ? HopRecord.UNKNOWN : port;
        into.timeBits = (int) nodeAndBits & 0xFF;
        into.sentBits = (int) rateAndBits & 0xFF;
        into.rateBps = (rateAndBits >>> LOW_BITS) * RATE_UNIT_BPS;
        into.queueBytes = Wire.u32(segment, from + QUEUE_OFFSET);
        into.sentBytes = portAndSent & SENT_MASK;
        into.timeNs = Wire.i64(segment, from + TIME_OFFSET);
        return into.timeBits > 0
                && into.timeBits <= HopRecord.ALL_BITS
                && into.sentBits > 0
                && into.sentBits <= SENT_BITS;
    }
}
