package example;

import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Detector;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.congestion.MarkingPoint;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import java.util.List;

/** Marks as likely as a proportional-integral controller says, which looks at queues in periods. */
public final class PiMarking implements CongestionMechanism<PiMarkingConfig> {
    private static final int PRIORITIES = 8;

    @Override
    public List<CounterText> counters() {
        return MarkingPoint.COUNTERS;
    }

    @Override
    public CongestionPoint point(PiMarkingConfig configuration, CongestionSetup setup) {
        Detector[] detectors = new Detector[PRIORITIES];
        Arrays.setAll(detectors, queue -> new Controller(configuration, setup.random()));
        return new MarkingPoint(setup, detectors);
    }

    private static final class Controller implements Detector {
        private final PiMarkingConfig config;
        private final NamedRandom random;
        private double likely;
        private long beforeBytes;

        Controller(PiMarkingConfig config, NamedRandom random) {
            this.config = config;
            this.random = random;
        }

        @Override
        public int started(long nowNs, int frameBytes, long behindBytes) {
            return random.happens(likely) ? Mark.CONGESTION : Mark.NONE;
        }

        @Override
        public long periodNs() {
            return config.everyNs();
        }

        @Override
        public boolean tick(long nowNs, long queuedBytes, int queuedFrames) {
            double reference = config.referenceBytes();
            double excess = config.integral() * (queuedBytes / reference - 1);
            double growth = config.proportional() * (queuedBytes - beforeBytes) / reference;
            likely = Math.clamp(likely + excess + growth, 0, 1);
            beforeBytes = queuedBytes;
            return likely > 0;
        }
    }
}
