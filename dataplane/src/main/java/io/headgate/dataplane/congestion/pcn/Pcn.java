package io.headgate.dataplane.congestion.pcn;

import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.MarkingPoint;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/** PCN's marking of frames that no pause has held (NP-ECN); see {@link PcnDetector}. */
public final class Pcn implements CongestionMechanism<PcnConfig> {
    @Override
    public List<CounterText> counters() {
        return MarkingPoint.COUNTERS;
    }

    @Override
    public CongestionPoint point(PcnConfig configuration, CongestionSetup setup) {
        return new MarkingPoint(
                setup,
                MarkingPoint.detectors(
                        configuration.priorities(),
                        _ -> new PcnDetector(configuration.thresholdBytes())));
    }
}
