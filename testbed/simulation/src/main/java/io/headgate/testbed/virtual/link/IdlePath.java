package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.queue.WireFormat;
import java.util.Arrays;

/**
 * Computes how long frames sent back to back take over a path of idle store-and-forward links. The
 * result is exact, with durations cut to whole picoseconds like in {@link LinkDirection}; otherwise
 * a flow alone could be faster.
 *
 * <p>Long flows take no more computing than short ones: every link takes a whole number of
 * picoseconds for some number of equal frames, often for one. Such a round is repeated until one
 * equals the one before; all further rounds are then equal and are added at once.
 */
public final class IdlePath {
    /** A longer round is not worth looking for. */
    private static final long LONGEST_ROUND = 10_000;

    private static final long NEVER = -1;

    private final WireFormat wire;
    private final long[] ratesBps;
    private final long[] gapsPs;
    private final long[] delaysPs;

    // For each link: when it is free, and the remainder of its last division.
    private final long[] freePs;
    private final long[] remainders;

    // For each link: both as they were when a round began, and whether it has been idle since.
    private final long[] roundFreePs;
    private final long[] roundRemainders;
    private final boolean[] wasIdle;

    /**
     * A path.
     *
     * @param ratesBps rates of its links, in order
     * @param delaysPs delays of its links, in order
     */
    public IdlePath(WireFormat wire, long[] ratesBps, long[] delaysPs) {
        int links = ratesBps.length;
        this.wire = wire;
        this.ratesBps = ratesBps.clone();
        this.delaysPs = delaysPs.clone();
        gapsPs = new long[links];
        for (int link = 0; link < links; link++) {
            gapsPs[link] = bitTimes(wire.gapBytes()) / ratesBps[link];
        }
        freePs = new long[links];
        remainders = new long[links];
        roundFreePs = new long[links];
        roundRemainders = new long[links];
        wasIdle = new boolean[links];
    }

    /** Picoseconds that these bytes take on a link of 1 b/s. */
    private static long bitTimes(int wireBytes) {
        return wireBytes * 8L * LinkDirection.PS_PER_S;
    }

    /**
     * Time from the start of the first frame to the arrival of the last bit of the last one, in ps.
     *
     * @param frames number of frames, at least one
     * @param fullFrameBytes length of all but the last, without FCS
     * @param lastFrameBytes length of the last, without FCS
     */
    public long arrivalPs(long frames, int fullFrameBytes, int lastFrameBytes) {
        Arrays.fill(freePs, 0);
        Arrays.fill(remainders, 0);
        long full = bitTimes(wire.wireBytes(fullFrameBytes));
        long round = round(full);
        long left = frames - 1;
        while (round != NEVER && left >= 2 * round) {
            beginRound();
            for (long frame = 0; frame < round; frame++) {
                send(full);
            }
            left -= round;
            if (isSteady()) {
                skip(left / round);
                left %= round;
            }
        }
        while (left-- > 0) {
            send(full);
        }
        return send(bitTimes(wire.wireBytes(lastFrameBytes)));
    }

    /** After how many equal frames no link's division leaves anything; {@link #NEVER}: too many. */
    private long round(long bitTimes) {
        long round = 1;
        for (long rateBps : ratesBps) {
            long own = rateBps / gcd(bitTimes, rateBps);
            round *= own / gcd(round, own);
            if (round > LONGEST_ROUND) {
                return NEVER;
            }
        }
        return round;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private void beginRound() {
        System.arraycopy(freePs, 0, roundFreePs, 0, freePs.length);
        System.arraycopy(remainders, 0, roundRemainders, 0, remainders.length);
        Arrays.fill(wasIdle, false);
    }

    private long send(long bitTimes) {
        long arrivalPs = 0;
        for (int link = 0; link < freePs.length; link++) {
            if (arrivalPs > freePs[link]) {
                freePs[link] = arrivalPs;
                remainders[link] = 0;
                wasIdle[link] = true;
            }
            long numerator = bitTimes + remainders[link];
            remainders[link] = numerator % ratesBps[link];
            freePs[link] += numerator / ratesBps[link];
            arrivalPs = freePs[link] - gapsPs[link] + delaysPs[link];
        }
        return arrivalPs;
    }

    /**
     * Whether all rounds to come are like the last one: each link has begun it as it will begin the
     * next, and is as fast as the one before it, or is slower and never idle.
     */
    private boolean isSteady() {
        long cameInPs = freePs[0] - roundFreePs[0];
        for (int link = 0; link < freePs.length; link++) {
            long tookPs = freePs[link] - roundFreePs[link];
            boolean keepsUp = tookPs == cameInPs || (tookPs > cameInPs && !wasIdle[link]);
            if (!keepsUp || remainders[link] != roundRemainders[link]) {
                return false;
            }
            cameInPs = tookPs;
        }
        return true;
    }

    private void skip(long rounds) {
        for (int link = 0; link < freePs.length; link++) {
            freePs[link] += rounds * (freePs[link] - roundFreePs[link]);
        }
    }
}
