package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;

/**
 * Random early detection, marking where others drop (Floyd and Jacobson, "Random early detection
 * gateways for congestion avoidance", IEEE/ACM ToN 1993; RFC 3168). Up to {@code kmin} no frame is
 * marked; from there to {@code kmax} with a probability that grows linearly from 0 to {@code pmax};
 * above it every frame, as DCTCP (RFC 8257) and DCQCN (Zhu et al., SIGCOMM 2015) use it.
 *
 * <p>The queue's length is taken when a frame leaves: what waits behind it, as it is or averaged
 * with a weight for each frame. While the queue was empty, the average falls as if the line had
 * been busy with frames like the last one, as in the paper.
 */
public final class RedDetector implements Detector {
    private final long kminBytes;
    private final long kmaxBytes;
    private final double slope;
    private final double weight;
    private final double nsPerByte;
    private final NamedRandom random;
    private double averageBytes;
    private boolean emptied;
    private long emptiedNs;

    /**
     * @param kminBytes 0 or more
     * @param kmaxBytes no less than {@code kminBytes}
     * @param pmax probability just below {@code kmaxBytes}, above 0, at most 1
     * @param weight of the present length in the average, above 0, at most 1; 1: as it is
     * @param rateBps the port's, by which an idle line lets the average fall
     * @param random drawn from only between the thresholds
     */
    public RedDetector(
            long kminBytes,
            long kmaxBytes,
            double pmax,
            double weight,
            long rateBps,
            NamedRandom random) {
        this.kminBytes = kminBytes;
        this.kmaxBytes = kmaxBytes;
        this.slope = kmaxBytes == kminBytes ? 0 : pmax / (kmaxBytes - kminBytes);
        this.weight = weight;
        this.nsPerByte = 8e9 / rateBps;
        this.random = random;
    }

    /** Takes over what another has seen of the same queue. */
    void goOnFrom(RedDetector before) {
        averageBytes = before.averageBytes;
        emptied = before.emptied;
        emptiedNs = before.emptiedNs;
    }

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        double length = behindBytes;
        if (weight < 1) {
            length = average(nowNs, frameBytes, behindBytes);
        }
        if (length <= kminBytes) {
            return Mark.NONE;
        }
        boolean mark = length >= kmaxBytes || random.nextDouble() < slope * (length - kminBytes);
        return mark ? Mark.CONGESTION : Mark.NONE;
    }

    @Override
    public void started(
            long nowNs, Frame[] frames, int from, int to, long behindBytes, MarkingPoint marks) {
        long behind = behindBytes;
        for (int i = from; i < to; i++) {
            int bytes = frames[i].lengthBytes;
            behind -= bytes;
            int mark = started(nowNs, bytes, behind);
            if (mark != Mark.NONE) {
                marks.mark(nowNs, frames[i], mark);
            }
        }
    }

    @Override
    public long quietBytes() {
        return weight < 1 ? -1 : kminBytes;
    }

    private double average(long nowNs, int frameBytes, long behindBytes) {
        if (emptied) {
            // The frame that left the queue empty took the line for one such time itself.
            averageBytes *= decay((long) ((nowNs - emptiedNs) / (frameBytes * nsPerByte)) - 1);
        }
        averageBytes += weight * (behindBytes - averageBytes);
        emptied = behindBytes == 0;
        emptiedNs = nowNs;
        return averageBytes;
    }

    /** (1 − weight)^frames, by squares: the same on every machine. */
    private double decay(long frames) {
        double power = 1 - weight;
        double product = 1;
        for (long rest = frames; rest > 0 && product > 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                product *= power;
            }
            power *= power;
        }
        return product;
    }

    @Override
    public void reset(long nowNs) {
        averageBytes = 0;
        emptied = false;
    }
}
