package io.headgate.testbed.scenario.bed;

import io.headgate.config.Withers;
import io.headgate.config.key.Codecs;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The series that a run records over time. Counters at the end are always kept.
 *
 * @param intervalPs time between two samples, in ps, at least 1 ns
 * @param names recorded names of each kind; a kind without names may be missing
 * @param tiers named sets of ports of switches and hosts; the queue or buffer of a tier is the mean
 *     of its ports
 */
@Withers
public record Recording(
        long intervalPs, Map<Recording.Kind, List<String>> names, Map<String, List<String>> tiers)
        implements RecordingBuilder.With {
    /** The kinds of recorded series. A series is named by its kind and its object. */
    public enum Kind {
        /**
         * For a group of flows: the throughput of each interval, with a frame's bytes spread over
         * the time for which it is on its receiver's link, in Gb/s of frames without FCS, at the
         * middle of the interval. Series {@code throughput GROUP}.
         */
        THROUGHPUT,

        /** For a switch's port, as {@code s1/p4}: its queue, in kB. Series {@code queue s1/p4}. */
        QUEUE,

        /**
         * For a switch's port: the part of the received frames that it still holds, in kB. In
         * virtual time only.
         */
        BUFFER,

        /**
         * For a switch's port: the part of the held frames that is above xoff, in kB. In virtual
         * time only.
         */
        HEADROOM,

        /**
         * For a host or a switch's port: the share of the interval for which it was paused or
         * without credits, in %. Series {@code stopped h1}. In virtual time only.
         */
        STOPPED,

        /**
         * For a host or a switch's port: the length of each period between two pauses, in us, at
         * its end. Series {@code on h1}. In virtual time only.
         */
        ON,

        /**
         * Any counter, as {@code s1/p4 red.marked.p0}, in its unit. Series {@code counter s1/p4
         * red.marked.p0}.
         */
        COUNTER,

        /**
         * For a group of flows: frames that arrive in each interval, and those marked. Series
         * {@code arrived GROUP}, {@code congested GROUP} and {@code undetermined GROUP}.
         */
        MARKS,

        /**
         * For each flow of a group: the rate that its rate control allows, in Gb/s on the wire.
         * Series {@code rate GROUP h1}, and {@code rate GROUP h1 2} for a host's second flow.
         */
        RATE,

        /**
         * For a group of flows on kept connections: the rate that their rate controls allow at that
         * time, in Mb/s on the wire, as the mean and the standard deviation over all connections
         * that have something to send. Series {@code allowed GROUP} and {@code spread GROUP}. In
         * virtual time only.
         */
        ALLOWED;

        /** The name of the series of a port, group, host or counter. */
        public String series(String of) {
            return (this == MARKS ? "arrived" : Codecs.word(this)) + " " + of;
        }
    }

    static final int MAX_SAMPLES = 1_000_000;
    private static final long SHORTEST_PS = 1000;

    /** Records only counters. */
    public static final Recording NOTHING = new Recording(Long.MAX_VALUE, List.of(), List.of());

    /**
     * @throws IllegalArgumentException if the interval is too short
     */
    public Recording {
        Map<Kind, List<String>> copies = new EnumMap<>(Kind.class);
        names.forEach((kind, each) -> {
            if (!each.isEmpty()) {
                copies.put(kind, List.copyOf(each));
            }
        });
        names = Collections.unmodifiableMap(copies);
        tiers = new LinkedHashMap<>(tiers);
        if (intervalPs < SHORTEST_PS) {
            throw new IllegalArgumentException(
                    "samples every " + intervalPs + " ps: 1 ns or more is allowed");
        }
    }

    /** The most common recordings. */
    public Recording(long intervalPs, List<String> throughputOf, List<String> queueAt) {
        this(intervalPs, Map.of(Kind.THROUGHPUT, throughputOf, Kind.QUEUE, queueAt), Map.of());
    }

    /** The recorded names of a kind. */
    public List<String> of(Kind kind) {
        return names.getOrDefault(kind, List.of());
    }

    /** The recording with these names of a kind. */
    public Recording with(Kind kind, List<String> these) {
        Map<Kind, List<String>> all = new EnumMap<>(Kind.class);
        all.putAll(names);
        all.put(kind, these);
        return withNames(all);
    }

    /** The ports of a tier; for a port's name the port itself. */
    List<String> ports(String tierOrPort) {
        return tiers.getOrDefault(tierOrPort, List.of(tierOrPort));
    }
}
