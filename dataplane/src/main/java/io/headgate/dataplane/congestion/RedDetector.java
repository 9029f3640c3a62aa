package io.headgate.dataplane.congestion;

import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;

/**
 * Random early detection, marking where others drop (Floyd and Jacobson, "Random early detection
 * gateways for congestion avoidance", IEEE/ACM ToN 1993; RFC 3168). Up to {@code kmin} no frame is
 * marked; from there to {@code kmax} with a probability that grows linearly from 0 to {@code pmax};
 * above it every frame, as DCTCP (RFC 8257) and DCQCN (Zhu et al., SIGCOMM 2015) use it.
 *
 * <p>For each frame between the two it is drawn ahead from which length of the queue on it is
 * marked. Most are marked from none: a frame is first made a candidate, with the next power of a
 * half above {@code pmax}. That costs a few bits for each of 64 frames that are drawn together, and
 * only candidates a length.
 *
 * <p>The queue's length is taken when a frame leaves: what waits behind it, as it is or averaged
 * with a weight for each frame. While the queue was empty, the average falls as if the line had
 * been busy with frames like the last one, as in the paper.
 */
public final class RedDetector implements Detector {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int UNUSED_BITS = 11; // a double has 53

    private final long kminBytes;
    private final long kmaxBytes;
    private final double weight;
    private final double nsPerByte;
    private final NamedRandom random;
    private final int halvings;
    private final double bytesPerDraw; // of a candidate's 2^53 draws

    // Of 64 frames between the thresholds: which are candidates, the lowest bit for the first, and
    // which of the frames is next. From which length on each is marked is drawn ahead only where
    // frames start one by one: for a burst that would cost more than it saves.
    private long candidates;
    private int next = Long.SIZE;
    private final long[] marksFrom = new long[Long.SIZE];
    private boolean isAhead;
    private boolean isBurst; // what started last
    private boolean foreseesDrawn; // its outlook was that of frames between the thresholds

    private double averageBytes;
    private boolean emptied;
    private long emptiedNs;

