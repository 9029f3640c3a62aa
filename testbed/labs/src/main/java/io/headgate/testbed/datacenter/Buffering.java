package io.headgate.testbed.datacenter;

import io.headgate.config.SwitchConfig;
import io.headgate.testbed.datacenter.BurstBed.Burst;
import io.headgate.testbed.datacenter.BurstBed.State;
import io.headgate.testbed.netns.BedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * RFC 8239, section 3: measures how much a port holds before it drops. The RFC oversubscribes a
 * port by a hundredth and looks for the point at which the largest latency stops growing. Here
 * ports are slow and the sender counts: after every few frames, it computes the frames that the
 * switch took and has not sent yet, which it therefore holds; their number grows until the first
 * drop, and stays. Patterns: one, two and three ports to one (3.2, many to one), and two congested
 * ports at a time.
 */
final class Buffering {
    /** The part of the expected number by which filling continues after the first drop. */
    private static final int BEYOND_PART = 4;

    private static final int LEAST_BEYOND_FRAMES = 64;

    /** Allowed error of the model: frames leave between two readings. */
    private static final double TOLERANCE = 0.05;

    private Buffering() {}

    /**
     * One reading: frames offered less those that have left, and frames that the switch held then.
     */
    record Look(long offered, long held) {}

    /**
     * The result of a round.
     *
     * @param expectedFrames that the configuration lets the switch hold, in all congested ports
     * @param bound why not more
     * @param foundFrames the most that were held
     * @param firstDropFrames held when the first drop was seen
     * @param drops frames dropped while it was filled, by reason
     * @param latencyMs how long the last frame of a full buffer waits, by the ports' rate
     * @param fill the looks; of the first round only
     */
    record Result(
            String pattern,
            int sizeBytes,
            int round,
            long expectedFrames,
            String bound,
            String expectedDrop,
            long foundFrames,
            long firstDropFrames,
            Map<String, Long> drops,
            double latencyMs,
            List<Look> fill) {
        Result {
            drops = Map.copyOf(drops);
            fill = List.copyOf(fill);
        }

        double ratio() {
            return (double) foundFrames / expectedFrames;
        }

        long foundBytes() {
            return foundFrames * sizeBytes;
        }

        /** The deviation from the configuration, in a sentence; empty if there is none. */
        String problem() {
            if (!drops.keySet().equals(Set.of(expectedDrop))) {
                return String.format(
                        "buffering, %s, %d bytes: frames were dropped for %s, not for %s",
                        pattern, sizeBytes, drops.keySet(), expectedDrop);
            }
            return Math.abs(ratio() - 1) <= TOLERANCE
                    ? ""
                    : String.format(
                            "buffering, %s, %d bytes: %d frames are held, not %d",
                            pattern, sizeBytes, foundFrames, expectedFrames);
        }
    }

    static List<Pattern> patterns() {
        return List.of(Pattern.toOne(1), Pattern.toOne(2), Pattern.toOne(3), Pattern.pairs());
    }

    /** Fills the ports of a pattern once. */
    static Result run(BurstBed bed, Pattern pattern, int sizeBytes, int round) throws BedException {
        SwitchConfig config = bed.config();
        long expected = BufferModel.frames(config, pattern, sizeBytes);
        BufferModel.Capacity each =
                BufferModel.at(config, pattern, pattern.destinations().getFirst(), sizeBytes);
        long beyond = Math.max(LEAST_BEYOND_FRAMES, expected / BEYOND_PART);
        Burst burst = bed.begin(pattern, sizeBytes);
        List<Look> fill = new ArrayList<>();
        long atFirstDrop = -1;
        State state = burst.state();
        while (state.dropped() < beyond) {
            burst.send(BurstBed.CHUNK_FRAMES);
            state = burst.state();
            fill.add(new Look(state.sent() - state.transmitted(), state.held()));
            if (state.dropped() > 0 && atFirstDrop < 0) {
                atFirstDrop = state.held();
            }
            if (state.sent() > 100 * (expected + beyond)) {
                throw new BedException(
                        "frames of "
                                + sizeBytes
                                + " bytes leave as fast as they arrive: give a lower --rate");
            }
        }
        Map<String, Long> drops = burst.drops();
        burst.drain();
        long found = burst.mostHeld();
        long rateBps = config.ports().getFirst().rateBps();
        double perPort = (double) found / pattern.destinations().size();
        return new Result(
                pattern.name(),
                sizeBytes,
                round,
                expected,
                each.bound().meaning(),
                each.bound().dropReason(),
                found,
                atFirstDrop,
                drops,
                perPort * BufferModel.wireNs(sizeBytes, rateBps) / 1e6,
                round == 1 ? fill : List.of());
    }
}
