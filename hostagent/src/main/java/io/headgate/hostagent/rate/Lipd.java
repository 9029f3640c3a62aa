package io.headgate.hostagent.rate;

/** A rate by the delay between packets; see {@link LipdRate}. */
public final class Lipd implements RateControlMechanism<LipdConfig> {
    @Override
    public String name() {
        return "lipd";
    }

    @Override
    public String says() {
        return "A window of one packet, and a delay between packets that grows by a packet's time"
                + " with each mark (LIPD: Santos, Turner and Janakiraman, HPL-2002-4).";
    }

    @Override
    public Class<LipdConfig> configuration() {
        return LipdConfig.class;
    }

    @Override
    public boolean needsEcho() {
        return true;
    }

    @Override
    public RateControl control(LipdConfig configuration) {
        return new LipdRate(configuration.most());
    }
}
