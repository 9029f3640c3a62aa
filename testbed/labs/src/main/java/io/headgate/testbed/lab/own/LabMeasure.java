package io.headgate.testbed.lab.own;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The quantities that can be measured for a lab, or for a phase. */
public enum LabMeasure {
    /** Between sockets: in switches, agents, TAPs and sockets. */
    FRAMES_LOST("frames lost", "frames", true, true, false),
    /** Datagrams of UDP that came behind later ones of their flow. */
    OUT_OF_ORDER("datagrams out of order", "datagrams", true, false, true),
    /** For how long pauses or missing credits stopped hosts, all together. */
    TIME_STOPPED("time stopped", "ms", true, true, false),
    /** By endpoints of RoCEv2, for any reason. */
    PACKETS_REPEATED("packets repeated", "packets", false, false, false),
    /** By switches, for any reason. */
    FRAMES_DROPPED("frames dropped", "frames", false, false, false),
    /** Payload of UDP that receivers read, of what senders gave to their sockets. */
    SHARE_RECEIVED("share received", "%", false, false, true),
    /** That receivers read in a second. */
    DATAGRAMS_RECEIVED("datagrams received", "1/s", false, false, true),
    /** Datagrams lost in queues or behind them, of those that came there. */
    SHARE_LOST_IN_QUEUES("share lost in queues", "%", false, true, true),
    /** Frames lost where no queue was full and none was pushed out. */
    LOST_OUTSIDE("frames lost outside queues", "frames", false, true, false),
    /** Payload that receivers read. */
    THROUGHPUT("throughput", "Mb/s", false, false, true),
    /** Frames of UDP that came to their receivers' links marked "congestion experienced". */
    MARKED_CONGESTED("frames marked congested", "%", false, false, true),
    /** The same marked "undetermined". */
    MARKED_UNDETERMINED("frames marked undetermined", "%", false, false, true);

    /** Those that count what is lost. */
    public static final Set<LabMeasure> OF_LOSSES =
            Collections.unmodifiableSet(
                    EnumSet.of(FRAMES_LOST, FRAMES_DROPPED, LOST_OUTSIDE, SHARE_LOST_IN_QUEUES));

    /** Those that are looked at in each phase at the hosts' cards, too. */
    public static final Set<LabMeasure> OF_CARDS =
            Collections.unmodifiableSet(
                    EnumSet.of(
                            FRAMES_LOST,
                            FRAMES_DROPPED,
                            LOST_OUTSIDE,
                            SHARE_LOST_IN_QUEUES,
                            TIME_STOPPED,
                            PACKETS_REPEATED));

    private final String word;
    private final String unit;
    private final boolean isOfLabs;
    private final boolean needsCards;
    private final boolean isOfFlows;

    LabMeasure(String word, String unit, boolean isOfLabs, boolean needsCards, boolean isOfFlows) {
        this.word = word;
        this.unit = unit;
        this.isOfLabs = isOfLabs;
        this.needsCards = needsCards;
        this.isOfFlows = isOfFlows;
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

    /** Whether phases expect it. */
    boolean isOfPhases() {
        return this != TIME_STOPPED;
    }

    /** Whether it is known only where hosts have cards of ours. */
    boolean needsCards() {
        return needsCards;
    }

    /** Whether the flows of one host have it, too. */
    boolean isOfFlows() {
        return isOfFlows;
    }

    /** Whether one of these hosts has it, or flows of one of these names. */
    boolean isOf(String of, List<String> hosts, List<String> flows) {
        return (isOfFlows && hosts.contains(of)) || (isOfNames() && flows.contains(of));
    }

    /** Whether flows of one name have it. */
    boolean isOfNames() {
        return isOfFlows && this != SHARE_LOST_IN_QUEUES;
    }

    /** Whether datagrams tell it. */
    boolean needsUdp() {
        return isOfFlows && this != OUT_OF_ORDER && this != THROUGHPUT;
    }

    /**
     * A measure of a phase, as in {@code lqd: share lost in queues of h1}, or of a lab without
     * phases, as in {@code throughput of victim}.
     *
     * @param phase its place among those of the lab
     * @param of whose flows: a host's, or those of a name; empty: all
     */
    public record Of(int phase, LabMeasure measure, String of) {
        /**
         * What a name says; null where it says nothing.
         *
         * @param phases names of the lab's phases; empty: it has none
         * @param hosts whose flows it may name
         * @param flows names of flows
         */
        static @Nullable Of parse(
                String name, List<String> phases, List<String> hosts, List<String> flows) {
            InPhase in = InPhase.of(name, phases);
            if (in == null) {
                return null;
            }
            String rest = in.rest();
            for (LabMeasure one : values()) {
                String of =
                        rest.startsWith(one.word + " of ")
                                ? rest.substring(one.word.length() + 4)
                                : "";
                boolean isKnown = of.isEmpty() ? rest.equals(one.word) : one.isOf(of, hosts, flows);
                if (isKnown) {
                    return new Of(in.phase(), one, of);
                }
            }
            return null;
        }
    }
}
