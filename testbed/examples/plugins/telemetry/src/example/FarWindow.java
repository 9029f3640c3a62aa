package example;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.Sample;

/** Halves a flow's window, once a round trip, while the longest queue on its way is too long. */
public final class FarWindow implements RateControlMechanism<FarWindowConfig> {
    @Override
    public String name() {
        return "far-window";
    }

    @Override
    public String says() {
        return "A window that goes by the queues of which acknowledgements tell.";
    }

    @Override
    public Class<FarWindowConfig> configuration() {
        return FarWindowConfig.class;
    }

    @Override
    public int ackEvery(FarWindowConfig configuration) {
        return 1;
    }

    @Override
    public RateControl control(FarWindowConfig configuration) {
        return new Flow(configuration.limitBytes());
    }

    private static final class Flow implements RateControl {
        private final long limitBytes;
        private long lineBps;
        private double windowBytes;
        private double frameBytes;
        private long heldUntilBytes;

        Flow(long limitBytes) {
            this.limitBytes = limitBytes;
        }

        @Override
        public void begin(long nowNs, long lineRateBps, int largestFrameBytes) {
            lineBps = lineRateBps;
            frameBytes = largestFrameBytes;
            windowBytes = 16 * frameBytes;
        }

        @Override
        public void acknowledged(long nowNs, Sample sample) {
            long longest = 0;
            for (int hop = 0; hop < sample.hops(); hop++) {
                longest = Math.max(longest, sample.queueBytes(hop));
            }
            if (longest <= limitBytes) {
                windowBytes += sample.hops() == 0 ? 0 : frameBytes * frameBytes / windowBytes;
            } else if (sample.ackedBytes() >= heldUntilBytes) {
                windowBytes = Math.max(windowBytes / 2, frameBytes);
                heldUntilBytes = sample.sentBytes();
            }
        }

        @Override
        public long rateBps() {
            return lineBps;
        }

        @Override
        public long windowBytes() {
            return (long) windowBytes;
        }
    }
}
