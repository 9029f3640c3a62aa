package io.headgate.dataplane.local;

import io.headgate.dataplane.frame.Ethernet;

/**
 * Limits notices to a share of their egress port's rate: RFC 1812 (4.3.2.8) and RFC 4443 (2.4)
 * require a limit on a switch's own messages, as a fraction of the link's rate. Notices are sent
 * before data; without a limit, notices about data that waits for a link could fill that link, and
 * the data would never leave.
 *
 * <p>With RoCC's published periods, a share of a tenth is enough for 64 flows at 10 Gb/s, 103 at 40
 * Gb/s and 257 at 100 Gb/s, with all their sources behind one port.
 */
final class NoticeShares {
    /** Share of a port's rate that notices may have: one bit in this many. */
    static final int ONE_IN = 10;

    /** Burst of notices after a long time without any, in bytes on the wire. */
    static final long BURST_BYTES = 64 << 10;

    private static final double BIT_NS_PER_S = 8e9;

    private final double[] nsPerByte;

    // By port: the time until which the notices that have left use up its share.
    private final long[] paidUntilNs;

    NoticeShares(long... portRatesBps) {
        this.nsPerByte = new double[portRatesBps.length];
        this.paidUntilNs = new long[portRatesBps.length];
        rates(portRatesBps);
    }

    /** Sets the rates of all ports. */
    void rates(long... portRatesBps) {
        for (int port = 0; port < nsPerByte.length; port++) {
            nsPerByte[port] = ONE_IN * BIT_NS_PER_S / portRatesBps[port];
        }
    }

    /** Whether a notice may leave by a port; if so, it is counted as sent. */
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
