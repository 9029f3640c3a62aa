package io.headgate.hostagent.rate;

/** The mechanism LIPD: sets a rate by the delay between packets; see {@link LipdRate}. */
public final class Lipd implements RateControlMechanism<LipdConfig> {
    @Override
    public boolean needsEcho() {
        return true;
    }

    @Override
    public RateControl control(LipdConfig configuration) {
        return new LipdRate(configuration.most());
    }
}
