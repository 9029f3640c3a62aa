package io.headgate.testbed.scenario.bed;

import java.util.List;

/**
 * What is recorded over time. Counters at the end are kept in any case.
 *
 * @param intervalPs between two samples, in ps, at least 1 ns
 * @param throughputOf groups of flows whose arrivals are summed over each interval, a frame's bytes
 *     over the time for which it is on its receiver's link; series {@code throughput GROUP}, in
 *     Gb/s of frames without FCS, at the middle of the interval
 * @param queueAt ports of switches, as {@code s1/p4}, whose queue is looked at after each interval;
 *     series {@code queue s1/p4}, in kB
 * @param bufferAt ports of switches, looked at likewise: how much of what they received they still
 *     hold; series {@code buffer s1/p1}, in kB. In virtual time only
 * @param stoppedAt hosts and ports of switches, looked at likewise: for how much of the interval
 *     they were paused or without credits; series {@code stopped h1}, in %. In virtual time only
 * @param counters any counter, as {@code s1/p4 red.marked.p0}, looked at likewise; series {@code
 *     counter s1/p4 red.marked.p0}, in the counter's unit
 * @param marksOf groups of flows; series {@code arrived GROUP}, {@code congested GROUP} and {@code
 *     undetermined GROUP}: frames that arrived in each interval, and those marked so
 * @param ratesOf groups of flows, looked at likewise: what the rate control of each flow allows;
 *     series {@code rate GROUP h1}, in Gb/s on the wire, of a host's second flow {@code rate GROUP
 *     h1 2}
 * @param sizeBounds where classes of flows by their size end, in bytes, increasing; {@link
 *     GroupFacts#bySize} has their completion times
 * @param headroomAt ports of switches, looked at likewise: how much of what they hold is above
 *     xoff; series {@code headroom s1/p1}, in kB. In virtual time only
 */
public record Recording(
        long intervalPs,
        List<String> throughputOf,
        List<String> queueAt,
        List<String> bufferAt,
        List<String> stoppedAt,
        List<String> counters,
        List<String> marksOf,
        List<String> ratesOf,
        List<Long> sizeBounds,
        List<String> headroomAt) {
    static final int MAX_SAMPLES = 1_000_000;
    private static final long SHORTEST_PS = 1000;

    /**
     * @throws IllegalArgumentException if the interval is too short
     */
    public Recording {
        throughputOf = List.copyOf(throughputOf);
        queueAt = List.copyOf(queueAt);
        bufferAt = List.copyOf(bufferAt);
        stoppedAt = List.copyOf(stoppedAt);
        counters = List.copyOf(counters);
        marksOf = List.copyOf(marksOf);
        ratesOf = List.copyOf(ratesOf);
        sizeBounds = List.copyOf(sizeBounds);
        headroomAt = List.copyOf(headroomAt);
        if (intervalPs < SHORTEST_PS) {
            throw new IllegalArgumentException(
                    "samples every " + intervalPs + " ps: 1 ns or more is allowed");
        }
    }

    /** Of what every bed can see. */
    public Recording(long intervalPs, List<String> throughputOf, List<String> queueAt) {
        this(intervalPs, throughputOf, queueAt, List.of(), List.of());
    }

    /** Without counters. */
    public Recording(
            long intervalPs,
            List<String> throughputOf,
            List<String> queueAt,
            List<String> bufferAt,
            List<String> stoppedAt) {
        this(
                intervalPs,
                throughputOf,
                queueAt,
                bufferAt,
                stoppedAt,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** The same, with counters. */
    public Recording withCounters(List<String> names) {
        return new Recording(
                intervalPs,
                throughputOf,
                queueAt,
                bufferAt,
                stoppedAt,
                names,
                marksOf,
                ratesOf,
                sizeBounds,
                headroomAt);
    }

    /** The same, with the marks of groups. */
    public Recording withMarksOf(List<String> groups) {
        return new Recording(
                intervalPs,
                throughputOf,
                queueAt,
                bufferAt,
                stoppedAt,
                counters,
                groups,
                ratesOf,
                sizeBounds,
                headroomAt);
    }

    /** The same, with what rate controls of groups allow. */
    public Recording withRatesOf(List<String> groups) {
        return new Recording(
                intervalPs,
                throughputOf,
                queueAt,
                bufferAt,
                stoppedAt,
                counters,
                marksOf,
                groups,
                sizeBounds,
                headroomAt);
    }

    /** The same, with completion times of flows by their size. */
    public Recording withSizeBounds(List<Long> bounds) {
        return new Recording(
                intervalPs,
                throughputOf,
                queueAt,
                bufferAt,
                stoppedAt,
                counters,
                marksOf,
                ratesOf,
                bounds,
                headroomAt);
    }

    /** The same, with how much of their headroom ports use. */
    public Recording withHeadroomAt(List<String> ports) {
        return new Recording(
                intervalPs,
                throughputOf,
                queueAt,
                bufferAt,
                stoppedAt,
                counters,
                marksOf,
                ratesOf,
                sizeBounds,
                ports);
    }

    /** Counters alone. */
    public static final Recording NOTHING = new Recording(Long.MAX_VALUE, List.of(), List.of());

    static String throughput(String group) {
        return "throughput " + group;
    }

    static String queue(String port) {
        return "queue " + port;
    }

    static String buffer(String port) {
        return "buffer " + port;
    }

    static String headroom(String port) {
        return "headroom " + port;
    }

    static String counter(String name) {
        return "counter " + name;
    }

    static String stopped(String hostOrPort) {
        return "stopped " + hostOrPort;
    }
}
