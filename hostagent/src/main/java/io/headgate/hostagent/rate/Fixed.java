package io.headgate.hostagent.rate;

/** A rate that never changes; see {@link FixedRate}. */
public final class Fixed implements RateControlMechanism<FixedConfig> {
    @Override
    public String name() {
        return "fixed";
    }

    @Override
    public String says() {
        return "Each flow sends at the same rate, whatever the network says.";
    }

    @Override
    public Class<FixedConfig> configuration() {
        return FixedConfig.class;
    }

    @Override
    public RateControl control(FixedConfig configuration) {
        return new FixedRate(configuration.rateBps());
    }
}
