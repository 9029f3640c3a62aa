package io.headgate.dataplane.congestion;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;

/**
 * Several congestion points of one port, called in order. Not used for a single point, which so
 * costs nothing extra.
 */
final class CongestionPoints implements CongestionPoint {
    private final CongestionPoint[] points;

    /**
     * @param points array of the caller, which fills it before the first call
     */
    CongestionPoints(CongestionPoint[] points) {
        this.points = points;
    }

    @Override
    public int queues() {
        int queues = 0;
        for (CongestionPoint point : points) {
            queues |= point.queues();
        }
        return queues;
    }

    @Override
    public boolean growsFrames() {
        return Arrays.stream(points).anyMatch(CongestionPoint::growsFrames);
    }

    @Override
    public boolean readsFlowHash() {
        return Arrays.stream(points).anyMatch(CongestionPoint::readsFlowHash);
    }

    @Override
    public void prepare(long nowNs, Frame frame) {
        for (CongestionPoint point : points) {
            point.prepare(nowNs, frame);
        }
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        for (CongestionPoint point : points) {
            point.enqueued(nowNs, queue, frames, from, to);
        }
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        for (CongestionPoint point : points) {
            point.started(nowNs, frames, from, to);
        }
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        for (CongestionPoint point : points) {
            point.removed(nowNs, frame);
        }
    }

    @Override
    public void released(long nowNs, int queues) {
        for (CongestionPoint point : points) {
            point.released(nowNs, queues);
        }
    }

    @Override
    public int tick(long nowNs) {
        int work = 0;
        for (CongestionPoint point : points) {
            if (point.deadlineNs() - nowNs <= 0) {
                work += point.tick(nowNs);
            }
        }
        return work;
    }

    @Override
    public long deadlineNs() {
        long next = Long.MAX_VALUE;
        for (CongestionPoint point : points) {
            next = Math.min(next, point.deadlineNs());
        }
        return next;
    }

    @Override
    public boolean mayWait(FiveTuple flow, int hash, int queue) {
        for (CongestionPoint point : points) {
            if (!point.mayWait(flow, hash, queue)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long counted(int counter, int queue) {
        throw new UnsupportedOperationException("counter " + counter + " of several points");
    }

    @Override
    public void reset(long nowNs) {
        for (CongestionPoint point : points) {
            point.reset(nowNs);
        }
    }
}
