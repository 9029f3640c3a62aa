package io.headgate.testbed.traffic;

/**
 * What is known of a flow at one time. Lengths are of frames without FCS; times in ps, {@link
 * Flow#NOT_YET} for what has not happened.
 *
 * @param framesSent handed to the network card, those sent again included
 * @param framesReceived that the receiving application took
 * @param framesMissing gaps: frames that later ones have overtaken or that are lost
 * @param framesReordered datagrams that came after a later one
 * @param framesDuplicate frames that came though they had come already (windowed flows)
 * @param framesDiscarded frames out of order, not taken and sent again (windowed flows)
 * @param framesCe taken that carried the mark CE
 * @param framesUe taken that carried the mark of an undetermined port (TCD)
 * @param acknowledgedCe acknowledgements that said CE, and {@code acknowledgedUe} undetermined
 * @param timeouts times that the retransmission timer ran out
 * @param rewinds times that the receiver asked for a missing frame
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
