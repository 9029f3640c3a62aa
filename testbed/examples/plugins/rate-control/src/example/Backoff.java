package example;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** Halves a flow's rate at a notice; then it grows step by step, up to the line's. */
public final class Backoff implements RateControlMechanism<BackoffConfig> {
    /** Kind of the notices that it obeys. */
    private static final int KIND = 1;

    @Override
    public long noticePeriodNs(BackoffConfig configuration) {
        return configuration.periodNs();
    }

    @Override
    public RateControl control(BackoffConfig configuration) {
        return new Flow(configuration);
    }

    private static final class Flow implements RateControl {
        private final BackoffConfig configuration;
        private long lineBps;
        private long rateBps;
        private long dueNs = Long.MAX_VALUE;

        Flow(BackoffConfig configuration) {
            this.configuration = configuration;
        }

        @Override
        public void begin(long nowNs, long lineRateBps, int frameBytes) {
            lineBps = lineRateBps;
            rateBps = lineRateBps;
        }

        @Override
        public boolean notified(long nowNs, int kind, long origin, long value) {
            if (kind != KIND) {
                return false;
            }
            rateBps = Math.max(rateBps / 2, Math.min(lineBps, configuration.stepBps()));
            dueNs = nowNs + configuration.periodNs();
            return true;
        }

        @Override
        public int tick(long nowNs) {
            rateBps = Math.min(rateBps + configuration.stepBps(), lineBps);
            dueNs = rateBps == lineBps ? Long.MAX_VALUE : nowNs + configuration.periodNs();
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
    }
}
