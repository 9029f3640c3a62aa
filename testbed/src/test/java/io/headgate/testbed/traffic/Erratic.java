package io.headgate.testbed.traffic;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.Sample;

/** A control whose rate, window and times jump at random whenever it is called. */
public final class Erratic implements RateControlMechanism<Erratic.Configuration> {
    /**
     * How.
     *
     * @param seed of its jumps
     */
    public record Configuration(
            @Key(min = "1", max = "1000000", absent = "1") @Says("The seed of its jumps.")
                    int seed) {}

    @Override
    public String name() {
        return "erratic";
    }

    @Override
    public String says() {
        return "Jumps at random whenever it is called.";
    }

    @Override
    public Class<Configuration> configuration() {
        return Configuration.class;
    }

    @Override
    public boolean needsEcho() {
        return true;
    }

    @Override
    public RateControl control(Configuration configuration) {
        return new Jumps(NamedRandom.of(configuration.seed(), "erratic", "jumps"));
    }

    private static final class Jumps implements RateControl {
        private static final int LEAST_SHARE_BITS = 10;
        private static final int LONGEST_NS = 100_000;

        private final NamedRandom random;
        private int frameBytes;
        private long lineBps;
        private long rateBps;
        private long windowBytes;
        private long dueNs;

        Jumps(NamedRandom random) {
            this.random = random;
        }

        private void jump(long nowNs) {
            rateBps = lineBps >> random.nextInt(LEAST_SHARE_BITS);
            windowBytes =
                    switch (random.nextInt(4)) {
                        case 0 -> 0;
                        case 1 -> NO_WINDOW;
                        default -> random.nextInt(20) * (long) frameBytes;
                    };
            dueNs =
                    random.nextInt(3) == 0
                            ? Long.MAX_VALUE
                            : nowNs + 1 + random.nextInt(LONGEST_NS);
        }

        @Override
        public void begin(long nowNs, long lineRateBps, int largestFrameBytes) {
            lineBps = lineRateBps;
            frameBytes = largestFrameBytes;
            jump(nowNs);
        }

        @Override
        public void sent(long nowNs, int wireBytes) {
            jump(nowNs);
        }

        @Override
        public void acknowledged(long nowNs, Sample sample) {
            jump(nowNs);
        }

        @Override
        public void lost(long nowNs) {
            jump(nowNs);
        }

        @Override
        public int tick(long nowNs) {
            jump(nowNs);
            return 1;
        }

        @Override
        public long deadlineNs() {
            return dueNs;
        }

        @Override
        public long rateBps() {
            return rateBps;
        }

        @Override
        public long windowBytes() {
            return windowBytes;
        }
    }
}
