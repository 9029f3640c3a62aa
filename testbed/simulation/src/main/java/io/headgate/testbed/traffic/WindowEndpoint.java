package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.TrafficHeader;

/**
 * The least transport that recovers what is lost: a window of frames, acknowledgements of all that
 * came in order, and going back to the first frame missing (go-back-N).
 *
 * <p>The receiver takes frames in order only. It acknowledges each that it takes with the number of
 * the one it expects and the marks that came; at the first frame out of order it says that one is
 * missing, once, and is then silent until that one has come. The sender goes back when told so, and
 * when nothing new was acknowledged for the time-out. Acknowledgements that wait for the network
 * card are merged, none of their marks lost.
 */
final class WindowEndpoint {
    private static final long PS_PER_NS = 1000;

    private WindowEndpoint() {}

    /**
     * The receiver's: a frame came.
     *
     * @param marks those of {@link TrafficHeader} that it carried
     * @return whether it is the one expected, and taken
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
     * The sender's: an acknowledgement came, of frames that were sent.
     *
     * @param sequence the frame that the receiver expects
     * @param untilPs what is due by then may be sent
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
