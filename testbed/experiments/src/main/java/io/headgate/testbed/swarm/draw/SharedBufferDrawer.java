package io.headgate.testbed.swarm.draw;

import io.headgate.config.TrafficConfig;

/**
 * Draws whether the ports of each switch share one buffer, with dynamic thresholds on its free
 * part.
 */
final class SharedBufferDrawer {
    static final String NAME = "shared-buffer";

    private static final int LEAST_FRAMES = 8;

    private final Draw draw;

    SharedBufferDrawer(long seed) {
        this.draw = new Draw(seed, NAME);
    }

    /**
     * Returns the drawn thresholds, or thresholds of a buffer that the ports share: at most the
     * part of it that fits into each port, and at least enough that an empty buffer gives a lossy
     * priority one frame.
     */
    PortSettings.Thresholds share(PortSettings.Thresholds own) {
        int drawnAlpha = draw.between(-7, 3);
        double part = draw.probability(1);
        if (!draw.chance(0.3)) {
            return own;
        }
        int least = Integer.numberOfLeadingZeros(own.sharedFrames()) - 31;
        Integer drawn = own.alphaExponent();
        int alpha = drawn == null ? Math.max(drawnAlpha, least) : drawn;
        double all = TrafficConfig.PRIORITIES * StrictMath.scalb(1.0, alpha);
        int leastFrames = Math.max(LEAST_FRAMES, 1 << Math.max(0, -alpha));
        int mostFrames = (int) StrictMath.floor(own.sharedFrames() * (1 + all) / all);
        int frames = leastFrames + (int) (part * (mostFrames - leastFrames + 1));
        return new PortSettings.Thresholds(
                own.xoffFrames(),
                own.xonPercent(),
                alpha,
                own.reservedFrames(),
                own.sharedFrames(),
                Math.min(frames, mostFrames));
    }
}
