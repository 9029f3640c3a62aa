package io.headgate.testbed.lab.own;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can be measured of a lab, or of a phase. */
public enum LabMeasure {
    /** Between sockets: in switches, agents, TAPs and sockets. */
    FRAMES_LOST("frames lost", "frames", true, true, false),
    /** Datagrams of UDP that came behind later ones of their flow. */
    OUT_OF_ORDER("datagrams out of order", "datagrams", true, false, true),
    /** For how long pauses or missing credits stopped hosts, all together. */
    TIME_STOPPED("time stopped", "ms", true, true, false),
    /** By switches, for any reason. */
    FRAMES_DROPPED("frames dropped", "frames", false, false, false),
    /** Payload of UDP that receivers read, of what senders gave to their sockets. */
    SHARE_RECEIVED("share received", "%", false, false, true),
    /** That receivers read in a second. */
    DATAGRAMS_RECEIVED("datagrams received", "1/s", false, false, true),
    /** Datagrams lost in queues or behind them, of those that came there. */
    SHARE_LOST_IN_QUEUES("share lost in queues", "%", false, true, true),
    /** Frames lost where no queue was full and none was pushed out. */
    LOST_OUTSIDE("frames lost outside queues", "frames", false, true, false);

    private final String word;
    private final String unit;
    private final boolean isOfLabs;
    private final boolean needsCards;
    private final boolean isOfHosts;

    LabMeasure(String word, String unit, boolean isOfLabs, boolean needsCards, boolean isOfHosts) {
        this.word = word;
        this.unit = unit;
        this.isOfLabs = isOfLabs;
        this.needsCards = needsCards;
        this.isOfHosts = isOfHosts;
    }

    /** As files write it; null: no such. */
    static @Nullable LabMeasure of(String word) {
        return Arrays.stream(values())
                .filter(one -> one.word.equals(word))
                .findFirst()
                .orElse(null);
    }

    /** All as files write them. */
    static String words() {
        return Arrays.stream(values()).map(LabMeasure::word).collect(Collectors.joining(", "));
    }

    /** As files write it. */
    public String word() {
        return word;
    }

    public String unit() {
        return unit;
    }

    /** Whether a lab as a whole has it, where hosts have cards of ours. */
    boolean isOfLabs() {
        return isOfLabs;
    }

    /** Whether phases have it. */
    boolean isOfPhases() {
        return this != TIME_STOPPED;
    }

    /** Whether it is known only where hosts have cards of ours. */
    boolean needsCards() {
        return needsCards;
    }

    /** Whether the flows of one host have it, too. */
    boolean isOfHosts() {
        return isOfHosts;
    }

    /**
     * A measure of a phase, as in {@code lqd: share lost in queues of h1}.
     *
     * @param phase its place among those of the lab
     * @param host whose flows; empty: all
     */
    public record Of(int phase, LabMeasure measure, String host) {
        /** What a name says; null where it says nothing. */
        public static @Nullable Of parse(String name, List<String> phases, List<String> hosts) {
            int colon = name.indexOf(": ");
            int phase = colon < 0 ? -1 : phases.indexOf(name.substring(0, colon));
            if (phase < 0) {
                return null;
            }
            String rest = name.substring(colon + 2);
            for (LabMeasure one : values()) {
                String of = one.word + " of ";
                boolean isOfHost = rest.startsWith(of) && one.isOfHosts;
                String host = isOfHost ? rest.substring(of.length()) : "";
                if (one.isOfPhases()
                        && (rest.equals(one.word) || (isOfHost && hosts.contains(host)))) {
                    return new Of(phase, one, host);
                }
            }
            return null;
        }
    }
}
