package io.headgate.dataplane.memory;

/**
 * Telemetry of one port for a frame that leaves by it. One record for all wire formats: each format
 * carries some of the fields, and leaves the others as {@link #clear} sets them. Reused by its
 * owner.
 */
public final class HopRecord {
    /** Value of an unknown field. */
    public static final int UNKNOWN = -1;

    /** Number of known bits of a complete count or time. */
    public static final int ALL_BITS = 63;

    /** Number of the switch, 24 bits. */
    public int node;

    /** Numbers of the frame's ingress and egress ports, from 1 on; 0: the switch itself. */
    public int ingressPort;

    public int egressPort;

    /** Priority of the queue in which the frame waited, and the bytes that wait there behind it. */
    public int queue;

    public long queueBytes;

    /**
     * Start of transmission, in ns of the switch's clock, and the number of its low bits that are
     * known.
     */
    public long timeNs;

    public int timeBits;

    /** Time that the frame was in the switch, in ns. */
    public long latencyNs;

    /**
     * Bytes that the port sent before the frame, with all headers, and the number of low bits that
     * are known.
     */
    public long sentBytes;

    public int sentBits;

    /** Rate of the port's link, in bits per second; 0 if unknown. */
    public long rateBps;

    /** Recent utilization of the link, in thousandths. */
    public int usePermille;

    /** Growth rate of the port's queues, in bits per second; negative: they shrink. */
    public long growthBps;

    /** Number of flows that recently left by the port. */
    public int flows;

    public HopRecord() {
        clear();
    }

    /** Sets all fields to unknown. */
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

    /** Copies another record. */
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

    /** Time from another record of the same port to this one, in ns, modulo the known bits. */
    public long nsSince(HopRecord earlier) {
        return difference(timeNs, earlier.timeNs, timeBits);
    }

    /** Bytes that the port sent between another record of it and this one. */
    public long bytesSince(HopRecord earlier) {
        return difference(sentBytes, earlier.sentBytes, sentBits);
    }

    /** Whether both records are of the same port, as far as it is known. */
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
