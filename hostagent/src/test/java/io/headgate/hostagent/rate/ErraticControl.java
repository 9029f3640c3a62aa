package io.headgate.hostagent.rate;

import io.headgate.dataplane.random.NamedRandom;

/** Rate, window and times jump at random at each call: nothing that it says can be relied on. */
public class ErraticControl implements RateControl {
    private static final int LEAST_SHARE_BITS = 10;
    private static final int MOST_WINDOW_FRAMES = 20;
    private static final int LONGEST_NS = 100_000;

    private final NamedRandom random;
    private int frameBytes;
    private long lineBps;
    private long rateBps;
    private long windowBytes;
    private long dueNs;

    public ErraticControl(NamedRandom random) {
        this.random = random;
    }

    private void jump(long earliestNs) {
        rateBps = Math.max(1, lineBps >> random.nextInt(LEAST_SHARE_BITS));
        windowBytes =
                switch (random.nextInt(4)) {
                    case 0 -> 0;
                    case 1 -> NO_WINDOW;
                    default -> random.nextInt(MOST_WINDOW_FRAMES) * (long) frameBytes;
                };
        dueNs =
                switch (random.nextInt(4)) {
                    case 0 -> Long.MAX_VALUE;
                    case 1 -> earliestNs;
                    default -> earliestNs + random.nextInt(LONGEST_NS);
                };
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
        jump(nowNs + 1);
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
