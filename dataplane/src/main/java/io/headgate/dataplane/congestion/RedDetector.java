package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;

/**
 * Random early detection, marking where others drop (Floyd and Jacobson, "Random early detection
 * gateways for congestion avoidance", IEEE/ACM ToN 1993; RFC 3168). Up to {@code kmin} no frame is
 * marked; from there to {@code kmax} with a probability that grows linearly from 0 to {@code pmax};
 * above it every frame, as DCTCP (RFC 8257) and DCQCN (Zhu et al., SIGCOMM 2015) use it.
 *
 * <p>Between the two a frame is first made a candidate, with the next power of a half above {@code
 * pmax}, and then marked with what is left of its probability. Candidates are drawn for 64 frames
 * at a time.
 *
 * <p>The queue's length is taken when a frame leaves: what waits behind it, as it is or averaged
 * with a weight for each frame. While the queue was empty, the average falls as if the line had
 * been busy with frames like the last one, as in the paper.
 */
public final class RedDetector implements Detector {
    private final long kminBytes;
    private final long kmaxBytes;
    private final double weight;
    private final double nsPerByte;
    private final NamedRandom random;
    private final NamedRandom forCandidates;
    private final int halvings;
    private final double slope; // of a candidate's probability

    // Of the next frames between the thresholds, the lowest first: whether they are candidates.
    private long candidates;
    private int drawn; // for so many

    // What waits behind the frames of a burst that are between the thresholds.
    private final long[] between;

    private double averageBytes;
    private boolean emptied;
    private long emptiedNs;

    /**
     * @param kminBytes 0 or more
     * @param kmaxBytes no less than {@code kminBytes}
     * @param pmax probability just below {@code kmaxBytes}, 0 to 1
     * @param weight of the present length in the average, above 0, at most 1; 1: as it is
     * @param rateBps the port's, by which an idle line lets the average fall
     * @param random drawn from once now, and for each candidate
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
        this.weight = weight;
        this.nsPerByte = 8e9 / rateBps;
        this.random = random;
        this.forCandidates = NamedRandom.of(random.nextLong(), "red", "candidates");
        this.halvings = Math.getExponent(1 / pmax);
        this.slope =
                kmaxBytes == kminBytes ? 0 : Math.scalb(pmax, halvings) / (kmaxBytes - kminBytes);
        this.between = new long[kmaxBytes == kminBytes ? 0 : Long.SIZE];
    }

    /** Takes over what another has seen of the same queue. */
    void goOnFrom(RedDetector before) {
        averageBytes = before.averageBytes;
        emptied = before.emptied;
        emptiedNs = before.emptiedNs;
    }

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        if (weight < 1) {
            return started(average(nowNs, frameBytes, behindBytes));
        }
        if (behindBytes <= kminBytes) {
            return Mark.NONE;
        }
        return behindBytes >= kmaxBytes || (isCandidate() && isMarked((double) behindBytes))
                ? Mark.CONGESTION
                : Mark.NONE;
    }

    private int started(double length) {
        if (length <= kminBytes) {
            return Mark.NONE;
        }
        return length >= kmaxBytes || (isCandidate() && isMarked(length))
                ? Mark.CONGESTION
                : Mark.NONE;
    }

    /** Whether the next frame between the thresholds is one. */
    private boolean isCandidate() {
        if (drawn == 0) {
            candidates = draw();
            drawn = Long.SIZE;
        }
        drawn--;
        long drawnBefore = candidates;
        candidates = drawnBefore >>> 1;
        return (drawnBefore & 1) != 0;
    }

    /** Which of the next frames between the thresholds are candidates, a bit each; 64 at most. */
    private long take(int frames) {
        long taken = candidates;
        int left = drawn - frames;
        if (left < 0) {
            long more = draw();
            taken |= more << drawn;
            candidates = left == -Long.SIZE ? 0 : more >>> -left;
            left += Long.SIZE;
        } else {
            candidates = taken >>> frames;
        }
        drawn = left;
        return taken & MarkingPoint.all(frames);
    }

    private long draw() {
        long all = -1;
        for (int i = 0; i < halvings && all != 0; i++) {
            all &= forCandidates.nextLong();
        }
        return all;
    }

    /** Whether a candidate is marked. */
    private boolean isMarked(double length) {
        return random.nextDouble() < slope * (length - kminBytes);
    }

    @Override
    public void started(
            long nowNs, Frame[] frames, int from, int to, long behindBytes, MarkingPoint marks) {
        marks.mark(
                nowNs, frames, from, over(nowNs, frames, from, to, behindBytes), Mark.CONGESTION);
    }

    /**
     * Which of frames that start at once are to be marked: a bit each, the lowest for the first.
     *
     * @param to at most 64 behind {@code from}
     * @param behindBytes what waits from the first of them on
     */
    long over(long nowNs, Frame[] frames, int from, int to, long behindBytes) {
        return weight < 1
                ? overByAverage(nowNs, frames, from, to, behindBytes)
                : overByLength(frames, from, to, behindBytes);
    }

    private long overByAverage(long nowNs, Frame[] frames, int from, int to, long behindBytes) {
        long behind = behindBytes;
        long over = 0;
        for (int i = from; i < to; i++) {
            int bytes = frames[i].lengthBytes;
            behind -= bytes;
            over |= (started(nowNs, bytes, behind) == Mark.NONE ? 0L : 1L) << (i - from);
        }
        return over;
    }

    private long overByLength(Frame[] frames, int from, int to, long behindBytes) {
        // Less waits behind each of them than behind the one before.
        long behind = behindBytes;
        int above = 0;
        int drawnFor = 0;
        for (int i = from; i < to; i++) {
            behind -= frames[i].lengthBytes;
            if (behind >= kmaxBytes && behind > kminBytes) {
                above++;
            } else if (behind > kminBytes) {
                between[drawnFor++] = behind;
            }
        }
        long over = above == 0 ? 0 : MarkingPoint.all(above);
        if (drawnFor > 0) {
            for (long rest = take(drawnFor); rest != 0; rest &= rest - 1) {
                int candidate = Long.numberOfTrailingZeros(rest);
                over |= (isMarked((double) between[candidate]) ? 1L : 0) << (above + candidate);
            }
        }
        return over;
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
