package io.headgate.hostagent.icc;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** Hosts that follow what ports say in acknowledgements; see {@link IccReaction}. */
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

    /** The paper's round trip. */
    @Override
    public String keysWhereSlowed() {
        return "{round-trip: 40us}";
    }

    @Override
    public RateControl control(IccReactionConfig configuration) {
        return new IccReaction(configuration);
    }
}
