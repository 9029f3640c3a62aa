package io.headgate.testbed.scenario.compare;

import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import java.util.List;

/**
 * Makes flows that obey one control: reliable connections, in frames that any mark may be written
 * into.
 *
 * @param hostBps of the senders' links
 */
record Senders(Controller controller, long hostBps) {
    static final int MTU = 1_068;
    static final int FRAME_BYTES = MTU + 14;
    static final int PRIORITY = 3;
    private static final int DSCP = 26;
    private static final int WINDOW = 4_096;

    private static FrameShape shape() {
        return FrameShape.messages(
                        FRAME_BYTES,
                        new FrameShape.Messages(
                                Verb.SEND, FrameShape.Messages.DEFAULT_BYTES, false))
                .withPriority(PRIORITY, DSCP)
                .withEcn(FrameShape.ECT_0);
    }

    private SendPattern pattern() {
        return new SendPattern.Controlled(controller.use(hostBps));
    }

    /** One that sends this number of bytes, or without end. */
    FlowSpec flow(String name, int from, int to, long startPs, long bytes) {
        return new FlowSpec(
                name, from, to, startPs, Long.MAX_VALUE, bytes, pattern(), WINDOW, shape());
    }

    /** Flows to any of some hosts, at random times until a time. */
    ArrivalSpec arrivals(
            String name,
            int from,
            List<Integer> to,
            SizeDistribution sizes,
            double load,
            long untilPs) {
        return new ArrivalSpec(
                name,
                from,
                to,
                ArrivalProcess.Poisson.forLoad(sizes, hostBps, load),
                sizes,
                0,
                untilPs,
                pattern(),
                WINDOW,
                shape());
    }
}
