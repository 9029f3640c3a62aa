package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;

/**
 * InfiniBand's rule (architecture specification, volume 1, annex A10.2.1.1): a queue over its
 * threshold is the root of congestion while credits are left for its next frame, and the victim of
 * another where none are. Frames of a root are marked, of a victim only if it is to mask that.
 */
final class FecnDetector extends Detector {
    private final long thresholdBytes;
    private final boolean victimMask;
    private final int queue;
    private final QueueFields fields;
    private final StopView stops;

    FecnDetector(
            long thresholdBytes,
            boolean victimMask,
            int queue,
            QueueFields fields,
            StopView stops) {
        this.thresholdBytes = thresholdBytes;
        this.victimMask = victimMask;
        this.queue = queue;
        this.fields = fields;
        this.stops = stops;
        quietUpTo(thresholdBytes);
    }

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        // What follows in the same burst had its credits.
        boolean isMarked =
                behindBytes > thresholdBytes
                        && (victimMask || hasCredits() || behindBytes > fields.bytes(queue));
        return isMarked ? Mark.CONGESTION : Mark.NONE;
    }

    @Override
    void started(
            long nowNs, Frame[] frames, int from, int to, long behindBytes, MarkingPoint marks) {
        long behind = behindBytes;
        long which = 0;
        for (int i = from; i < to; i++) {
            behind -= frames[i].lengthBytes;
            which |= (behind > thresholdBytes ? 1L : 0) << (i - from);
        }
        long last = 1L << (to - from - 1);
        if ((which & last) != 0 && !victimMask && !hasCredits()) {
            which -= last;
        }
        marks.congested(nowNs, frames, from, which);
    }

    private boolean hasCredits() {
        return stops.creditBytes(queue) >= fields.headBytes(queue);
    }
}
