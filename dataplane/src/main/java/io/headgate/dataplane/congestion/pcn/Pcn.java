package io.headgate.dataplane.congestion.pcn;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Detector;
import io.headgate.dataplane.congestion.MarkingPoint;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Marking of frames that no pause has held (NP-ECN); see {@link PcnDetector}. */
public final class Pcn implements CongestionMechanism<PcnConfig> {
    @Override
    public List<CounterText> counters() {
        return MarkingPoint.COUNTERS;
    }

    @Override
    public CongestionPoint point(PcnConfig configuration, CongestionSetup setup) {
        @Nullable Detector[] detectors = new Detector[PRIORITIES];
        for (int priority : configuration.priorities()) {
            detectors[priority] = new PcnDetector(configuration.thresholdBytes());
        }
        return new MarkingPoint(setup, detectors);
    }
}
