package io.headgate.dataplane.engine;

import io.headgate.dataplane.detour.DetourReceiver;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/**
 * Removes the detour header from arriving frames that have one: all later steps see the frames as
 * their hosts sent them. Owned by the ingress half.
 */
record HeaderRemoval(DetourReceiver detour, Arrivals arrivals) {
    private static final int MALFORMED = Forwarding.drop(DropReason.MALFORMED_TAG);

    /**
     * Removes the headers of a batch before its frames are forwarded; returns how many frames came
     * by the detour.
     */
    int remove(Frame[] batch, int[] answers, int count) {
        int detoured = 0;
        for (int i = 0; i < count; i++) {
            Frame frame = batch[i];
            frame.detour = 0;
            // With the header a frame may be longer than the port's MTU allows.
            if (answers[i] == Forwarding.UNDECIDED || answers[i] == Arrivals.OVERSIZE) {
                int found = detour.unwrap(frame);
                if (found != DetourReceiver.ORDINARY) {
                    answers[i] = answer(frame, found);
                    detoured += frame.detour == 0 ? 0 : 1;
                }
            }
        }
        return detoured;
    }

    private int answer(Frame frame, int found) {
        return found == DetourReceiver.MALFORMED ? MALFORMED : arrivals.answerByHeader(frame);
    }
}
