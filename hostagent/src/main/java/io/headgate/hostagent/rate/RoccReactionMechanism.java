package io.headgate.hostagent.rate;

/** Hosts that follow fair rates; see {@link RoccReaction}. */
public final class RoccReactionMechanism implements RateControlMechanism<RoccReactionConfig> {
    @Override
    public String name() {
        return "rocc";
    }

    @Override
    public String says() {
        return "Each flow sends at the fair rate that its congestion point tells (RoCC, CoNEXT"
                + " 2020): ports have it with congestion: {rocc: {}}.";
    }

    @Override
    public Class<RoccReactionConfig> configuration() {
        return RoccReactionConfig.class;
    }

    @Override
    public long noticePeriodNs(RoccReactionConfig configuration) {
        return configuration.periodNs();
    }

    @Override
    public String atSwitches() {
        return "{rocc: {}}";
    }

    @Override
    public RateControl control(RoccReactionConfig configuration) {
        return new RoccReaction(configuration.delayNs(), configuration.recoveryNs());
    }
}
