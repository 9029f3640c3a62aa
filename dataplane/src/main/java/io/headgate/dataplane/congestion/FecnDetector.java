package io.headgate.dataplane.congestion;

import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;

/**
 * InfiniBand's rule for FECN marks (architecture specification, volume 1, annex A10.2.1.1): a queue
 * over its threshold is the root of congestion while it has credits for its next frame, and
 * otherwise a victim. Frames of a root are marked; frames of a victim only if the victim mask is
 * set.
 */
record FecnDetector(
        long thresholdBytes,
        boolean victimMask,
        int queue,
        QueueFields fields,
        StopView stops,
        int mtuBytes)
        implements Detector {
    // What a frame may take beyond its payload: headers, and the rest of a block of credits.
    private static final int MOST_MORE_BYTES = 64 + (64 << CreditControl.MAX_SCALE);

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        if (behindBytes <= thresholdBytes) {
            return Mark.NONE;
        }
        // What follows in the same burst had its credits.
        boolean isRoot =
                behindBytes > fields.bytes(queue)
                        || stops.creditBytes(queue) >= fields.headBytes(queue);
        return isRoot || victimMask ? Mark.CONGESTION : Mark.NONE;
    }

    @Override
    public void started(long nowNs, Burst burst, MarkingPoint marks) {
        long which = 0;
        for (int i = 0; i < burst.count() && burst.behindBytes(i) > thresholdBytes; i++) {
            which |= 1L << i;
        }
        // Those before the last one had their credits; the length of a frame does not matter.
        int last = burst.count() - 1;
        if (which >>> last != 0 && started(nowNs, 0, burst.behindBytes(last)) == Mark.NONE) {
            which ^= 1L << last;
        }
        marks.mark(nowNs, burst, which, Mark.CONGESTION);
    }

    @Override
    public void foresee(long behindBytes, Outlook outlook) {
        if (behindBytes <= thresholdBytes) {
            outlook.set(Mark.NONE, 0, thresholdBytes, Outlook.ALWAYS);
        } else {
            outlook.set(Mark.CONGESTION, thresholdBytes + 1, Long.MAX_VALUE, surelyRoots());
        }
    }

    /**
     * Number of next frames after which credits for one more are certainly left: only frames
     * consume credits.
     */
    private int surelyRoots() {
        long frames =
                victimMask
                        ? Outlook.ALWAYS
                        : stops.creditBytes(queue) / (mtuBytes + MOST_MORE_BYTES) - 1;
        return (int) Math.min(frames, Outlook.ALWAYS);
    }
}
