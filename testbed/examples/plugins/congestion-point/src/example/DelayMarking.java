package example;

import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Detector;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.congestion.MarkingPoint;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.memory.Frame;
import java.util.List;

/** Marks a frame where what is queued behind it takes the link longer than a target. */
public final class DelayMarking implements CongestionMechanism<DelayMarkingConfig> {
    /** Kind of its notices, which carry no value. */
    static final int KIND = 1;

    private static final int PRIORITIES = 8;

    @Override
    public List<CounterText> counters() {
        return MarkingPoint.COUNTERS;
    }

    @Override
    public int notices(DelayMarkingConfig configuration) {
        return configuration.noticeNs() > 0 ? 1 : 0;
    }

    @Override
    public CongestionPoint point(DelayMarkingConfig configuration, CongestionSetup setup) {
        long limitBytes = configuration.targetNs() * setup.rateBps() / 8_000_000_000L;
        Detector[] detectors = new Detector[PRIORITIES];
        detectors[configuration.priority()] =
                (nowNs, bytes, behind) -> behind > limitBytes ? Mark.CONGESTION : Mark.NONE;
        long noticeNs = configuration.noticeNs();
        return new MarkingPoint(setup, detectors, noticeNs > 0 ? new Told(setup, noticeNs) : null);
    }

    /** Sends a notice about a frame, then none for a while. */
    private static final class Told implements MarkingPoint.Hook {
        private final CongestionSetup setup;
        private final long intervalNs;
        private long nextNs;

        Told(CongestionSetup setup, long intervalNs) {
            this.setup = setup;
            this.intervalNs = intervalNs;
        }

        @Override
        public void toMark(long nowNs, Frame frame) {
            long what = Notice.first(KIND, 0);
            long who = Notice.second(setup.port(), 0);
            if (nowNs >= nextNs && setup.notices().send(frame, what, who)) {
                nextNs = nowNs + intervalNs;
            }
        }
    }
}
