package io.headgate.hostagent.rate;

/** The mechanism of hosts that follow fair rates; see {@link RoccReaction}. */
public final class RoccReactionMechanism implements RateControlMechanism<RoccReactionConfig> {
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
