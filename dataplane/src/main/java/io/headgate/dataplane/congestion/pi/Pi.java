package io.headgate.dataplane.congestion.pi;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.MarkingPoint;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/**
 * Marking with a probability that a PI controller sets, so that queues stay at a reference; see
 * {@link PiDetector}.
 */
public final class Pi implements CongestionMechanism<PiConfig> {
    @Override
    public boolean takesSegmentsWhole(Mechanisms.Use use) {
        return true;
    }

    @Override
    public List<CounterText> counters() {
        return MarkingPoint.COUNTERS;
    }

    @Override
    public CongestionPoint point(PiConfig configuration, CongestionSetup setup) {
        return new MarkingPoint(
                setup,
                MarkingPoint.detectors(
                        configuration.priorities(),
                        _ -> new PiDetector(configuration, setup.random())));
    }
}
