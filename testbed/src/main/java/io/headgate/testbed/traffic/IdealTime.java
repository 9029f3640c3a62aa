package io.headgate.testbed.traffic;

import io.headgate.dataplane.queue.WireFormat;

/** How long a flow takes alone in an idle network: what slowdowns are measured against. */
@FunctionalInterface
public interface IdealTime {
    /** Of a second, in ps. */
    long PS_PER_S = 1_000_000_000_000L;

    /** Of an octet. */
    long BITS_PER_BYTE = 8;

    /**
     * From a flow's beginning to the arrival of its last bit, in ps.
     *
     * @param flow of which source, destination, number and lengths of frames are asked
     */
    long idealPs(Flow flow);

    /**
     * The exact time over a path of store-and-forward links, frames sent back to back: frame by
     * frame, with durations cut to whole picoseconds as links in virtual time cut them, or a flow
     * alone would be faster than this.
     *
     * @param ratesBps of the path's links, in order
     * @param delaysPs of the path's links, in order
     */
    static long storeAndForwardPs(Flow flow, WireFormat wire, long[] ratesBps, long[] delaysPs) {
        int links = ratesBps.length;
        long[] freePs = new long[links];
        long[] remainders = new long[links];
        long arrivalPs = 0;
        for (long frame = 1; frame <= flow.totalFrames(); frame++) {
            int frameBytes =
                    frame == flow.totalFrames() ? flow.lastFrameBytes() : flow.fullFrameBytes();
            long bits = BITS_PER_BYTE * wire.wireBytes(frameBytes);
            arrivalPs = 0;
            for (int link = 0; link < links; link++) {
                if (arrivalPs > freePs[link]) {
                    freePs[link] = arrivalPs;
                    remainders[link] = 0;
                }
                long numerator = bits * PS_PER_S + remainders[link];
                remainders[link] = numerator % ratesBps[link];
                freePs[link] += numerator / ratesBps[link];
                long gapPs = BITS_PER_BYTE * wire.gapBytes() * PS_PER_S / ratesBps[link];
                arrivalPs = freePs[link] - gapPs + delaysPs[link];
            }
        }
        return arrivalPs;
    }
}
