package io.headgate.dataplane.congestion;

import io.headgate.dataplane.frame.Wire;
import java.lang.foreign.MemorySegment;

/**
 * The fair rate of one queue, after algorithm 1 of RoCC (Menikkumbura, Taheri, Vanini, Fahmy,
 * Eugster and Edsall, "RoCC: Robust Congestion Control for RDMA", CoNEXT 2020; Menikkumbura,
 * dissertation, Purdue 2022, section 3.3): a proportional-integral controller with automatic tuning
 * of its gains, and two multiplicative decreases: one for a queue that is much too long, one for a
 * queue that grows fast.
 *
 * <p>The rate counts in steps of ΔF with sixteen fractional bits: with whole steps, at a small
 * rate, the queue would settle below its reference. Lengths count in whole steps of ΔQ.
 */
public final class FairRate {
    /** Fractional bits of rates and of gains. */
    static final int FRACTION = 16;

    private static final int DECREASE_SHIFT = 3;
    private static final int LAST_LEVEL = 64;
    private static final long LOW = 0xFFFF_FFFFL;

    /**
     * The algorithm's parameters.
     *
     * @param referenceSteps Qref, in steps of ΔQ
     * @param middleSteps Qmid
     * @param maximumSteps Qmax
     * @param minimum Fmin, in whole steps of ΔF
     * @param maximum Fmax
     * @param alpha proportional gain, in steps of ΔF per step of ΔQ, with {@link #FRACTION} bits
     * @param beta gain of the change
     * @param stepBytes ΔQ
     */
    record Parameters(
            long referenceSteps,
            long middleSteps,
            long maximumSteps,
            long minimum,
            long maximum,
            long alpha,
            long beta,
            int stepBytes) {

        /** Whether the parameters are valid; those from a notice may not be. */
        private boolean isSound() {
            return minimum <= maximum && maximum > 0 && stepBytes > 0;
        }
    }

    private final Parameters of;
    private final long minimum;
    private final long maximum;
    private final long start;
    private long rate;
    private long queueSteps;

    /**
     * @param start initial rate, in steps
     */
    FairRate(Parameters of, long start) {
        this.of = of;
        this.minimum = of.minimum << FRACTION;
        this.maximum = of.maximum << FRACTION;
        this.start = Math.clamp(start << FRACTION, minimum, maximum);
        this.rate = this.start;
    }

    void reset() {
        rate = start;
        queueSteps = 0;
    }

    /**
     * Takes over the state of another rate for the same queue.
     *
     * @param steps number of this rate's steps per step of the other
     */
    void goOnFrom(FairRate before, double steps) {
        rate = Math.clamp(Math.round(before.rate * steps), minimum, maximum);
        queueSteps = before.queueSteps * before.of.stepBytes / of.stepBytes;
    }

    /** Computes the next rate at the end of a period. */
    void step(long queueBytes) {
        long steps = queueBytes / of.stepBytes;
        rate = next(rate, queueSteps, steps, of);
        queueSteps = steps;
    }

    private static long next(long rate, long before, long steps, Parameters of) {
        long minimum = of.minimum << FRACTION;
        long maximum = of.maximum << FRACTION;
        long next;
        if (steps >= of.maximumSteps && rate > maximum >> DECREASE_SHIFT) {
            next = minimum;
        } else if (steps - before >= of.middleSteps && rate > maximum >> DECREASE_SHIFT) {
            next = rate >> 1;
        } else {
            int ratioShift = ratioShift(rate, maximum);
            next =
                    rate
                            - (of.alpha >> ratioShift) * (steps - of.referenceSteps)
                            - (of.beta >> ratioShift) * (steps - before);
        }
        return Math.clamp(next, minimum, maximum);
    }

    /** Automatic tuning: the smaller the rate, the smaller the gains, by powers of two up to 32. */
    private static int ratioShift(long rate, long maximum) {
        int level = 2;
        int shift = 0;
        while (rate < maximum / level && level < LAST_LEVEL) {
            level <<= 1;
            shift++;
        }
        return shift;
    }

    // ---- worked out by the host: section 3.3.6

    /**
     * Writes all the values that a host needs to compute the next {@link #step} itself, {@link
     * io.headgate.dataplane.frame.Notice#DETAIL_BYTES}.
     *
     * <pre>
     *   0                             32                             63
     *  +-------------------------------------------------------------+
     *  |             F before the step, 16 bits of it a fraction     |
     *  |             Qcur             |             Qold             |
     *  |             Qref             |             Qmid             |
     *  |             Qmax             |             Fmin             |
     *  |             Fmax             |   α, 16 bits of it a fraction|
     *  |   β, 16 bits of it a fraction|          ΔQ in bytes         |
     *  +-------------------------------------------------------------+
     * </pre>
     *
     * <p>Lengths are in steps of ΔQ, rates in steps of ΔF. Qold is not in the dissertation's list,
     * and the algorithm needs it.
     */
    void describe(long queueBytes, long[] words) {
        words[0] = rate;
        words[1] = pair(queueBytes / of.stepBytes, queueSteps);
        words[2] = pair(of.referenceSteps, of.middleSteps);
        words[3] = pair(of.maximumSteps, of.minimum);
        words[4] = pair(of.maximum, of.alpha);
        words[5] = pair(of.beta, of.stepBytes);
    }

    private static long pair(long high, long low) {
        return high << Integer.SIZE | (low & LOW);
    }

    /**
     * Computes a switch's {@link #steps} from its description of the next step.
     *
     * @param at offset of the description, which may be forged
     * @return whole steps of ΔF; 0 if the description makes no sense
     */
    public static long stepsAtHost(MemorySegment segment, long at) {
        Parameters of =
                new Parameters(
                        Wire.u32(segment, at + 16),
                        Wire.u32(segment, at + 20),
                        Wire.u32(segment, at + 24),
                        Wire.u32(segment, at + 28),
                        Wire.u32(segment, at + 32),
                        Wire.u32(segment, at + 36),
                        Wire.u32(segment, at + 40),
                        Wire.i32(segment, at + 44));
        long rate = Wire.i64(segment, at);
        if (!of.isSound() || rate < 0 || rate > of.maximum << FRACTION) {
            return 0;
        }
        long now = Wire.u32(segment, at + 8);
        return rounded(next(rate, Wire.u32(segment, at + 12), now, of));
    }

    /** The rate in whole steps of ΔF, rounded. */
    long steps() {
        return rounded(rate);
    }

    private static long rounded(long rate) {
        return (rate + (1L << (FRACTION - 1))) >> FRACTION;
    }

    /** The rate in steps of ΔF, with fraction. */
    double exact() {
        return (double) rate / (1L << FRACTION);
    }

    /** Whether further periods with an empty queue change nothing. */
    boolean isAtRest() {
        return rate == maximum && queueSteps == 0;
    }
}
