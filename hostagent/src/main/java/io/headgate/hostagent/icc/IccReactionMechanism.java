package io.headgate.hostagent.icc;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** Hosts that follow what ports say in acknowledgements; see {@link IccReaction}. */
public final class IccReactionMechanism implements RateControlMechanism<IccReactionConfig> {
    @Override
    public String name() {
        return "icc";
    }

    @Override
    public String says() {
        return "Each flow sends at the rate that follows from the queue, its growth and the load of"
                + " the most congested port on its way (ICC, Wang et al., 2023): ports have it with"
                + " congestion: {icc: {}}, flows need transport: rocev2.";
    }

    @Override
    public Class<IccReactionConfig> configuration() {
        return IccReactionConfig.class;
    }

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
