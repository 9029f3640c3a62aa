package io.headgate.testbed.traffic;

import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The flows of one name, counted together. The sums are exact while the run stands still; only
 * series requested before the run are kept.
 */
public final class FlowGroup {
    private final String name;

    // By part of the run: the first, which has all hosts unless there are several, and the others.
    private final FlowCounts first = new FlowCounts();
    private FlowCounts[] others = {};

    // All that was recorded, whatever the part.
    private @Nullable ThroughputSeries received;
    private @Nullable ThroughputSeries untaken;
    private @Nullable MarkSeries marks;

    FlowGroup(String name) {
        this.name = name;
    }

    /** Sets the number of parts of the run; called before it starts. */
    void part(int parts) {
        while (others.length < parts - 1) {
            others = Arrays.copyOf(others, others.length + 1);
            others[others.length - 1] = new FlowCounts();
            record(others[others.length - 1]);
        }
    }

    private void record(FlowCounts counts) {
        if (received != null && untaken != null) {
            counts.recordThroughput(received.part(), untaken.part());
        }
        if (marks != null) {
            counts.recordMarks(marks.part());
        }
    }

    FlowCounts of(int part) {
        return part == 0 ? first : others[part - 1];
    }

    private long sum(ToLongFunction<FlowCounts> what) {
        return what.applyAsLong(first) + Arrays.stream(others).mapToLong(what).sum();
    }

    private long most(ToLongFunction<FlowCounts> what) {
        return Math.max(
                what.applyAsLong(first), Arrays.stream(others).mapToLong(what).max().orElse(0));
    }

    /** Records the received bytes per interval of this length, in ps. */
    public ThroughputSeries recordThroughput(long intervalPs) {
        ThroughputSeries series = new ThroughputSeries(intervalPs);
        received = series;
        untaken = new ThroughputSeries(intervalPs);
        first.recordThroughput(series, untaken);
        Arrays.stream(others).forEach(this::record);
        return series;
    }

    /** Records the received frames and their marks per interval of this length, in ps. */
    public MarkSeries recordMarks(long intervalPs) {
        MarkSeries series = new MarkSeries(intervalPs);
        marks = series;
        first.recordMarks(series);
        Arrays.stream(others).forEach(this::record);
        return series;
    }

    public String name() {
        return name;
    }

    public long flowsStarted() {
        return sum(counts -> counts.flowsStarted);
    }

    /** Flows that have arrived completely. */
    public long flowsFinished() {
        return sum(counts -> counts.flowsFinished);
    }

    /** Frames handed to network cards. */
    public long framesSent() {
        return sum(counts -> counts.framesSent);
    }

    /** Frames that the receiving applications took. */
    public long framesReceived() {
        return sum(counts -> counts.framesReceived);
    }

    /** Frames that arrived at receivers, whether these took them or not. */
    public long framesCarried() {
        return framesReceived() + sum(counts -> counts.framesUntaken);
    }

    /** Sum of these frames' lengths without FCS. */
    public long frameBytesCarried() {
        return frameBytesReceived() + sum(counts -> counts.frameBytesUntaken);
    }

    /**
     * Bytes that receivers discarded, per interval; null if there were none or they are not
     * recorded.
     */
    public @Nullable ThroughputSeries untaken() {
        return untaken == null || untaken.intervals() == 0 ? null : untaken;
    }

    /** Sum of the taken frames' lengths without FCS. */
    public long frameBytesReceived() {
        return sum(counts -> counts.frameBytesReceived);
    }

    /** Frames taken that carried the mark CE. */
    public long framesCe() {
        return sum(counts -> counts.framesCe);
    }

    /** Frames taken that carried the mark of an undetermined port (TCD). */
    public long framesUe() {
        return sum(counts -> counts.framesUe);
    }

    /** Sum over the frames taken of the time from when they were due to their arrival, in ps. */
    public long delaySumPs() {
        return sum(counts -> counts.delaySumPs);
    }

    /** The largest of these times, in ps. */
    public long delayMaxPs() {
        return most(counts -> counts.delayMaxPs);
    }

    /** Messages on reliable connections that are completely acknowledged. */
    public long messages() {
        return sum(counts -> counts.messages);
    }

    /** Their payload. */
    public long messageBytes() {
        return sum(counts -> counts.messageBytes);
    }

    /** Mean time from a message's first packet to its acknowledgement, in ns; NaN without any. */
    public double messageMeanNs() {
        return (double) sum(counts -> counts.messageSumNs) / messages();
    }

    /** The longest such time, in ns. */
    public long messageMaxNs() {
        return most(counts -> counts.messageMaxNs);
    }

    /** Packets of messages that were sent again. */
    public long packetsRepeated() {
        return sum(counts -> counts.packetsRepeated);
    }
}
