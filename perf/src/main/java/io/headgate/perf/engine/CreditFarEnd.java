package io.headgate.perf.engine;

import io.headgate.dataplane.frame.CreditControl;
import java.lang.foreign.MemorySegment;

/**
 * The far end of a link with credits, for one lane and frames of one size: answers each credit
 * frame with one of its own, and always grants the maximum that credits can express. It counts
 * frames by the burst, so that the measured cost of a frame is the engine's.
 */
final class CreditFarEnd {
    private static final long MAC = 0x0200_0000_FFFEL;
    private static final int COUNTER_MASK = CreditControl.MODULUS - 1;

    private boolean answerWaits;
    private boolean initialising;
    private int lane;
    private int scale;
    private long digest;
    private int sequence;

    void take(MemorySegment segment, long frame, int lengthBytes) {
        if (!CreditControl.isValid(segment, frame, lengthBytes)
                || CreditControl.count(segment, frame) != 1) {
            throw new IllegalStateException("not a credit frame for one lane");
        }
        initialising = CreditControl.isInitialising(segment, frame);
        lane = CreditControl.lane(segment, frame, 0);
        scale = CreditControl.scale(segment, frame);
        // Both ends sort frames alike.
        digest = initialising ? CreditControl.digest(segment, frame) : digest;
        answerWaits = true;
    }

    /** Whether the engine must get its answer before any further data. */
    boolean answerWaits() {
        return answerWaits;
    }

    /**
     * Writes the answer.
     *
     * @param sentBlocks blocks that the engine was sent, all told
     * @param receivedBlocks blocks that came from the engine
     * @return its length in bytes
     */
    int answer(MemorySegment segment, long frame, long sentBlocks, long receivedBlocks) {
        answerWaits = false;
        CreditControl.writeHeader(segment, frame, MAC, 1, scale, true, sequence++);
        CreditControl.writeFcp(
                segment,
                frame,
                0,
                initialising ? CreditControl.INITIALISE : CreditControl.NORMAL,
                (int) (sentBlocks & COUNTER_MASK),
                lane,
                (int) (receivedBlocks + CreditControl.MAX_GRANT_BLOCKS & COUNTER_MASK));
        return CreditControl.finish(segment, frame, digest);
    }
}
