package io.headgate.dataplane.gfc;

import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityRates;

/**
 * The mapping of time-based GFC (Qian et al., SIGCOMM 2019, sections 4 and 5): the rate is the line
 * rate up to B<sub>0</sub>, and from there C (B<sub>m</sub> − q) / (B<sub>m</sub> − B<sub>0</sub>).
 */
record GfcLine(GfcConfig config, long lineBps) {

    /** Value for the report: the held bytes, or 0 if the line rate is allowed. */
    long told(long heldBytes) {
        return heldBytes <= config.lineBytes() ? 0 : heldBytes;
    }

    /** The rate for a priority; never less than {@link Pacer#MIN_RATE_BPS}. */
    long rateBps(long heldBytes) {
        if (heldBytes <= config.lineBytes()) {
            return PriorityRates.UNRATED;
        }
        double left = Math.max(0, config.mostBytes() - heldBytes);
        double share = left / (config.mostBytes() - config.lineBytes());
        return Math.max(Pacer.MIN_RATE_BPS, (long) (lineBps * share));
    }
}
