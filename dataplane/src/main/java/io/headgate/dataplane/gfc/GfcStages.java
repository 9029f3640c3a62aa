package io.headgate.dataplane.gfc;

import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityRates;

/**
 * The mapping of buffer-based GFC (Qian et al., SIGCOMM 2019, section 5): stage k of N begins at
 * B<sub>k</sub> = B<sub>m</sub> − (B<sub>m</sub> − B<sub>1</sub>) / 2<sup>k−1</sup> and has the
 * rate R<sub>k</sub> = C / 2<sup>k</sup>; stage 0, below B<sub>1</sub>, has the line rate.
 */
final class GfcStages {
    private final long lineBps;
    private final long[] beginBytes;

    GfcStages(GfcConfig config, long lineBps) {
        this.lineBps = lineBps;
        this.beginBytes = new long[config.stages()];
        for (int k = 1; k <= beginBytes.length; k++) {
            long left = (config.mostBytes() - config.firstStageBytes()) >> (k - 1);
            beginBytes[k - 1] = config.mostBytes() - left;
        }
    }

    int stage(long heldBytes) {
        int stage = 0;
        while (stage < beginBytes.length && heldBytes >= beginBytes[stage]) {
            stage++;
        }
        return stage;
    }

    /** The rate for a stage; never less than {@link Pacer#MIN_RATE_BPS}. */
    long rateBps(int stage) {
        return stage == 0
                ? PriorityRates.UNRATED
                : Math.max(Pacer.MIN_RATE_BPS, lineBps >> Math.min(stage, GfcConfig.MOST_STAGES));
    }
}
