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
    FRAMES_SENT("frames", "frames given to senders' cards in the run, including repeated ones"),
    FRAMES_RECEIVED(
            "frames",
            "frames that receivers accepted in the run; flows with a window or a transport count"
                    + " each frame once and in order"),
    FRAMES_CARRIED(
            "frames",
            "frames that arrived at receivers in the run, including those that were discarded as"
                    + " repeated or out of order"),
    FRAMES_REORDERED(
            "frames",
            "frames of flows without arrivals that arrived after a later frame of their flow"),
    BYTES_RECEIVED("byte", "lengths of the frames received, without FCS"),
    THROUGHPUT("Gb/s", "bits of frames received, without FCS, over the whole run"),
    CARRIED(
            "Gb/s",
            "bits of frames carried, without FCS, over the whole run: the load of the receivers'"
                    + " links"),
    FRAMES_MARKED("frames", "received frames with the mark \"congestion experienced\""),
    FRAMES_UNDETERMINED("frames", "received frames with the mark \"undetermined\" (TCD)"),
    FAIRNESS(
            "",
            "Jain's index of the bytes that receivers accepted of each flow over the whole run, 1:"
                    + " all equal; not with arrivals"),
    MEAN_DELAY(
            "us",
            "mean time of received frames from the time at which each was due to its arrival"),
    LARGEST_DELAY("us", "the largest of these"),
    FLOWS_BEGUN("flows", "flows with a size that began in the run"),
    FLOWS_FINISHED("flows", "flows begun that had arrived completely at the end of the run"),
    FLOWS_UNFINISHED("flows", "flows begun that had not arrived completely at the end of the run"),
    BYTES_BEGUN("byte", "sizes of the flows begun"),
    BYTES_FINISHED("byte", "sizes of the flows finished"),
    BYTES_UNFINISHED("byte", "full sizes of the flows unfinished"),
    MAKESPAN(
            "us",
            "time from the beginning of the first flow to the complete arrival of the last one: a"
                    + " collective's completion time; only if all flows began and finished"),
    LAST_ARRIVAL(
            "us",
            "time from the beginning of the run to the complete arrival of the last flow: of"
                    + " several collectives, the largest is the end of a step"),
    MEAN_COMPLETION(
            "us",
            "mean time of the finished flows from the beginning to the arrival of the last byte"),
    P50_COMPLETION("us", "half of these times do not exceed it"),
    P95_COMPLETION("us", "95 % of these times do not exceed it"),
    P99_COMPLETION("us", "99 % of these times do not exceed it; from 100 flows on"),
    P999_COMPLETION(
            Of.FLOWS,
            "p99.9 completion",
            "us",
            "99.9 % of these times do not exceed it; from 1,000 flows on"),
    P50_SLOWDOWN(
            "",
            "completion time divided by the completion time alone in the network; half of the"
                    + " finished flows do not exceed it; in virtual time"),
    P95_SLOWDOWN("", "the same for 95 % of the flows"),
    P99_SLOWDOWN("", "the same for 99 % of the flows; from 100 flows on"),
    P999_SLOWDOWN(
            Of.FLOWS,
            "p99.9 slowdown",
            "",
            "the same for 99.9 % of the flows; from 1,000 flows on"),
    MEAN_SLOWDOWN("", "the mean of these"),
    MEAN_RATE("Gb/s", "mean of size divided by completion time, over the finished flows"),
    RATE_DEVIATION("Gb/s", "standard deviation of these rates"),
    MESSAGES(
            "messages",
            "messages on reliable connections that were completely acknowledged in the run"),
    GOODPUT("Gb/s", "bits of payload of these messages over the whole run"),
    MEAN_MESSAGE_TIME(
            "us", "mean time of these messages from the first packet to the acknowledgement"),
    LARGEST_MESSAGE_TIME("us", "the largest of these"),
    PACKETS_REPEATED("packets", "packets of messages that senders sent again in the run"),
    FRAMES_DROPPED(Of.RUN, "frames", "frames dropped by all switches in the run, for any reason"),
    DROPPED_BY_HOSTS(
            Of.RUN,
            "frames dropped by hosts",
            "frames",
            "frames dropped by all hosts' cards in the run, for any reason"),
    HIGHEST_QUEUE(Of.RUN, "byte", "maximum length of any egress queue of a switch in the run"),
    HIGHEST_BUFFER_OF_ALL(
            Of.RUN,
            "highest buffer",
            "byte",
            "maximum number of bytes that a lossless priority of any switch port had received and"
                    + " still held in the run"),
    HIGHEST_QUEUE_OF_TIER(
            Of.TIER,
            "highest queue",
            "byte",
            "maximum length of any egress queue of the tier's ports in the run; in virtual time"),
    FRAME_HOPS(
            Of.RUN,
            "frame-hops",
            "frames",
            "frames of any kind, summed over all links, in the run; in virtual time"),
    DEADLOCKS(Of.RUN, "", "cyclic waits (deadlocks) found in the run; in virtual time"),
    HIGHEST_BUFFER(
            Of.PORT,
            "byte",
            "maximum number of bytes that a lossless priority of the port had received and still"
                    + " held in the run; in virtual time, up to 64 ports"),
    HEADROOM_USED(Of.PORT, "byte", "part of this maximum above a fixed xoff"),
    PAUSES_SENT(
            Of.PORT, "pauses", "pauses that the port sent in the run; refreshes are not counted"),
    PAUSES_RECEIVED(
            Of.END,
            "pauses",
            "pauses that the port or host received in the run; refreshes are not counted"),
    TIME_STOPPED(
            Of.END,
            "us",
            "time for which the port or host was paused or without credits in the run, summed over"
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
