package io.headgate.testbed.traffic;

import io.headgate.dataplane.queue.WireFormat;

/** How long a flow takes alone in an idle network: what slowdowns are measured against. */
@FunctionalInterface
public interface IdealTime {

    /**
     * From a flow's beginning to the arrival of its last bit, in ps.
     *
     * @param flow of which source, destination, number and lengths of frames are asked
     */
    long idealPs(Flow flow);

    /**
     * The exact time over a path of store-and-forward links, frames sent back to back, up to the
     * rounding of each frame's duration to a whole picosecond.
     *
     * @param ratesBps of the path's links, in order
     * @param delaysPs of the path's links, in order
     */
    static long storeAndForwardPs(Flow flow, WireFormat wire, long[] ratesBps, long[] delaysPs) {
        long fullWireBits = 8L * wire.wireBytes(flow.fullFrameBytes());
        long lastWireBits = 8L * wire.wireBytes(flow.lastFrameBytes());
        long before = flow.totalFrames() - 1;
        // When the frame before the last has left each link, gap included, and the last one
        // arrives.
        double previousEndPs = 0;
        double slowestPs = 0;
        double arrivalPs = 0;
        for (int link = 0; link < ratesBps.length; link++) {
            double fullPs = fullWireBits * 1e12 / ratesBps[link];
            double lastPs = lastWireBits * 1e12 / ratesBps[link];
            double gapPs = 8e12 * wire.gapBytes() / ratesBps[link];
            if (before > 0) {
                slowestPs = Math.max(slowestPs, fullPs);
                previousEndPs =
                        firstEndPs(link, fullWireBits, wire, ratesBps, delaysPs)
                                + (before - 1) * slowestPs;
            }
            double startPs = Math.max(arrivalPs, previousEndPs);
            arrivalPs = startPs + lastPs - gapPs + delaysPs[link];
        }
        return (long) StrictMath.rint(arrivalPs);
    }

    /** When the first full frame has left a link, its gap included. */
    private static double firstEndPs(
            int link, long wireBits, WireFormat wire, long[] ratesBps, long[] delaysPs) {
        double ps = 0;
        for (int i = 0; i <= link; i++) {
            ps += wireBits * 1e12 / ratesBps[i];
            if (i < link) {
                ps += delaysPs[i] - 8e12 * wire.gapBytes() / ratesBps[i];
            }
        }
        return ps;
    }
}
