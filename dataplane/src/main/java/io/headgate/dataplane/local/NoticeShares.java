package io.headgate.dataplane.local;

import io.headgate.dataplane.frame.Ethernet;

/**
 * What share of the rate of each port notices may have that leave by it: RFC 1812 (4.3.2.8) and RFC
 * 4443 (2.4) ask for a limit on the messages that a switch sends of itself, as a fraction of the
 * link's rate. Notices go before data; without a limit, those about data that waits could fill a
 * link by which it is to leave, and it would wait for ever.
 *
 * <p>At the periods that RoCC is published with a share of a tenth is 64 flows at 10 Gb/s, 103 at
 * 40 Gb/s and 257 at 100 Gb/s, all of whose sources are behind one port.
 */
final class NoticeShares {
    /** One in so many bits that a port can send. */
    static final int ONE_IN = 10;

    /** Bytes on the wire that may leave at once, if none have for long. */
    static final long BURST_BYTES = 64 << 10;

    private static final double BIT_NS_PER_S = 8e9;

    private final double[] nsPerByte;

    // By port: until when what has left is its share.
    private final long[] paidUntilNs;

    NoticeShares(long... portRatesBps) {
        this.nsPerByte = new double[portRatesBps.length];
        this.paidUntilNs = new long[portRatesBps.length];
        rates(portRatesBps);
    }

    /** The rates of all ports from now on. */
    void rates(long... portRatesBps) {
        for (int port = 0; port < nsPerByte.length; port++) {
            nsPerByte[port] = ONE_IN * BIT_NS_PER_S / portRatesBps[port];
        }
    }

    /** Whether a notice may leave by a port, which counts as done. */
    boolean take(long nowNs, int port, int frameBytes) {
        double perByte = nsPerByte[port];
        long from = Math.max(nowNs, paidUntilNs[port]);
        if (from - nowNs > (long) (BURST_BYTES * perByte)) {
            return false;
        }
        int wireBytes = frameBytes + Ethernet.WIRE_OVERHEAD_BYTES;
        paidUntilNs[port] = from + (long) Math.ceil(wireBytes * perByte);
        return true;
    }
}
