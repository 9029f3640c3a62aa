package io.headgate.dataplane.congestion;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/** Random early detection (RED) that marks frames; see {@link RedDetector}. */
public final class Red implements CongestionMechanism<RedConfig> {
    @Override
    public boolean takesSegmentsWhole(Mechanisms.Use use) {
        return true;
    }

    @Override
    public List<CounterText> counters() {
        return MarkingPoint.COUNTERS;
    }

    @Override
    public CongestionPoint point(RedConfig configuration, CongestionSetup setup) {
        return new MarkingPoint(
                setup,
                MarkingPoint.detectors(
                        configuration.priorities(),
                        _ ->
                                new RedDetector(
                                        configuration.kminBytes(),
                                        configuration.kmaxBytes(),
                                        configuration.pmax(),
                                        configuration.weight(),
                                        setup.rateBps(),
                                        setup.random())));
    }
}
