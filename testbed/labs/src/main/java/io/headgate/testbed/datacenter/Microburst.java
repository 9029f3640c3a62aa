package io.headgate.testbed.datacenter;

import io.headgate.testbed.datacenter.BurstBed.Burst;
import io.headgate.testbed.datacenter.BurstBed.State;
import io.headgate.testbed.netns.BedException;
import java.util.List;

/**
 * RFC 8239, section 4: the largest burst that two or three ports can send to one at the same time
 * without loss, by binary search over its length. A trial passes if the switch dropped nothing and
 * all frames reached the receiving host. Frames leave while a burst comes; how many is counted,
 * since it depends on how fast the sender is: what remains must fit into the buffer.
 */
final class Microburst {
    private static final int MOST_TRIALS = 20;
    private static final long MOST_TIMES = 100;

    /**
     * If more than this part of a burst leaves while it arrives, it was too slow for a burst and is
     * sent again.
     */
    private static final int LEFT_PART = 4;

    private static final int MOST_ATTEMPTS = 5;

    /**
     * The number of held frames may be this much less than the buffer when a burst first loses a
     * frame.
     */
    private static final double TOLERANCE = 0.1;

    private Microburst() {}

    /**
     * The largest burst without loss.
     *
     * @param burstFrames of each port
     * @param drainedFrames that left while that burst came, from all ports
     * @param heldFrames what the switch held when it had all of it
     * @param expectedFrames of each port, by configuration, if {@code drainedFrames} frames leave
     *     meanwhile
     * @param lossAtFrames the smallest burst of each port that lost frames
     * @param lost number of frames lost then
     * @param heldAtLossFrames the most that the switch was seen to hold then
     * @param capacityFrames what it holds by configuration
     */
    record Result(
            String pattern,
            int senders,
            int sizeBytes,
            int round,
            long burstFrames,
            long drainedFrames,
            long heldFrames,
            long expectedFrames,
            long lossAtFrames,
            long lost,
            long heldAtLossFrames,
            long capacityFrames,
            int trials) {

        double ratio() {
            return (double) burstFrames / expectedFrames;
        }

        /**
         * What is not as the configuration says, in a sentence; empty if nothing is. Only what was
         * held is judged: how much leaves meanwhile depends on how late the sender is.
         */
        String problem() {
            if (heldFrames > capacityFrames) {
                return describe() + heldFrames + " frames were held, more than " + capacityFrames;
            }
            return heldAtLossFrames >= (1 - TOLERANCE) * capacityFrames
                    ? ""
                    : "%sframes were lost when %s were held, not %s"
                            .formatted(describe(), heldAtLossFrames, capacityFrames);
        }

        private String describe() {
            return "microburst, " + pattern + ", " + sizeBytes + " bytes: ";
        }
    }

    private record Trial(int frames, State atEnd, State after, long arrived, long mostHeld) {
        boolean passed() {
            return after.dropped() == 0 && arrived == after.sent();
        }

        boolean wasSlow() {
            return atEnd.transmitted() > atEnd.sent() / LEFT_PART + 1;
        }
    }

    static List<Pattern> patterns() {
        return List.of(Pattern.toOne(2), Pattern.toOne(3));
    }

    /** Searches once. */
    static Result run(BurstBed bed, Pattern pattern, int sizeBytes, int round) throws BedException {
        long capacity = BufferModel.frames(bed.config(), pattern, sizeBytes);
        int senders = pattern.streams().size();
        Trial best = trial(bed, pattern, sizeBytes, 1);
        if (!best.passed()) {
            throw new BedException("a single frame of " + sizeBytes + " bytes does not pass");
        }
        int trials = 1;
        int next = Math.toIntExact(2 * Math.ceilDiv(capacity, senders));
        Trial worst = trial(bed, pattern, sizeBytes, next);
        for (; worst.passed() && trials < MOST_TRIALS; trials++) {
            best = worst;
            next *= 2;
            if (next > MOST_TIMES * capacity) {
                throw new BedException(
                        "frames of "
                                + sizeBytes
                                + " bytes leave as fast as they arrive: give a lower --rate");
            }
            worst = trial(bed, pattern, sizeBytes, next);
        }
        for (; worst.frames - best.frames > 1 && trials < MOST_TRIALS; trials++) {
            Trial middle = trial(bed, pattern, sizeBytes, (best.frames + worst.frames) / 2);
            if (middle.passed()) {
                best = middle;
            } else {
                worst = middle;
            }
        }
        long drained = best.atEnd.transmitted();
        return new Result(
                pattern.name(),
                senders,
                sizeBytes,
                round,
                best.frames,
                drained,
                best.atEnd.held(),
                BufferModel.burstPerPort(capacity, drained, senders),
                worst.frames,
                worst.after.sent() - worst.arrived,
                worst.mostHeld,
                capacity,
                trials);
    }

    private static Trial trial(BurstBed bed, Pattern pattern, int sizeBytes, int frames)
            throws BedException {
        Trial trial = attempt(bed, pattern, sizeBytes, frames);
        for (int more = 1; more < MOST_ATTEMPTS && trial.wasSlow(); more++) {
            trial = attempt(bed, pattern, sizeBytes, frames);
        }
        return trial;
    }

    private static Trial attempt(BurstBed bed, Pattern pattern, int sizeBytes, int frames)
            throws BedException {
        Burst burst = bed.begin(pattern, sizeBytes);
        burst.watchHosts();
        burst.send(frames);
        State atEnd = burst.state();
        State after = burst.drain();
        return new Trial(frames, atEnd, after, burst.arrived(), burst.mostHeld());
    }
}
