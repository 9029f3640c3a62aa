package io.headgate.hostagent.rate;

/**
 * The mechanism DCTCP: a window that follows the share of marked frames; see {@link DctcpWindow}.
 */
public final class Dctcp implements RateControlMechanism<DctcpConfig> {
    @Override
    public boolean needsEcho() {
        return true;
    }

    /** Each packet is acknowledged, so that the share of marked ones is exact (section 3.2). */
    @Override
    public int ackEvery(DctcpConfig configuration) {
        return 1;
    }

    @Override
    public RateControl control(DctcpConfig configuration) {
        return new DctcpWindow(configuration.gain(), configuration.initialWindow());
    }
}
