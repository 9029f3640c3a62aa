package io.headgate.dataplane.congestion;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ternary congestion detection (TCD), with pauses and with credits; see {@link TcdDetector}. */
public final class Tcd implements CongestionMechanism<TcdConfig> {
    @Override
    public boolean takesSegmentsWhole(Mechanisms.Use use) {
        return true;
    }

    @Override
    public List<CounterText> counters() {
        List<CounterText> texts = new ArrayList<>(MarkingPoint.TERNARY_COUNTERS);
        texts.addAll(TcdDetector.COUNTERS);
        return texts;
    }

    @Override
    public CongestionPoint point(TcdConfig configuration, CongestionSetup setup) {
        @Nullable Detector[] detectors = new Detector[PRIORITIES];
        for (int priority : configuration.priorities()) {
            RedDetector length =
                    new RedDetector(
                            configuration.kminBytes(),
                            configuration.kmaxBytes(),
                            configuration.pmax(),
                            1,
                            setup.rateBps(),
                            setup.random());
            // The trend's period is max(Ton), as section 4.3 recommends.
            detectors[priority] =
                    new TcdDetector(
                            length,
                            configuration.maxOnNs(),
                            new QueueTrend(configuration.trend(), configuration.maxOnNs()),
                            configuration.lowBytes(),
                            setup.mtuBytes());
        }
        int before = MarkingPoint.TERNARY_COUNTERS.size();
        return new MarkingPoint(setup, detectors, configuration.field(), before, null);
    }
}
