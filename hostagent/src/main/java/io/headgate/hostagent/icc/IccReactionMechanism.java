package io.headgate.hostagent.icc;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/**
 * The mechanism of hosts that follow the reports of ports in acknowledgements; see {@link
 * IccReaction}.
 */
public final class IccReactionMechanism implements RateControlMechanism<IccReactionConfig> {
    @Override
    public boolean needsConnections() {
        return true;
    }

    @Override
    public int ackEvery(IccReactionConfig configuration) {
        return 1;
    }

    @Override
    public String atSwitches() {
        return "{icc: {}}";
    }

    /** The round trip of the paper. */
    @Override
    public String keysWhereSlowed() {
        return "{round-trip: 40us}";
    }

    @Override
    public RateControl control(IccReactionConfig configuration) {
        return new IccReaction(configuration);
    }
}
