package io.headgate.dataplane.congestion;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Random early detection that marks; see {@link RedDetector}. */
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
        @Nullable Detector[] detectors = new Detector[PRIORITIES];
        for (int priority : configuration.priorities()) {
            detectors[priority] =
                    new RedDetector(
                            configuration.kminBytes(),
                            configuration.kmaxBytes(),
                            configuration.pmax(),
                            configuration.weight(),
                            setup.rateBps(),
                            setup.random());
        }
        return new MarkingPoint(setup, detectors);
    }
}
