package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.TrafficHeader;

/**
 * Frames that a group's receivers took in each interval, and how many of them carried each mark.
 */
public final class MarkSeries {
    private final ThroughputSeries frames;
    private final ThroughputSeries congested;
    private final ThroughputSeries undetermined;

    MarkSeries(long intervalPs) {
        // Each frame counts as one byte would.
        this(
                new ThroughputSeries(intervalPs),
                new ThroughputSeries(intervalPs),
                new ThroughputSeries(intervalPs));
    }

    private MarkSeries(
            ThroughputSeries frames, ThroughputSeries congested, ThroughputSeries undetermined) {
        this.frames = frames;
        this.congested = congested;
        this.undetermined = undetermined;
    }

    MarkSeries part() {
        return new MarkSeries(frames.part(), congested.part(), undetermined.part());
    }

    void add(long nowPs, int mark) {
        frames.add(nowPs, 1);
        if (mark == TrafficHeader.MARKED_CE) {
            congested.add(nowPs, 1);
        } else if (mark != 0) {
            undetermined.add(nowPs, 1);
        }
    }

    public long intervalPs() {
        return frames.intervalPs();
    }

    /** Frames that arrived in an interval. */
    public long frames(int interval) {
        return frames.bytes(interval);
    }

    /** Number of these frames with the mark "congestion experienced". */
    public long congested(int interval) {
        return congested.bytes(interval);
    }

    /** Number of these frames with the mark "undetermined". */
    public long undetermined(int interval) {
        return undetermined.bytes(interval);
    }
}
