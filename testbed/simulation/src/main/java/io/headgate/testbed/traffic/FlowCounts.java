package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.TrafficHeader;
import org.jspecify.annotations.Nullable;

/**
 * A group's counters in one part of a run: frames sent by its sending hosts and received by its
 * receiving hosts. Owned by the part; the group adds up the counters of all parts.
 */
final class FlowCounts {
    // Those that only a flow's or a message's beginning or end changes come first, so that what
    // frames change is not in a cache line with another object of another part.
    long messages;
    long messageBytes;
    long messageSumNs;
    long messageMaxNs;
    long packetsRepeated;
    long flowsStarted;
    long flowsFinished;
    long framesUntaken;
    long frameBytesUntaken;

    long framesSent;
    long framesReceived;
    long frameBytesReceived;
    long delaySumPs;
    long delayMaxPs;
    long framesCe;
    long framesUe;

    // Null unless they are recorded; the second is of what receivers did not take.
    private @Nullable ThroughputSeries received;
    private @Nullable ThroughputSeries untaken;
    private @Nullable MarkSeries marks;

    void recordThroughput(ThroughputSeries ofTaken, ThroughputSeries ofUntaken) {
        received = ofTaken;
        untaken = ofUntaken;
    }

    boolean recordsThroughput() {
        return received != null;
    }

    void recordMarks(MarkSeries series) {
        marks = series;
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
    }

    /**
     * Counts a frame that its receiver did not take, because it had come before or an earlier one
     * is missing. The network still carried it. Arguments as in {@link #arrived}.
     */
    void thrownAway(long onWirePs, long offWirePs, int frameBytes) {
        framesUntaken++;
        frameBytesUntaken += frameBytes;
        if (untaken != null) {
            untaken.spread(onWirePs, offWirePs, frameBytes);
        }
    }

    /** Counts a message that is completely acknowledged. */
    void completed(long nowNs, long bytes, long startedNs) {
        messages++;
        messageBytes += bytes;
        messageSumNs += nowNs - startedNs;
        messageMaxNs = Math.max(messageMaxNs, nowNs - startedNs);
    }
}
