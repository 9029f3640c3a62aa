package io.headgate.dataplane.congestion;

import io.headgate.dataplane.counter.CounterText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** InfiniBand's FECN marking at the roots of congestion; see {@link FecnDetector}. */
public final class Fecn implements CongestionMechanism<FecnConfig> {
    @Override
    public List<CounterText> counters() {
        return MarkingPoint.COUNTERS;
    }

    @Override
    public CongestionPoint point(FecnConfig configuration, CongestionSetup setup) {
        @Nullable Detector[] detectors =
                MarkingPoint.detectors(
                        configuration.priorities(),
                        priority ->
                                new FecnDetector(
                                        configuration.thresholdBytes(),
                                        configuration.victimMask(),
                                        priority,
                                        setup.queues(),
                                        setup.stops(),
                                        setup.mtuBytes()));
        int before = MarkingPoint.COUNTERS.size();
        return new MarkingPoint(setup, detectors, configuration.field(), before, null);
    }
}
