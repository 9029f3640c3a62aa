package io.headgate.dataplane.congestion;

import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/** RoCC's congestion point: fair rates from the switch; see {@link RoccPoint}. */
public final class Rocc implements CongestionMechanism<RoccConfig> {
    @Override
    public String name() {
        return "rocc";
    }

    @Override
    public String says() {
        return "Tells the sources of flows in a queue the rate that is fair to all, so that the"
                + " queue keeps a reference length (RoCC, CoNEXT 2020). Hosts follow it with"
                + " control: rocc.";
    }

    @Override
    public Class<RoccConfig> configuration() {
        return RoccConfig.class;
    }

    @Override
    public List<CounterText> counters() {
        return RoccPoint.COUNTERS;
    }

    @Override
    public int notices(RoccConfig configuration) {
        return configuration.flows();
    }

    @Override
    public CongestionPoint point(RoccConfig configuration, CongestionSetup setup) {
        return new RoccPoint(configuration, setup);
    }
}
