package io.headgate.dataplane.icc;

import io.headgate.config.FrameGrowth;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Sink;
import java.util.List;

/**
 * The switch's part of ICC, congestion control by in-network telemetry; see {@link PortJudgement}
 * and {@link IccPoint}.
 */
public final class Icc implements CongestionMechanism<IccConfig>, FrameGrowth.Grower<IccConfig> {
    @Override
    public List<CounterText> counters() {
        return IccPoint.COUNTERS;
    }

    @Override
    public int boardWords() {
        return IccPoint.WORDS;
    }

    @Override
    public int growsBytes(IccConfig configuration) {
        return IccRecord.BYTES;
    }

    @Override
    public Sink sink(IccConfig configuration) {
        return new IccSink();
    }

    @Override
    public CongestionPoint point(IccConfig configuration, CongestionSetup setup) {
        return new IccPoint(configuration, setup);
    }
}
