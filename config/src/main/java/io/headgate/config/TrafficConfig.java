package io.headgate.config;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.config.key.Section;
import io.headgate.config.key.When;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How a port sorts frames into the eight priorities and serves them (IEEE 802.1Q clause 8.6.8).
 *
 * @param lossless ascending
 * @param weights for each priority its weight in deficit weighted round robin, 1 to 100; {@link
 *     #STRICT}: served strictly, before all that have a weight, the highest priority first
 * @param rateLimitsBps for each priority the maximum rate at which it leaves, in bits per second,
 *     counted as the line rate is; {@link #UNLIMITED}: no limit of its own
 */
@Withers
public record TrafficConfig(
        @Key
                @Says(
                        "How frames are assigned to the eight priorities, by their bytes only; it"
                                + " must be the same at both ends of a link.")
                @Allowed("a mapping, such as {trust: dscp, dscp: [{values: [26], priority: 3}]}")
                @Fixed("both ends of a link must assign the same priorities at every moment")
                Classify classify,
        @Key(min = "0", max = "7")
                @Says(
                        "The priorities whose frames are never dropped because a buffer is full. The"
                                + " others are lossy.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("[3] with pfc and credits, all with pause, none without flow control")
                @Fixed("memory is reserved for lossless priorities at the start")
                @When(
                        key = "flow-control",
                        is = {"pfc", "pause", "credits"})
                @Items(min = 1, max = 8, unique = true, each = TrafficConfig.PRIORITY_ALLOWED)
                List<Integer> lossless,
        @Key(name = "scheduler", codec = TrafficCodecs.Weights.class)
                @Says(
                        "Which priority is served next: the highest (strict), all in turn by bytes"
                                + " (dwrr), or a list of the eight priorities, from 0, each strict"
                                + " or with its weight (IEEE 802.1Q, enhanced transmission"
                                + " selection): strict priorities come first, the others share the"
                                + " remaining rate by weight.")
                @Allowed(
                        "strict, dwrr, or a list of eight, such as [1, 1, 1, 4, 1, 1, strict,"
                                + " strict]")
                @Otherwise("strict; dwrr for a host with flow control")
                List<Integer> weights,
        @Key(name = "priority-rates", codec = TrafficCodecs.RateLimits.class)
                @Says("Rate limits per priority; they apply even if the link is idle otherwise.")
                @Allowed("a list of at most eight, such as [{priority: 3, rate: 1Gbps}]")
                @Otherwise("no limits")
                List<Long> rateLimitsBps)
        implements TrafficConfigBuilder.With {

    public static final int PRIORITIES = 8;
    public static final int DSCPS = 64;
    public static final int STRICT = 0;
    public static final long UNLIMITED = 0;

    static final String PRIORITY_ALLOWED = "a priority from 0 to 7, such as 3";

    /** The default of a port: priorities come from tags, all are lossy, all are served strictly. */
    public static final TrafficConfig DEFAULT =
            Section.of(TrafficConfig.class)
                    .standard(Known.of(Map.of("flow-control", FlowControlConfig.Mode.NONE)));

    /**
     * Checks what the schema checks for files, for configurations that are built in code.
     *
     * @throws IllegalArgumentException if a list has the wrong size, or a priority is out of range
     */
    public TrafficConfig {
        lossless = lossless.stream().sorted().distinct().toList();
        weights = List.copyOf(weights);
        rateLimitsBps = List.copyOf(rateLimitsBps);
        boolean inRange =
                lossless.stream().allMatch(TrafficConfig::isPriority)
                        && weights.stream().allMatch(weight -> weight >= 0 && weight <= 100);
        if (weights.size() != PRIORITIES || rateLimitsBps.size() != PRIORITIES || !inRange) {
            throw new IllegalArgumentException(
                    ("Priorities are 0 to 7, weights eight from 0 to 100, rates eight; not"
                                    + " lossless %s, weights %s, rates %s")
                            .formatted(lossless, weights, rateLimitsBps));
        }
    }

    /**
     * The default follows from the protocol: PAUSE stops the whole link, the others one priority
     * each.
     */
    static List<Integer> lossless(Known known) {
        return switch (known.get("flow-control", FlowControlConfig.Mode.class)) {
            case NONE -> List.of();
            case PFC, CREDITS -> List.of(3);
            case PAUSE -> IntStream.range(0, PRIORITIES).boxed().toList();
        };
    }

    /**
     * The default weights: a host that serves applications, which has a TAP, shares its link among
     * priorities. The queue of a lossless priority stays full as long as applications send; served
     * strictly it would keep ARP waiting indefinitely, and a host that gets no answer drops what it
     * sends.
     */
    static List<Integer> weights(Known known) {
        boolean shares =
                known.isDeclared("tap")
                        && known.get("flow-control", FlowControlConfig.Mode.class)
                                != FlowControlConfig.Mode.NONE;
        return Collections.nCopies(PRIORITIES, shares ? 1 : STRICT);
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

    /** Which field of a frame says its priority. */
    public enum Trust {
        /** None: every frame has the port's default priority. */
        PORT,
        /** The priority code point of its outer tag. */
        PCP,
        /** The differentiated services code point of its IP header. */
        DSCP
    }

    /** The rules that give a frame its priority (IEEE 802.1Q clause 6.9, RFC 2474). */
    @Withers
    public record Classify(
            @Key(absent = "pcp")
                    @Says(
                            "Which part of a frame gives its priority: its tag (pcp), its IP header"
                                    + " (dscp), or none (port).")
                    Trust trust,
            @Key(name = "default", min = "0", max = "7", absent = "0")
                    @Says(
                            "Priority of frames without a tag (pcp) or without an IP header (dscp),"
                                    + " or of all frames (port).")
                    @Allowed(PRIORITY_ALLOWED)
                    int defaultPriority,
            @Key(name = "pcp", min = "0", max = "7")
                    @Says(
                            "The priority of each of the eight priority code points of a tag (IEEE"
                                    + " 802.1Q).")
                    @Allowed("a list of eight priorities, such as [0, 0, 2, 3, 4, 5, 6, 7]")
                    @Otherwise("[0, 1, 2, 3, 4, 5, 6, 7]")
                    @Items(min = 8, max = 8, each = PRIORITY_ALLOWED)
                    List<Integer> priorityOfPcp,
            @Key(name = "dscp", codec = TrafficCodecs.DscpTable.class)
                    @Says("The priority of differentiated services code points (RFC 2474).")
                    @Allowed(
                            "a list of at most 64 rows, such as [{values: [24-31, 46], priority:"
                                    + " 3}]")
                    @Otherwise("the DSCP divided by eight")
                    @When(
                            key = "trust",
                            is = {"dscp"})
                    List<Integer> priorityOfDscp)
            implements TrafficConfigClassifyBuilder.With {

        /**
         * Checks what the schema checks for files, for configurations that are built in code.
         *
         * @throws IllegalArgumentException if a list has the wrong size, or a priority is out of
         *     range
         */
        public Classify {
            priorityOfPcp = List.copyOf(priorityOfPcp);
            priorityOfDscp = List.copyOf(priorityOfDscp);
            boolean inRange =
                    isPriority(defaultPriority)
                            && priorityOfPcp.stream().allMatch(TrafficConfig::isPriority)
                            && priorityOfDscp.stream().allMatch(TrafficConfig::isPriority);
            if (priorityOfPcp.size() != PRIORITIES || priorityOfDscp.size() != DSCPS || !inRange) {
                throw new IllegalArgumentException(
                        "Priorities are 0 to 7 in tables of 8 and 64; not default %s, pcp %s, dscp %s"
                                .formatted(defaultPriority, priorityOfPcp, priorityOfDscp));
            }
        }

        static List<Integer> priorityOfPcp(Known known) {
            return IntStream.range(0, PRIORITIES).boxed().toList();
        }

        static List<Integer> priorityOfDscp(Known known) {
            return TrafficCodecs.DscpTable.BY_CLASS;
        }
    }
}
