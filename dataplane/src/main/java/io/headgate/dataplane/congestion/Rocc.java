package io.headgate.dataplane.congestion;

import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/** RoCC's congestion point, which sends fair rates from the switch; see {@link RoccPoint}. */
public final class Rocc implements CongestionMechanism<RoccConfig> {
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
