package io.headgate.testbed.swarm.draw;

import io.headgate.config.ConfigDefaults;
import io.headgate.dataplane.gfc.Gfc;
import io.headgate.dataplane.gfc.GfcConfig;

/**
 * Draws gentle flow control for all links, with few stages, so that the lowest rates are not too
 * slow for a case.
 */
final class GfcDrawer {
    static final String NAME = "gfc";

    private static final int SLOTS_A_FRAME = 4;
    private static final int MOST_STAGES = 3;
    private static final long LEAST_PERIOD_NS = 1000;
    private static final long NS_PER_BIT_AT_LEAST_RATE = 1000;

    private final Draw draw;
    private final long frameNs;
    private final long frameBytes;
    private final boolean isDrawn;
    private final GfcConfig.Form form;

    GfcDrawer(long seed, long frameNs, int mtuBytes) {
        this.draw = new Draw(seed, NAME);
        this.frameNs = frameNs;
        this.frameBytes = ConfigDefaults.maxFrameBytes(mtuBytes);
        this.isDrawn = draw.chance(0.15);
        this.form = draw.chance(0.7) ? GfcConfig.Form.BUFFER : GfcConfig.Form.TIME;
    }

    /** Returns the settings, sometimes with gentle flow control at both ends of each link. */
    PortSettings on(PortSettings plain) {
        if (!isDrawn) {
            return plain;
        }
        int frames = draw.between(2, 20);
        long mostBytes = frames * frameBytes;
        long leastNs = Math.max(LEAST_PERIOD_NS, 2 * frameNs);
        GfcConfig config =
                new GfcConfig(
                        form,
                        mostBytes,
                        SLOTS_A_FRAME * frames,
                        mostBytes * draw.between(40, 95) / 100,
                        draw.between(1, MOST_STAGES),
                        mostBytes * draw.between(40, 95) / 100,
                        draw.magnitude(leastNs, leastNs + 200 * frameNs));
        return plain.with(new Gfc().use(config));
    }

    /** The additional time that a case must wait, for frames at the lowest rates. */
    long patienceNs() {
        if (!isDrawn) {
            return 0;
        }
        return form == GfcConfig.Form.BUFFER
                ? (100L << MOST_STAGES) * frameNs
                : 4 * frameBytes * Byte.SIZE * NS_PER_BIT_AT_LEAST_RATE;
    }
}
