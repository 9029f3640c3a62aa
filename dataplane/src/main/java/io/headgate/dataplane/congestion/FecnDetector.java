package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;

/**
 * InfiniBand's rule (architecture specification, volume 1, annex A10.2.1.1): a queue over its
 * threshold is the root of congestion while credits are left for its next frame, and the victim of
 * another where none are. Frames of a root are marked, of a victim only if it is to mask that.
 */
final class FecnDetector implements Detector {
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
    }

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
    public void started(
            long nowNs, Frame[] frames, int from, int to, long behindBytes, MarkingPoint marks) {
        long behind = behindBytes;
        long which = 0;
        for (int i = from; i < to; i++) {
            int bytes = frames[i].lengthBytes;
            behind -= bytes;
            which |= (started(nowNs, bytes, behind) == Mark.NONE ? 0L : 1L) << (i - from);
        }
        marks.mark(nowNs, frames, from, which, Mark.CONGESTION);
    }

    @Override
    public long quietBytes() {
        return thresholdBytes;
    }
}
