package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.FlowStatistics;
import io.headgate.testbed.traffic.Traffic;

/**
 * The statistics of all flows of one name. Lengths are those of frames without FCS, times are
 * scaled back. The times at which flows finished are in series: {@link
 * io.headgate.testbed.scenario.Flows}.
 *
 * @param framesReceived frames that receivers took; with a transport each once and in order
 * @param framesCarried frames that arrived at receivers, including discarded ones
 * @param meanDelayUs mean time from when a frame was due to its arrival; NaN without frames
 * @param framesMarked frames that arrived with the mark "congestion experienced"
 * @param framesUndetermined frames that arrived with the mark "undetermined" (TCD)
 * @param fairness Jain's index of the amounts that arrived of each single flow (not of a source),
 *     from one over their number to 1; NaN if there are no such flows
 * @param flowsWaiting single flows that had not begun when the run ended
 * @param framesReordered frames of single flows that came after a later one
 * @param messages on reliable connections that were completely acknowledged
 * @param messageBytes their payload
 * @param messageMeanUs mean time from a message's first packet to its acknowledgement; NaN without
 *     messages
 * @param packetsRepeated packets of messages that were sent again
 */
public record GroupFacts(
        String name,
        long framesSent,
        long framesReceived,
        long frameBytesReceived,
        long framesCarried,
        long frameBytesCarried,
        double meanDelayUs,
        double maxDelayUs,
        long framesMarked,
        long framesUndetermined,
        double fairness,
        long flowsWaiting,
        long framesReordered,
        long messages,
        long messageBytes,
        double messageMeanUs,
        double messageMaxUs,
        long packetsRepeated) {
    private static final double PS_PER_US = 1e6;
    private static final double NS_PER_US = 1e3;

    /**
     * @param endPs end of the run in its own time
     * @param scale factor by which the bed was slower than described
     */
    public static GroupFacts of(Traffic traffic, FlowGroup group, long endPs, double scale) {
        long reordered = 0;
        long waiting = 0;
        for (Flow flow : traffic.flows()) {
            waiting += flow.group() == group && !flow.hasBegun(endPs) ? 1 : 0;
            FlowStatistics seen = flow.statistics();
            reordered += seen.group().equals(group.name()) ? seen.framesReordered() : 0;
        }
        return new GroupFacts(
                group.name(),
                group.framesSent(),
                group.framesReceived(),
                group.frameBytesReceived(),
                group.framesCarried(),
                group.frameBytesCarried(),
                group.delaySumPs() / PS_PER_US / group.framesReceived() / scale,
                group.delayMaxPs() / PS_PER_US / scale,
                group.framesCe(),
                group.framesUe(),
                fairness(traffic, group),
                waiting,
                reordered,
                group.messages(),
                group.messageBytes(),
                group.messageMeanNs() / NS_PER_US / scale,
                group.messageMaxNs() / NS_PER_US / scale,
                group.packetsRepeated());
    }

    /**
     * Jain, Chiu and Hawe, "A Quantitative Measure of Fairness and Discrimination for Resource
     * Allocation in Shared Computer Systems", DEC TR-301, 1984.
     */
    private static double fairness(Traffic traffic, FlowGroup group) {
        double sum = 0;
        double squares = 0;
        int flows = 0;
        for (Flow flow : traffic.flows()) {
            if (flow.group() == group) {
                double bytes = flow.statistics().frameBytesReceived();
                sum += bytes;
                squares += bytes * bytes;
                flows++;
            }
        }
        return sum * sum / (flows * squares);
    }
}
