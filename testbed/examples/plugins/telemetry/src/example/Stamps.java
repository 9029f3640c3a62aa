package example;

import io.headgate.config.FrameGrowth;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Sink;
import java.util.List;

/** Ports write into RoCEv2's packets what waits where they came from; hosts' cards take it off. */
public final class Stamps
        implements CongestionMechanism<StampsConfig>, FrameGrowth.Grower<StampsConfig> {
    @Override
    public List<CounterText> counters() {
        return List.of(CounterText.total("written", "frames", "frames written into"));
    }

    @Override
    public int growsBytes(StampsConfig configuration) {
        return Stamp.SHIM_BYTES + configuration.hops() * Stamp.BYTES;
    }

    @Override
    public Sink sink(StampsConfig configuration) {
        return new StampSink();
    }

    @Override
    public int boardWords() {
        return 1;
    }

    @Override
    public CongestionPoint point(StampsConfig configuration, CongestionSetup setup) {
        return new StampPoint(setup, configuration);
    }
}
