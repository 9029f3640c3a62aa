package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.traffic.CompletionTimes;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.FlowStatistics;
import io.headgate.testbed.traffic.Traffic;

/**
 * What became of the flows of a name. Lengths are of frames without FCS, times scaled back.
 *
 * @param meanDelayUs from when a frame was due to its arrival; not a number without frames
 * @param framesReordered of flows that were given one by one; frames that came after a later one
 * @param completionMeanUs from a flow's beginning to its last byte's arrival; not a number without
 *     complete flows
 */
public record GroupFacts(
        String name,
        long framesSent,
        long frameBytesSent,
        long framesReceived,
        long frameBytesReceived,
        double meanDelayUs,
        double maxDelayUs,
        long framesReordered,
        long flowsStarted,
        long flowsFinished,
        double completionMeanUs,
        double completionP99Us) {
    private static final double PS_PER_US = 1e6;
    private static final double NS_PER_US = 1e3;

    static GroupFacts of(Traffic traffic, FlowGroup group, double scale) {
        CompletionTimes.SizeClass times = CompletionTimes.all(traffic.log(), group);
        long reordered = 0;
        for (Flow flow : traffic.flows()) {
            FlowStatistics seen = flow.statistics();
            reordered += seen.group().equals(group.name()) ? seen.framesReordered() : 0;
        }
        boolean complete = times.flows() > 0;
        return new GroupFacts(
                group.name(),
                group.framesSent(),
                group.frameBytesSent(),
                group.framesReceived(),
                group.frameBytesReceived(),
                group.delaySumPs() / PS_PER_US / group.framesReceived() / scale,
                group.delayMaxPs() / PS_PER_US / scale,
                reordered,
                group.flowsStarted(),
                group.flowsFinished(),
                complete ? times.meanNs() / NS_PER_US / scale : Double.NaN,
                complete ? times.timeNs(99) / NS_PER_US / scale : Double.NaN);
    }
}
