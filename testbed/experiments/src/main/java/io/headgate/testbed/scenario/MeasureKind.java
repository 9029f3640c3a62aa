package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of all numbers that a run can measure: the object, and the time from which and to
 * which it is measured. A run begins at 0 and ends with its duration; the warm-up that the real bed
 * does before is in no number.
 */
public enum MeasureKind {
    FRAMES_SENT("frames", "given to senders' cards in the run, repeated ones among them"),
    FRAMES_RECEIVED(
            "frames",
            "that receivers took in the run: of flows with a window or a transport each once and in"
                    + " order"),
    FRAMES_CARRIED(
            "frames",
            "that came to receivers in the run, those among them that they threw away as repeated"
                    + " or out of order"),
    FRAMES_REORDERED(
            "frames", "of flows without arrivals, that came after a later frame of their flow"),
    BYTES_RECEIVED("byte", "lengths of the frames received, without FCS"),
    THROUGHPUT("Gb/s", "bits of frames received, without FCS, over the whole run"),
    CARRIED(
            "Gb/s",
            "bits of frames carried, without FCS, over the whole run: what fills the receivers'"
                    + " links"),
    FRAMES_MARKED("frames", "of frames received, that came marked \"congestion experienced\""),
    FRAMES_UNDETERMINED("frames", "of frames received, that came marked \"undetermined\" (TCD)"),
    FAIRNESS(
            "",
            "Jain's index of what receivers took of each flow over the whole run, 1: all the same;"
                    + " not with arrivals"),
    MEAN_DELAY("us", "of frames received, from when each was due to its arrival"),
    LARGEST_DELAY("us", "the largest of these"),
    FLOWS_BEGUN("flows", "of flows with a size, that began in the run"),
    FLOWS_FINISHED("flows", "of these, that had arrived whole when the run ended"),
    FLOWS_UNFINISHED("flows", "of these, that had not"),
    BYTES_BEGUN("byte", "sizes of the flows begun"),
    BYTES_FINISHED("byte", "sizes of the flows finished"),
    BYTES_UNFINISHED("byte", "whole sizes of the flows unfinished"),
    MAKESPAN(
            "us",
            "from when the first of the flows began to when the last had arrived whole: a"
                    + " collective's completion time; only if all began and finished"),
    LAST_ARRIVAL(
            "us",
            "when that was, since the run's beginning: of several collectives the largest is a"
                    + " step's end"),
    MEAN_COMPLETION(
            "us", "of the flows finished, from each one's beginning to its last byte's arrival"),
    P50_COMPLETION("us", "what half of these times do not exceed"),
    P95_COMPLETION("us", "what 95 % of these times do not exceed"),
    P99_COMPLETION("us", "what 99 % of these times do not exceed; from 100 flows on"),
    P999_COMPLETION(
            Of.FLOWS,
            "p99.9 completion",
            "us",
            "what 99.9 % of these times do not exceed; from 1,000 flows on"),
    P50_SLOWDOWN(
            "",
            "completion over that alone in the network, what half of the flows finished do not"
                    + " exceed; in virtual time"),
    P95_SLOWDOWN("", "the same, of 95 %"),
    P99_SLOWDOWN("", "the same, of 99 %; from 100 flows on"),
    P999_SLOWDOWN(Of.FLOWS, "p99.9 slowdown", "", "the same, of 99.9 %; from 1,000 flows on"),
    MEAN_SLOWDOWN("", "the mean of these"),
    MEAN_RATE("Gb/s", "of the flows finished, of each its size over its completion time"),
    RATE_DEVIATION("Gb/s", "standard deviation of these rates"),
    MESSAGES("messages", "on reliable connections, acknowledged whole in the run"),
    GOODPUT("Gb/s", "bits of payload of these messages over the whole run"),
    MEAN_MESSAGE_TIME("us", "of these messages, from the first packet to the acknowledgement"),
    LARGEST_MESSAGE_TIME("us", "the largest of these"),
    PACKETS_REPEATED("packets", "of messages, that senders sent again in the run"),
    FRAMES_DROPPED(Of.RUN, "frames", "by all switches in the run, for whatever reason"),
    DROPPED_BY_HOSTS(
            Of.RUN,
            "frames dropped by hosts",
            "frames",
            "by all hosts' own cards in the run, for whatever reason"),
    HIGHEST_QUEUE(
            Of.RUN,
            "byte",
            "the most that any egress queue of a switch held at any moment of the run"),
    HIGHEST_BUFFER_OF_ALL(
            Of.RUN,
            "highest buffer",
            "byte",
            "the most that a lossless priority of any port of a switch had received and still held"
                    + " in the run"),
    HIGHEST_QUEUE_OF_TIER(
            Of.TIER,
            "highest queue",
            "byte",
            "the most that an egress queue of the tier's ports held in the run; in virtual time"),
    FRAME_HOPS(
            Of.RUN,
            "frame-hops",
            "frames",
            "of any kind over all links in the run; in virtual time"),
    DEADLOCKS(Of.RUN, "", "cyclic waits that were found in the run; in virtual time"),
    HIGHEST_BUFFER(
            Of.PORT,
            "byte",
            "the most that a lossless priority of the port had received and still held in the run;"
                    + " in virtual time, up to 64 ports"),
    HEADROOM_USED(Of.PORT, "byte", "of that, what was above a fixed xoff"),
    PAUSES_SENT(
            Of.PORT,
            "pauses",
            "that the port sent in the run and that began one; refreshes are not counted"),
    PAUSES_RECEIVED(
            Of.END, "pauses", "that the port or host received in the run and that began one"),
    TIME_STOPPED(
            Of.END,
            "us",
            "for how long of the run the port or host was paused or without credits, summed over"
                    + " its lossless priorities");

