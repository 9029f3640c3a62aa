package io.headgate.dataplane.gfc;

import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityRates;

/**
 * The mapping of time-based GFC (Qian et al., SIGCOMM 2019, sections 4 and 5): the rate is the
 * line's up to B<sub>0</sub>, and from there C (B<sub>m</sub> − q) / (B<sub>m</sub> −
 * B<sub>0</sub>).
 */
final class GfcLine {
    private final long lineBps;
    private final long mostBytes;
    private final long fromBytes;

    GfcLine(GfcConfig config, long lineBps) {
        this.lineBps = lineBps;
        this.mostBytes = config.mostBytes();
        this.fromBytes = config.lineBytes();
    }

    /** What the far end must know: what is held, or 0 where the line's rate will do. */
    long told(long heldBytes) {
        return heldBytes <= fromBytes ? 0 : heldBytes;
    }

    /** What a priority may be sent at; never less than {@link Pacer#MIN_RATE_BPS}. */
    long rateBps(long heldBytes) {
        if (heldBytes <= fromBytes) {
            return PriorityRates.UNRATED;
        }
        double left = Math.max(0, mostBytes - heldBytes);
        double share = left / (mostBytes - fromBytes);
        return Math.max(Pacer.MIN_RATE_BPS, (long) (lineBps * share));
    }
}
