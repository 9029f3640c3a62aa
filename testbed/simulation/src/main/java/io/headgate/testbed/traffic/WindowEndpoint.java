package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.TrafficHeader;

/**
 * A minimal transport that recovers lost frames: a window of frames, cumulative acknowledgements,
 * and retransmission from the first missing frame (go-back-N).
 *
 * <p>The receiver takes frames only in order. It acknowledges each with the number of the next
 * frame that it expects and the marks that came. At the first frame out of order it reports once
 * that a frame is missing, and is then silent until that frame has come. The sender goes back after
 * such a report, and if nothing new was acknowledged within the time-out. Acknowledgements that
 * wait for the network card are merged; no mark is lost.
 */
final class WindowEndpoint {
    private static final long PS_PER_NS = 1000;

    private WindowEndpoint() {}

    /**
     * Processes a data frame at the receiver.
     *
     * @param marks marks of {@link TrafficHeader} that it carried
     * @return whether it is the expected frame, and taken
     */
    static boolean onData(
            Flow flow, FlowScheduler receiver, long sequence, int marks, long timePs) {
        if (sequence > flow.expectedFrame) {
            flow.framesDiscarded++;
            flow.ackFlags |= marks;
            if (!flow.complained) {
                flow.complained = true;
                flow.ackFlags |= TrafficHeader.MISSING;
                flow.ackTimePs = timePs;
                acknowledge(flow, receiver);
            }
            return false;
        }
        flow.ackFlags |= marks;
        flow.ackTimePs = timePs;
        boolean taken = sequence == flow.expectedFrame;
        if (taken) {
            flow.expectedFrame++;
            flow.complained = false;
            flow.ackFlags &= ~TrafficHeader.MISSING;
        } else {
            flow.framesDuplicate++;
        }
        acknowledge(flow, receiver);
        return taken;
    }

    private static void acknowledge(Flow flow, FlowScheduler receiver) {
        Flow.Acknowledging outOfBand = flow.outOfBand;
        if (outOfBand == null) {
            receiver.acknowledge(flow);
        } else {
            outOfBand.acknowledge(flow.expectedFrame, flow.ackFlags, flow.ackTimePs);
            flow.ackFlags = 0;
        }
    }

    /**
     * Processes an acknowledgement at the sender.
     *
     * @param sequence the frame that the receiver expects
     * @param untilPs frames that are due by then may be sent
     */
    static void onAck(
            Flow flow,
            FlowScheduler sender,
            long sequence,
            int flags,
            long roundTripPs,
            long nowPs,
            long untilPs) {
        boolean isNew = sequence > flow.acknowledgedFrames;
        flow.countAnswer(flags, isNew ? roundTripPs : Flow.NOT_YET);
        if (isNew) {
            flow.acknowledgedFrames = sequence;
            flow.nextFrame = Math.max(flow.nextFrame, sequence);
            sender.stopTimer(flow);
            if (flow.nextFrame > sequence) {
                sender.startTimer(flow, nowPs);
            }
        }
        flow.tellAcknowledged(nowPs, flags, roundTripPs / PS_PER_NS);
        if ((flags & TrafficHeader.MISSING) != 0
                && sequence == flow.acknowledgedFrames
                && sequence < flow.nextFrame) {
            flow.rewinds++;
            flow.tellLost(nowPs);
            sender.stopTimer(flow);
            flow.rewind(sequence);
        }
        sender.resume(flow, untilPs);
    }
}
