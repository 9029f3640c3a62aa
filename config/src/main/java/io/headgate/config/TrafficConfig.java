package io.headgate.config;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a port sorts frames into the eight priorities (IEEE 802.1Q clause 6.9, RFC 2474) and serves
 * them (clause 8.6.8). Both ends of a link must sort alike.
 *
 * @param trust which field of a received frame says its priority
 * @param defaultPriority priority 0 to 7 of a frame without that field
 * @param priorityOfPcp for each of the 8 priority code points of a tag its priority
 * @param priorityOfDscp for each of the 64 differentiated services code points its priority
 * @param lossless the priorities whose frames are never dropped for want of buffer, ascending
 * @param weights for each priority its weight in deficit weighted round robin, 1 to 100; {@link
 *     #STRICT}: served strictly, before all that have a weight, the highest priority first
 * @param rateLimitsBps for each priority the most bits a second that leave, counted as the line
 *     rate is; {@link #UNLIMITED}: no limit of its own
 */
public record TrafficConfig(
        Trust trust,
        int defaultPriority,
        List<Integer> priorityOfPcp,
        List<Integer> priorityOfDscp,
        List<Integer> lossless,
        List<Integer> weights,
        List<Long> rateLimitsBps) {

    public static final int PRIORITIES = 8;
    public static final int DSCPS = 64;
    public static final int STRICT = 0;
    public static final long UNLIMITED = 0;

    /** Which field of a frame says its priority. */
    public enum Trust {
        /** None: every frame has the port's default priority. */
        PORT,
        /** The priority code point of its outer tag. */
        PCP,
        /** The differentiated services code point of its IP header. */
        DSCP
    }

    /** What a port does when its configuration says nothing: tags count, all lossy, all strict. */
    public static final TrafficConfig DEFAULT =
            new TrafficConfig(
                    Trust.PCP,
                    0,
                    IntStream.range(0, PRIORITIES).boxed().toList(),
                    IntStream.range(0, DSCPS).map(dscp -> dscp >> 3).boxed().toList(),
                    List.of(),
                    Collections.nCopies(PRIORITIES, STRICT),
                    Collections.nCopies(PRIORITIES, UNLIMITED));

    /**
     * Checks what the schema checks for files, for those who build one in code.
     *
     * @throws IllegalArgumentException if a list has not its size, or a priority is none
     */
    public TrafficConfig {
        priorityOfPcp = List.copyOf(priorityOfPcp);
        priorityOfDscp = List.copyOf(priorityOfDscp);
        lossless = lossless.stream().sorted().distinct().toList();
        weights = List.copyOf(weights);
        rateLimitsBps = List.copyOf(rateLimitsBps);
        boolean sized =
                priorityOfPcp.size() == PRIORITIES
                        && priorityOfDscp.size() == DSCPS
                        && weights.size() == PRIORITIES
                        && rateLimitsBps.size() == PRIORITIES;
        boolean inRange =
                isPriority(defaultPriority)
                        && priorityOfPcp.stream().allMatch(TrafficConfig::isPriority)
                        && priorityOfDscp.stream().allMatch(TrafficConfig::isPriority)
                        && lossless.stream().allMatch(TrafficConfig::isPriority)
                        && weights.stream().allMatch(weight -> weight >= 0 && weight <= 100);
        if (!sized || !inRange) {
            throw new IllegalArgumentException(
                    "Priorities are 0 to 7 in tables of 8 and 64, weights 0 to 100; not default "
                            + defaultPriority
                            + ", pcp "
                            + priorityOfPcp
                            + ", dscp "
                            + priorityOfDscp
                            + ", lossless "
                            + lossless
                            + ", weights "
                            + weights
                            + ", rates "
                            + rateLimitsBps);
        }
    }

    private static boolean isPriority(int priority) {
        return priority >= 0 && priority < PRIORITIES;
    }

    /** The lossless priorities as a mask: bit i for priority i. */
    public int losslessMask() {
        int mask = 0;
        for (int priority : lossless) {
            mask |= 1 << priority;
        }
        return mask;
    }
}
