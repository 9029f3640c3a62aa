package io.headgate.testbed.datacenter;

import java.util.List;

/**
 * The plan of the benchmark: tests, frame sizes, rates and durations.
 *
 * @param tests of {@link #TESTS}
 * @param sizesBytes of frames with their FCS, 64 to 1518, for buffering and microbursts
 * @param burstRateBps of the ports there: low, so that frames come far faster than they leave
 * @param flowRateBps of the ports in the other two
 * @param rounds of buffering and microbursts
 * @param seconds of each flow of traffic
 * @param seed of payloads and of the switch
 */
public record DatacenterPlan(
        List<String> tests,
        List<Integer> sizesBytes,
        long burstRateBps,
        long flowRateBps,
        int rounds,
        int seconds,
        long seed) {
    public static final String BUFFERING = "buffering";
    public static final String MICROBURST = "microburst";
    public static final String HEAD_OF_LINE = "hol";
    public static final String INCAST = "incast";

    /** In the order of RFC 8239's sections. */
    public static final List<String> TESTS = List.of(BUFFERING, MICROBURST, HEAD_OF_LINE, INCAST);

    public DatacenterPlan {
        tests = List.copyOf(tests);
        sizesBytes = List.copyOf(sizesBytes);
    }

    /** The same, short: does all of it work? */
    public DatacenterPlan smoke() {
        return new DatacenterPlan(tests, List.of(64, 1518), burstRateBps, flowRateBps, 1, 2, seed);
    }
}
