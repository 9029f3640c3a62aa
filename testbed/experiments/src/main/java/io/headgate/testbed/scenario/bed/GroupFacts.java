package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.FlowStatistics;
import io.headgate.testbed.traffic.Traffic;

/**
 * What became of the flows of a name. Lengths are of frames without FCS, times scaled back. When
 * each flow finished is in series: {@link io.headgate.testbed.scenario.Flows}.
 *
 * @param framesReceived that receivers took, each once and in its order where there is a transport
 * @param framesCarried that came to receivers, those among them that they threw away
 * @param meanDelayUs from when a frame was due to its arrival; not a number without frames
 * @param framesMarked that arrived marked "congestion experienced"
 * @param framesUndetermined that arrived marked "undetermined" (TCD)
 * @param fairness Jain's index of what arrived of each flow that was given by itself, from one over
 *     their number to 1; not a number without any
 * @param flowsWaiting flows that were given one by one and had not begun when the run ended
 * @param framesReordered of flows that were given one by one; frames that came after a later one
 * @param messages on reliable connections, acknowledged whole
 * @param messageBytes their payload
 * @param messageMeanUs from a message's first packet to its acknowledgement; not a number without
 *     any
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
     * @param endPs of the run as it ran
     * @param scale by which the bed was slower than described
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
