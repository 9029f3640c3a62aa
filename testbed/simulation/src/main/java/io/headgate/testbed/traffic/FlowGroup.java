package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.TrafficHeader;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Flows that are counted together: those of one name. Its sums are exact at every moment; series
 * and histogram are kept where they were asked for before the run.
 */
public final class FlowGroup {
    /** Longest delay that the histogram tells from longer ones: 1,000 s. */
    private static final long MAX_DELAY_NS = 1_000_000_000_000L;

    private static final int SIGNIFICANT_DIGITS = 3;

    private final String name;
    private @Nullable ThroughputSeries received;

    // Made when the first frame comes that its receiver does not take: most flows have none.
    private @Nullable ThroughputSeries untaken;
    private @Nullable Histogram delays;
    private @Nullable MarkSeries marks;

    long flowsStarted;
    long flowsFinished;
    long framesSent;
    long framesReceived;
    long frameBytesReceived;
    long framesCe;
    long framesUe;
    long delaySumPs;
    long delayMaxPs;
    long messages;
    long messageBytes;
    long messageSumNs;
    long messageMaxNs;
    long packetsRepeated;
    long framesUntaken;
    long frameBytesUntaken;

    FlowGroup(String name) {
        this.name = name;
    }

    /** Keeps the bytes received by intervals of that length, in ps. */
    public ThroughputSeries recordThroughput(long intervalPs) {
        ThroughputSeries series = new ThroughputSeries(intervalPs);
        received = series;
        return series;
    }

    boolean recordsThroughput() {
        return received != null;
    }

    /** Keeps the frames received by intervals of that length, in ps, and how they were marked. */
    public MarkSeries recordMarks(long intervalPs) {
        MarkSeries series = new MarkSeries(intervalPs);
        marks = series;
        return series;
    }

    /** Keeps the delays of frames, in ns, from when they were due to when they arrived. */
    public Histogram recordDelays() {
        Histogram histogram = new Histogram(MAX_DELAY_NS, SIGNIFICANT_DIGITS);
        delays = histogram;
        return histogram;
    }

    /**
     * @param onWirePs when the frame began to occupy the receiver's link
     * @param offWirePs when it no longer did
     * @param mark as in an acknowledgement; 0: none
     */
    void arrived(
            long nowPs, long onWirePs, long offWirePs, int frameBytes, long delayPs, int mark) {
        framesReceived++;
        frameBytesReceived += frameBytes;
        delaySumPs += delayPs;
        delayMaxPs = Math.max(delayMaxPs, delayPs);
        if (received != null) {
            received.spread(onWirePs, offWirePs, frameBytes);
        }
        if (mark != 0) {
            if (mark == TrafficHeader.MARKED_CE) {
                framesCe++;
            } else {
                framesUe++;
            }
        }
        if (marks != null) {
            marks.add(nowPs, mark);
        }
        if (delays != null) {
            delays.recordValue(Math.min(delayPs / 1000, MAX_DELAY_NS));
        }
    }

    /**
     * A frame came that its receiver did not take: it had come before, or another is missing before
     * it. The network carried it all the same. Arguments as of {@link #arrived}.
     */
    void thrownAway(long onWirePs, long offWirePs, int frameBytes) {
        framesUntaken++;
        frameBytesUntaken += frameBytes;
        ThroughputSeries taken = received;
        if (taken != null) {
            ThroughputSeries own = untaken;
            if (own == null) {
                own = new ThroughputSeries(taken.intervalPs());
                untaken = own;
            }
            own.spread(onWirePs, offWirePs, frameBytes);
        }
    }

    /** A message is acknowledged whole. */
    void completed(long nowNs, long bytes, long startedNs) {
        messages++;
        messageBytes += bytes;
        messageSumNs += nowNs - startedNs;
        messageMaxNs = Math.max(messageMaxNs, nowNs - startedNs);
    }

    public String name() {
        return name;
    }

    public long flowsStarted() {
        return flowsStarted;
    }

    /** Flows that have arrived whole. */
    public long flowsFinished() {
        return flowsFinished;
    }

    /** Frames handed to network cards. */
    public long framesSent() {
        return framesSent;
    }

    /** Frames that the receiving applications took. */
    public long framesReceived() {
        return framesReceived;
    }

    /** Frames that came to receivers, whether these took them or not. */
    public long framesCarried() {
        return framesReceived + framesUntaken;
    }

    /** Their lengths without FCS. */
    public long frameBytesCarried() {
        return frameBytesReceived + frameBytesUntaken;
    }

    /**
     * Bytes that receivers threw away, by intervals; null if there were none or they are not
     * recorded.
     */
    public @Nullable ThroughputSeries untaken() {
        return untaken;
    }

    /** Lengths of the frames taken, without FCS. */
    public long frameBytesReceived() {
        return frameBytesReceived;
    }

    /** Frames taken that carried the mark CE. */
    public long framesCe() {
        return framesCe;
    }

    /** Frames taken that carried the mark of an undetermined port (TCD). */
    public long framesUe() {
        return framesUe;
    }

    /** Sum over the frames taken of the time from when they were due to their arrival, in ps. */
    public long delaySumPs() {
        return delaySumPs;
    }

    /** The largest of these times, in ps. */
    public long delayMaxPs() {
        return delayMaxPs;
    }

    /** Messages on reliable connections that are acknowledged whole. */
    public long messages() {
        return messages;
    }

    /** Their payload. */
    public long messageBytes() {
        return messageBytes;
    }

    /** Mean time from a message's first packet to its acknowledgement, in ns; NaN without any. */
    public double messageMeanNs() {
        return (double) messageSumNs / messages;
    }

    /** The longest such time, in ns. */
    public long messageMaxNs() {
        return messageMaxNs;
    }

    /** Packets of messages that were sent again. */
    public long packetsRepeated() {
        return packetsRepeated;
    }
}
