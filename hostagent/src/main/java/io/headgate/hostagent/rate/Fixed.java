package io.headgate.hostagent.rate;

/** The mechanism of a rate that never changes; see {@link FixedRate}. */
public final class Fixed implements RateControlMechanism<FixedConfig> {
    @Override
    public RateControl control(FixedConfig configuration) {
        return new FixedRate(configuration.rateBps());
    }
}
