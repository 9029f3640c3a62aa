package io.headgate.testbed.traffic;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.Sample;

/** A control whose rate, window and times jump at random whenever it is called. */
public final class Erratic implements RateControlMechanism<Erratic.Configuration> {
    /**
     * How.
     *
     * @param seed of its jumps
     * @param ackEvery packets of which one asks for an acknowledgement
     * @param packets whether receivers report marks by packets
     * @param jumps whether it does; otherwise a flow is as fast as its line
     */
    public record Configuration(
            @Key(min = "1", max = "1000000", absent = "1") @Says("The seed of its jumps.") int seed,
            @Key(min = "1", max = "64", absent = "16")
                    @Says("Packets of which one asks for an acknowledgement.")
                    int ackEvery,
            @Key(absent = "false") @Says("Receivers tell of marks by packets.") boolean packets,
            @Key(absent = "true") @Says("It does; otherwise it is as fast as the line.")
                    boolean jumps) {}

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
    public boolean needsMarks() {
        return true;
    }

    @Override
    public boolean readsFecn() {
        return true;
    }

    @Override
    public long noticePeriodNs(Configuration configuration) {
        return configuration.packets() ? 1_000 : 0;
    }

    @Override
    public int ackEvery(Configuration configuration) {
        return configuration.ackEvery();
    }

    @Override
    public NotificationPoint notificationPoint(Configuration configuration) {
        return configuration.packets() ? new ByPackets() : NotificationPoint.ECHO;
    }

    @Override
    public RateControl control(Configuration configuration) {
        return configuration.jumps()
                ? new Jumps(NamedRandom.of(configuration.seed(), "erratic", "jumps"))
                : new Steady();
    }

    private static final class ByPackets implements NotificationPoint {
        @Override
        public int arrived(long nowNs, int marks, int wireBytes) {
            return marks;
        }

        @Override
        public boolean sendsPackets() {
            return true;
        }
    }

    private static final class Steady implements RateControl {
        private long lineBps;

        @Override
        public void begin(long nowNs, long lineRateBps, int frameBytes) {
            lineBps = lineRateBps;
        }

        @Override
        public long rateBps() {
            return lineBps;
        }
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
        public boolean notified(long nowNs, int kind, long origin, long value) {
            jump(nowNs);
            return true;
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
