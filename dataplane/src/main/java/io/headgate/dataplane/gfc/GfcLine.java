package io.headgate.dataplane.gfc;

import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityRates;

/**
 * The mapping of time-based GFC (Qian et al., SIGCOMM 2019, sections 4 and 5): the rate is the
 * line's up to B<sub>0</sub>, and from there C (B<sub>m</sub> − q) / (B<sub>m</sub> −
 * B<sub>0</sub>).
 */
record GfcLine(GfcConfig config, long lineBps) {

    /** What the far end must know: what is held, or 0 where the line's rate will do. */
    long told(long heldBytes) {
        return heldBytes <= config.lineBytes() ? 0 : heldBytes;
    }

    /** What a priority may be sent at; never less than {@link Pacer#MIN_RATE_BPS}. */
    long rateBps(long heldBytes) {
        if (heldBytes <= config.lineBytes()) {
            return PriorityRates.UNRATED;
        }
        double left = Math.max(0, config.mostBytes() - heldBytes);
        double share = left / (config.mostBytes() - config.lineBytes());
        return Math.max(Pacer.MIN_RATE_BPS, (long) (lineBps * share));
    }
}
