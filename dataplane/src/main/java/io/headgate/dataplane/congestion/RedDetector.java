package io.headgate.dataplane.congestion;

import io.headgate.dataplane.random.NamedRandom;

/**
 * Random early detection (RED) that marks frames instead of dropping them (Floyd and Jacobson,
 * "Random early detection gateways for congestion avoidance", IEEE/ACM ToN 1993; RFC 3168). Up to
 * {@code kmin} no frame is marked; from there to {@code kmax} with a probability that grows
 * linearly from 0 to {@code pmax}; above it every frame, as DCTCP (RFC 8257) and DCQCN (Zhu et al.,
 * SIGCOMM 2015) use it.
 *
 * <p>For each frame between the two thresholds a queue length is drawn ahead, from which on the
 * frame is marked. Most frames are not marked at any length: a frame first becomes a candidate,
 * with the next power of 1/2 above {@code pmax} as probability. That costs a few bits for each of
 * 64 frames that are drawn together; a length is drawn only for candidates.
 *
 * <p>The queue's length is taken when a frame leaves: the bytes behind it, either directly or
 * averaged with a weight per frame. For the time in which the queue was empty, the average falls as
 * if the line had been busy with frames like the last one, as in the paper.
 */
public final class RedDetector implements Detector {
    // An outlook covers queues that are up to this part of the range longer than the present one;
    // the
    // candidates are looked through again only when the queue outgrows it.
    private static final int OUTLOOK_PART = 16;

    private final long kminBytes;
    private final long kmaxBytes;
    private final double weight;
    private final double nsPerByte;
    private final NamedRandom random;
    private final int halvings;
    private final long rangeBytes; // that candidates are drawn from

    // Of 64 frames between the thresholds: which are candidates, the lowest bit for the first, and
    // which of the frames is next.
    private long candidates;
    private int next = Long.SIZE;

    // From which length of the queue on each candidate is marked, and those that are up to some
    // length. Drawn ahead only where frames start one by one: for bursts that costs more.
    private boolean isAhead;
    private final long[] marksFrom = new long[Long.SIZE];
    private long marked;
    private long markedToBytes;

    private boolean isBurst; // what started last
    private boolean foreseesDrawn; // its outlook was that of frames between the thresholds

    private double averageBytes;
    private boolean emptied;
    private long emptiedNs;

    /**
     * @param kminBytes 0 or more
     * @param kmaxBytes no less than {@code kminBytes}
     * @param pmax probability just below {@code kmaxBytes}, 0 to 1
     * @param weight weight of the present length in the average, above 0, at most 1; 1: no
     *     averaging
     * @param rateBps the port's rate, at which the average falls while the line is idle
     * @param random generator, used for 64 frames at a time
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
        this.rangeBytes = Math.round((kmaxBytes - kminBytes) / Math.scalb(pmax, halvings));
    }

    @Override
    public void goOnFrom(Detector before) {
        if (before instanceof RedDetector red) {
            averageBytes = red.averageBytes;
            emptied = red.emptied;
            emptiedNs = red.emptiedNs;
        }
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
        return behindBytes >= kmaxBytes || isNextMarked((double) behindBytes)
                ? Mark.CONGESTION
                : Mark.NONE;
    }

    private int started(double length) {
        if (length <= kminBytes) {
            return Mark.NONE;
        }
        return length >= kmaxBytes || isNextMarked(length) ? Mark.CONGESTION : Mark.NONE;
    }

    /** Whether the next frame between the thresholds is marked at this queue length. */
    private boolean isNextMarked(double length) {
        drawIfNone();
        int i = next++;
        return (candidates >>> i & 1) != 0 && length >= marksFrom(i);
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

    /** The queue length from which a candidate is marked. */
    private long marksFrom(int i) {
        return isAhead ? marksFrom[i] : drawMarksFrom();
    }

    private long drawMarksFrom() {
        return kminBytes + 1 + Math.unsignedMultiplyHigh(random.nextLong(), rangeBytes);
    }

    private void drawAhead() {
        for (long rest = candidates >>> next << next; rest != 0; rest &= rest - 1) {
            marksFrom[Long.numberOfTrailingZeros(rest)] = drawMarksFrom();
        }
        isAhead = true;
        markedToBytes = 0;
    }

    /** Finds which of the remaining candidates a queue of up to this length marks. */
    private void findMarkedUpTo(long toBytes) {
        long within = 0;
        for (long rest = candidates >>> next << next; rest != 0; rest &= rest - 1) {
            int i = Long.numberOfTrailingZeros(rest);
            within |= isAtLeast(toBytes, marksFrom[i]) << i;
        }
        marked = within;
        markedToBytes = toBytes;
    }

    /** 1 or 0, without a branch, which would be unpredictable. */
    private static long isAtLeast(long bytes, long least) {
        return 1 ^ ((bytes - least) >>> (Long.SIZE - 1));
    }

    @Override
    public void started(long nowNs, Burst burst, MarkingPoint marks) {
        marks.mark(nowNs, burst, over(nowNs, burst), Mark.CONGESTION);
    }

    /** The frames to mark, as a bit mask, the lowest bit for the first. */
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

    /** Mask of a burst's marked frames between the thresholds. */
    private long drawn(Burst burst, int start, int to) {
        long over = 0;
        int shift = start - next;
        long rest = candidates >>> next << start;
        if (to < Long.SIZE) {
            rest &= (1L << to) - 1;
        }
        for (; rest != 0; rest &= rest - 1) {
            int i = Long.numberOfTrailingZeros(rest);
            over |= isAtLeast(burst.behindBytes(i), marksFrom(i - shift)) << i;
        }
        next += to - start;
        return over;
    }

    /** Whether every frame with a queue of this length behind it is marked. */
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
            if (behindBytes > markedToBytes) {
                findMarkedUpTo(
                        Math.min(
                                kmaxBytes - 1,
                                behindBytes + (kmaxBytes - kminBytes) / OUTLOOK_PART));
            }
            // The next one that may be marked is asked about.
            int unmarked = Long.numberOfTrailingZeros(marked >>> next);
            foreseesDrawn = true;
            outlook.set(
                    Mark.NONE, kminBytes + 1, markedToBytes, Math.min(unmarked, Long.SIZE - next));
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