    /**
     * @param kminBytes 0 or more
     * @param kmaxBytes no less than {@code kminBytes}
     * @param pmax probability just below {@code kmaxBytes}, 0 to 1
     * @param weight of the present length in the average, above 0, at most 1; 1: as it is
     * @param rateBps the port's, by which an idle line lets the average fall
     * @param random drawn from for 64 frames at a time
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
        this.halvings = Math.getExponent(1 / pmax);
        double range = (kmaxBytes - kminBytes) / Math.scalb(pmax, halvings);
        this.bytesPerDraw = Math.scalb(range, UNUSED_BITS - Long.SIZE);
    }

    /** Takes over what another has seen of the same queue. */
    void goOnFrom(RedDetector before) {
        averageBytes = before.averageBytes;
        emptied = before.emptied;
        emptiedNs = before.emptiedNs;
    }

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        isBurst = false;
        if (weight < 1) {
            return started(average(nowNs, frameBytes, behindBytes));
        }
        if (behindBytes <= kminBytes) {
            return Mark.NONE;
        }
        return behindBytes >= kmaxBytes || behindBytes >= nextMarksFrom()
                ? Mark.CONGESTION
                : Mark.NONE;
    }

    private int started(double length) {
        if (length <= kminBytes) {
            return Mark.NONE;
        }
        return length >= kmaxBytes || length >= nextMarksFrom() ? Mark.CONGESTION : Mark.NONE;
    }

    /** From which length on the next frame between the thresholds is marked. */
    private long nextMarksFrom() {
        drawIfNone();
        int i = next++;
        if (isAhead) {
            return marksFrom[i];
        }
        return (candidates >>> i & 1) == 0 ? NEVER : drawMarksFrom();
    }

    private void drawIfNone() {
        if (next == Long.SIZE) {
            long all = -1;
            for (int i = 0; i < halvings && all != 0; i++) {
                all &= random.nextLong();
            }
            candidates = all;
            next = 0;
            isAhead = false;
        }
    }

    /** Of a candidate. */
    private long drawMarksFrom() {
        return kminBytes + 1 + (long) ((random.nextLong() >>> UNUSED_BITS) * bytesPerDraw);
    }

    private void drawAhead() {
        Arrays.fill(marksFrom, NEVER);
        for (long rest = candidates >>> next << next; rest != 0; rest &= rest - 1) {
            marksFrom[Long.numberOfTrailingZeros(rest)] = drawMarksFrom();
        }
        isAhead = true;
    }

    @Override
    public void started(long nowNs, Burst burst, MarkingPoint marks) {
        marks.mark(nowNs, burst, over(nowNs, burst), Mark.CONGESTION);
    }

    /** Which frames are to be marked, a bit each, the lowest for the first. */
    long over(long nowNs, Burst burst) {
        isBurst = true;
        return weight < 1 ? overByAverage(nowNs, burst) : overByLength(burst);
    }

    private long overByAverage(long nowNs, Burst burst) {
        long over = 0;
        for (int i = 0; i < burst.count(); i++) {
            int mark = started(nowNs, burst.frame(i).lengthBytes, burst.behindBytes(i));
            over |= (mark == Mark.NONE ? 0L : 1L) << i;
        }
        return over;
    }

    private long overByLength(Burst burst) {
        int above = 0;
        while (above < burst.count() && isOver(burst.behindBytes(above))) {
            above++;
        }
        int below = burst.count();
        while (below > above && burst.behindBytes(below - 1) <= kminBytes) {
            below--;
        }
        long over = above == 0 ? 0 : -1L >>> (Long.SIZE - above);
        int end;
        for (int from = above; from < below; from = end) {
            drawIfNone();
            end = Math.min(below, from + Long.SIZE - next);
            over |= drawn(burst, from, end);
        }
        return over;
    }

    /** Which of a burst's frames between the thresholds are marked, a bit each. */
    private long drawn(Burst burst, int start, int to) {
        long marked = 0;
        int shift = start - next;
        long rest = candidates >>> next << start;
        if (to < Long.SIZE) {
            rest &= (1L << to) - 1;
        }
        for (; rest != 0; rest &= rest - 1) {
            int i = Long.numberOfTrailingZeros(rest);
            long from = isAhead ? marksFrom[i - shift] : drawMarksFrom();
            // The sign, since nobody can predict this branch.
            marked |= (1 ^ ((burst.behindBytes(i) - from) >>> (Long.SIZE - 1))) << i;
        }
        next += to - start;
        return marked;
    }

    /** Whether each frame before so long a queue is marked. */
    private boolean isOver(long behindBytes) {
        return behindBytes >= kmaxBytes && behindBytes > kminBytes;
    }

    private boolean isBetween(long behindBytes) {
        return behindBytes > kminBytes && behindBytes < kmaxBytes;
    }

    @Override
    public void foresee(long behindBytes, Outlook outlook) {
        foreseesDrawn = false;
        if (weight < 1 || (isBurst && isBetween(behindBytes))) {
            outlook.nothing();
        } else if (behindBytes <= kminBytes) {
            outlook.set(Mark.NONE, 0, kminBytes, Outlook.ALWAYS);
        } else if (behindBytes >= kmaxBytes) {
            long from = Math.max(kmaxBytes, kminBytes + 1);
            outlook.set(Mark.CONGESTION, from, Long.MAX_VALUE, Outlook.ALWAYS);
        } else {
            drawIfNone();
            if (!isAhead) {
                drawAhead();
            }
            foreseesDrawn = true;
            outlook.set(kminBytes + 1, kmaxBytes - 1, marksFrom, next);
        }
    }

    @Override
    public void passed(int frames, long lastNs) {
        if (foreseesDrawn) {
            next += frames;
        }
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
