package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.FlowLog;
import io.headgate.testbed.traffic.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Builds series of the results of each flow that has a size. */
public final class FlowSeries {
    private static final double PS_PER_US = 1e6;
    private static final int MOST_PATHS = 10_000;

    private FlowSeries() {}

    /**
     * Series of all groups, with times scaled back.
     *
     * @param begunPs flows that began later are left out
     * @param endPs end of the run in its own time: flows that had not arrived completely by then
     *     are unfinished
     * @param scale factor by which the bed was slower than described
     */
    public static List<Series> of(Traffic traffic, long begunPs, long endPs, double scale) {
        Map<FlowGroup, List<FlowLog.Entry>> byGroup = new LinkedHashMap<>();
        traffic.groups().forEach(group -> byGroup.put(group, new ArrayList<>()));
        for (FlowLog.Entry entry : traffic.begun(begunPs)) {
            byGroup.computeIfAbsent(entry.group(), _ -> new ArrayList<>()).add(entry);
        }
        List<Series> all = new ArrayList<>();
        byGroup.forEach((group, entries) -> {
            if (!entries.isEmpty()) {
                all.addAll(flows(group, entries, endPs, scale).series());
            }
        });
        return all;
    }

    /**
     * A shortest path, as {@code h1 s1 h4}, for each pair of hosts with flows; the ideal time is
     * computed for its links. If several paths cost the same, the run's flows are spread over them.
     */
    static Map<String, String> paths(List<FlowLog.Entry> flows, NetworkPlan plan) {
        Map<String, String> paths = new LinkedHashMap<>();
        for (FlowLog.Entry entry : flows) {
            int from = entry.sourceHost();
            int to = entry.destinationHost();
            String pair = host(plan, from) + " " + host(plan, to);
            if (paths.size() < MOST_PATHS && !paths.containsKey(pair)) {
                paths.put(pair, path(plan, from, to));
            }
        }
        return paths;
    }

    private static String path(NetworkPlan plan, int from, int to) {
        return plan.way(from, to).stream()
                .map(end -> plan.node(end) + " ")
                .collect(Collectors.joining("", "", host(plan, to)));
    }

    private static String host(NetworkPlan plan, int number) {
        return plan.hosts().get(number).name();
    }

    private static Flows flows(
            FlowGroup group, List<FlowLog.Entry> entries, long endPs, double scale) {
        double perUs = PS_PER_US * scale;
        return new Flows(
                group.name(),
                entries.stream().mapToDouble(entry -> entry.startPs() / perUs).toArray(),
                entries.stream().mapToDouble(FlowLog.Entry::sizeBytes).toArray(),
                entries.stream()
                        .mapToDouble(entry ->
                                entry.isFinished(endPs) ? entry.completionPs() / perUs : Double.NaN)
                        .toArray(),
                entries.stream().mapToDouble(entry -> entry.idealPs() / perUs).toArray(),
                entries.stream().mapToDouble(FlowLog.Entry::sourceHost).toArray(),
                entries.stream().mapToDouble(FlowLog.Entry::destinationHost).toArray());
    }
}
