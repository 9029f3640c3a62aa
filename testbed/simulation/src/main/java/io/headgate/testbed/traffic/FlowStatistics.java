package io.headgate.testbed.traffic;

/**
 * A snapshot of a flow's statistics. Lengths are those of frames without FCS; times are in ps,
 * {@link Flow#NOT_YET} for events that have not happened.
 *
 * @param framesSent frames handed to the network card, retransmissions included
 * @param framesReceived frames that the receiving application took
 * @param framesMissing gaps: frames that later ones have overtaken or that are lost
 * @param framesReordered datagrams that came after a later one
 * @param framesDuplicate frames that had already arrived (windowed flows)
 * @param framesDiscarded frames that arrived out of order, were not taken and were sent again
 *     (windowed flows)
 * @param framesCe taken frames with the mark CE
 * @param framesUe taken frames with the mark of an undetermined port (TCD)
 * @param acknowledgedCe acknowledgements that reported CE; {@code acknowledgedUe}: undetermined
 * @param timeouts number of times that the retransmission timer ran out
 * @param rewinds number of times that the receiver asked for a missing frame
 * @param delayMeanNs from when a frame was due to its arrival; not a number without frames
 * @param roundTripMeanNs from when a frame was due to its acknowledgement; not a number without
 */
public record FlowStatistics(
        String group,
        long framesSent,
        long framesReceived,
        long frameBytesReceived,
        long framesMissing,
        long framesReordered,
        long framesDuplicate,
        long framesDiscarded,
        long framesCe,
        long framesUe,
        long acknowledgedCe,
        long acknowledgedUe,
        long timeouts,
        long rewinds,
        long firstArrivalPs,
        long lastArrivalPs,
        long acknowledgedPs,
        double delayMeanNs,
        long delayMaxPs,
        double roundTripMeanNs,
        long roundTripMaxPs) {

    /** Frames sent that have not arrived; lost, if the run is at rest. */
    public long framesNotArrived() {
        return framesSent - framesReceived - framesDuplicate - framesDiscarded;
    }
}
