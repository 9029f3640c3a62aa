package io.headgate.dataplane.memory;

/**
 * What a port says of itself to a frame that leaves by it. One record for all forms in which it is
 * written on the wire: each form carries a part of it, and leaves the rest as {@link #clear} does.
 * Filled again and again by its owner.
 */
public final class HopRecord {
    /** Value of an unknown field. */
    public static final int UNKNOWN = -1;

    /** Bits of a count or a time that is said whole. */
    public static final int ALL_BITS = 63;

    /** Number of the switch, 24 bits. */
    public int node;

    /** Numbers of the ports by which the frame came and leaves, from 1 on; 0: the switch itself. */
    public int ingressPort;

    public int egressPort;

    /** Priority of the queue that it waited in, and what waits there behind it, in bytes. */
    public int queue;

    public long queueBytes;

    /** When it starts, in ns by the switch's clock, and the number of low bits that are known. */
    public long timeNs;

    public int timeBits;

    /** How long it was in the switch, in ns. */
    public long latencyNs;

    /**
     * Bytes that the port had sent before it, with all headers, and the number of low bits that are
     * known.
     */
    public long sentBytes;

    public int sentBits;

    /** Rate of the port's link, in bits per second; 0 if unknown. */
    public long rateBps;

    /** How much of the link was used of late, in thousandths. */
    public int usePermille;

    /** How fast the port's queues grow, in bits per second; below 0: they shorten. */
    public long growthBps;

    /** How many flows left by the port of late. */
    public int flows;

    public HopRecord() {
        clear();
    }

    /** Says nothing. */
    public void clear() {
        node = UNKNOWN;
        ingressPort = UNKNOWN;
        egressPort = UNKNOWN;
        queue = UNKNOWN;
        queueBytes = 0;
        timeNs = 0;
        timeBits = ALL_BITS;
        latencyNs = UNKNOWN;
        sentBytes = 0;
        sentBits = ALL_BITS;
        rateBps = 0;
        usePermille = UNKNOWN;
        growthBps = 0;
        flows = UNKNOWN;
    }

    /** Becomes equal to another. */
    public void copy(HopRecord other) {
        node = other.node;
        ingressPort = other.ingressPort;
        egressPort = other.egressPort;
        queue = other.queue;
        queueBytes = other.queueBytes;
        timeNs = other.timeNs;
        timeBits = other.timeBits;
        latencyNs = other.latencyNs;
        sentBytes = other.sentBytes;
        sentBits = other.sentBits;
        rateBps = other.rateBps;
        usePermille = other.usePermille;
        growthBps = other.growthBps;
        flows = other.flows;
    }

    /** Time from another record of the same port to this one, in ns, as far as bits tell. */
    public long nsSince(HopRecord earlier) {
        return difference(timeNs, earlier.timeNs, timeBits);
    }

    /** What the port sent between another record of it and this one, in bytes. */
    public long bytesSince(HopRecord earlier) {
        return difference(sentBytes, earlier.sentBytes, sentBits);
    }

    /** Whether both are of the same port, as far as they say. */
    public boolean isOfPort(HopRecord other) {
        return node == other.node
                && egressPort == other.egressPort
                && rateBps == other.rateBps
                && timeBits == other.timeBits
                && sentBits == other.sentBits;
    }

    private static long difference(long later, long earlier, int bits) {
        long difference = later - earlier;
        return bits >= ALL_BITS ? difference : difference & ((1L << bits) - 1);
    }
}