    /** The kind of object that a number describes. */
    public enum Of {
        /** The flows of a name: {@code throughput of bulk}. */
        FLOWS("NAME"),
        /** A switch's port: {@code pauses sent of s1/p1}. */
        PORT("PORT"),
        /** A switch's port or a host. */
        END("PLACE"),
        /** A set of ports that a scenario names. What is of ports or ends is of tiers, too. */
        TIER("TIER"),
        /** The whole run; the measure's name has no place. */
        RUN("");

        private final String place;

        Of(String place) {
            this.place = place;
        }
    }

    private final Of of;
    private final String title;
    private final String unit;
    private final String says;

    /** A measure of flows, named by the constant's own words. */
    MeasureKind(String unit, String says) {
        this(Of.FLOWS, unit, says);
    }

    /** A measure named by the constant's own words. */
    MeasureKind(Of of, String unit, String says) {
        this(of, "", unit, says);
    }

    MeasureKind(Of of, String title, String unit, String says) {
        this.of = of;
        this.title = title.isEmpty() ? name().toLowerCase(Locale.ROOT).replace('_', ' ') : title;
        this.unit = unit;
        this.says = says;
    }

    public Of of() {
        return of;
    }

    /** Whether only virtual time has it. */
    public boolean isVirtual() {
        return switch (this) {
            case P50_SLOWDOWN,
                    P95_SLOWDOWN,
                    P99_SLOWDOWN,
                    P999_SLOWDOWN,
                    MEAN_SLOWDOWN,
                    HIGHEST_QUEUE_OF_TIER,
                    FRAME_HOPS,
                    DEADLOCKS,
                    HIGHEST_BUFFER,
                    HEADROOM_USED,
                    PAUSES_SENT,
                    PAUSES_RECEIVED,
                    TIME_STOPPED ->
                    true;
            default -> false;
        };
    }

    /** Whether it is computed from single flows, so that a class of flows by size also has it. */
    public boolean isOfSizes() {
        return compareTo(FLOWS_BEGUN) >= 0 && compareTo(RATE_DEVIATION) <= 0;
    }

    /** The name without its object. */
    public String title() {
        return title;
    }

    public String unit() {
        return unit;
    }

    /** The definition of the measure, and its period. */
    public String says() {
        return says;
    }

    /** The name with a word for its object: {@code throughput of NAME}. */
    public String form() {
        return of == Of.RUN ? title : title + " of " + of.place;
    }

    /** Names of all numbers of a kind of object. */
    public static List<String> names(Of of, Iterable<String> things) {
        return names(kind -> kind.of == of, things);
    }

    /** Names of all numbers of classes of flows by size. */
    public static List<String> ofSizes(Iterable<String> classes) {
        return names(MeasureKind::isOfSizes, classes);
    }

    private static List<String> names(Predicate<MeasureKind> which, Iterable<String> things) {
        List<String> names = new ArrayList<>();
        for (String thing : things) {
            Stream.of(values())
                    .filter(which)
                    .forEach(kind -> names.add(kind.title + " of " + thing));
        }
        return names;
    }

    /**
     * The kind of a measure by its name; null for a scenario's own measure or a measure of a
     * series.
     */
    public static @Nullable MeasureKind of(String name) {
        for (MeasureKind kind : values()) {
            boolean isOf = name.startsWith(kind.title + " of ");
            if (kind.of == Of.RUN ? name.equals(kind.title) : isOf) {
                return kind;
            }
        }
        return null;
    }
}
