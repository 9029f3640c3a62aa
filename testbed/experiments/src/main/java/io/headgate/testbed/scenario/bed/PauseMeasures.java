package io.headgate.testbed.scenario.bed;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.virtual.SwitchNode;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Computes the measures of flow control at a switch's port or at a host: buffers, headroom, pauses,
 * stops.
 *
 * @param entries descriptions of the owner's counters; others may be among them
 * @param owner owner of the counters
 * @param of suffix of the measures' names
 */
record PauseMeasures(
        CounterDirectory counters,
        List<Entry> entries,
        String owner,
        String of,
        int lossless,
        FlowControlConfig flowControl) {
    /**
     * Maximum number of ports in the table, which is unreadable with more; a scenario can record
     * counters of single ports instead.
     */
    static final int MOST_PORTS = 64;

    /** The suffix after a card's name for its side of the link. */
    private static final String WIRE = ".wire";

    private static final double NS_PER_US = 1e3;

    /** Measures of all ports of a switch that have flow control, in their order. */
    static List<Measure> of(SwitchNode node) {
        List<Measure> measures = new ArrayList<>();
        CounterDirectory counters = node.engine().counters();
        Map<String, List<Entry>> byOwner =
                counters.entries().stream().collect(Collectors.groupingBy(Entry::owner));
        for (PortConfig port : node.engine().config().ports()) {
            PauseMeasures here =
                    new PauseMeasures(
                            counters,
                            byOwner.getOrDefault(port.name(), List.of()),
                            port.name(),
                            " of " + node.name() + "/" + port.name(),
                            port.traffic().losslessMask(),
                            port.flowControl());
            if (here.isByPriority()) {
                measures.addAll(here.buffers());
                measures.addAll(here.stops());
            }
        }
        return measures;
    }

    /** Measures of a host's link; empty if it has no flow control. */
    static List<Measure> of(String host, HostCard card) {
        PortTraffic.End wire = card.setup().wire();
        PauseMeasures here =
                new PauseMeasures(
                        card.counters(),
                        card.counters().entries(),
                        card.setup().name() + WIRE,
                        " of " + host,
                        wire.traffic().losslessMask(),
                        wire.flowControl());
        return here.isByPriority() ? here.stops() : List.of();
    }

    /**
     * Measures of sets of ports and hosts: the most that one of them held, how often and how long
     * all together were stopped, and their longest queue.
     *
     * @param ofEach measures of all ports and hosts
     * @param facts facts of all ports, by their names
     */
    static List<Measure> ofTiers(
            Map<String, List<String>> tiers, List<Measure> ofEach, Map<String, PortFacts> facts) {
        Map<String, Measure> byName = new HashMap<>();
        ofEach.forEach(one -> byName.put(one.name(), one));
        List<Measure> measures = new ArrayList<>();
        tiers.forEach((tier, members) -> {
            for (MeasureKind kind : MeasureKind.values()) {
                List<Measure> parts =
                        kind.of() == MeasureKind.Of.PORT || kind.of() == MeasureKind.Of.END
                                ? members.stream()
                                        .map(one -> byName.get(kind.title() + " of " + one))
                                        .filter(Objects::nonNull)
                                        .toList()
                                : List.of();
                if (!parts.isEmpty()) {
                    DoubleSummaryStatistics all =
                            parts.stream().mapToDouble(Measure::value).summaryStatistics();
                    measures.add(
                            new Measure(
                                    kind.title() + " of " + tier,
                                    kind.unit(),
                                    kind.unit().equals("byte") ? all.getMax() : all.getSum()));
                }
            }
            members.stream()
                    .map(facts::get)
                    .filter(Objects::nonNull)
                    .mapToLong(PortFacts::queueMaxBytes)
                    .max()
                    .ifPresent(bytes ->
                            measures.add(new Measure("highest queue of " + tier, "byte", bytes)));
        });
        return measures;
    }

    private boolean isByPriority() {
        FlowControlConfig.Mode mode = flowControl.mode();
        return lossless != 0
                && (mode == FlowControlConfig.Mode.PFC || mode == FlowControlConfig.Mode.CREDITS);
    }

    private boolean hasPauses() {
        return flowControl.mode() == FlowControlConfig.Mode.PFC;
    }

    private List<Measure> buffers() {
        List<Measure> measures = new ArrayList<>();
        long highest =
                lossless(Scope.INGRESS, PriorityCounter.Ingress.OCCUPANCY_MAX_BYTES::label)
                        .getMax();
        measures.add(new Measure("highest buffer" + of, "byte", highest));
        FlowControlConfig.Buffers buffers = flowControl.buffers();
        // Thresholds that move with the pool leave no xoff to count from.
        if (buffers != null && buffers.xoffBytes() > 0) {
            double headroom = Math.max(0, highest - buffers.xoffBytes());
            measures.add(new Measure("headroom used" + of, "byte", headroom));
        }
        if (hasPauses()) {
            long sent = lossless(Scope.EGRESS, PriorityCounter.Egress.XOFF_SENT::label).getSum();
            measures.add(new Measure("pauses sent" + of, "pauses", sent));
        }
        return measures;
    }

    private List<Measure> stops() {
        List<Measure> measures = new ArrayList<>();
        if (hasPauses()) {
            long received =
                    lossless(Scope.INGRESS, PriorityCounter.Ingress.XOFF_RECEIVED::label).getSum();
            measures.add(new Measure("pauses received" + of, "pauses", received));
        }
        double stoppedNs =
                lossless(Scope.EGRESS, PriorityCounter.Egress.STOPPED_NS::label).getSum();
        measures.add(new Measure("time stopped" + of, "us", stoppedNs / NS_PER_US));
        return measures;
    }

    private LongSummaryStatistics lossless(Scope scope, IntFunction<String> label) {
        return IntStream.range(0, TrafficConfig.PRIORITIES)
                .filter(priority -> (lossless >>> priority & 1) != 0)
                .mapToObj(label)
                .mapToLong(name -> counters.value(CounterLookup.find(entries, scope, owner, name)))
                .summaryStatistics();
    }
}
