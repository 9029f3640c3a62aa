package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.FlowLog;
import io.headgate.testbed.traffic.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** What became of each flow that is complete, as series. */
final class FlowSeries {
    private static final double PS_PER_US = 1e6;
    private static final int MOST_PATHS = 10_000;

    private FlowSeries() {}

    /**
     * Of all groups, times scaled back.
     *
     * @param scale by which the bed was slower than described
     */
    static List<Series> of(Traffic traffic, double scale) {
        List<Series> all = new ArrayList<>();
        for (FlowGroup group : traffic.groups()) {
            List<Integer> entries = entries(traffic.log(), group);
            if (!entries.isEmpty()) {
                all.addAll(flows(traffic.log(), group, entries, scale).series());
            }
        }
        return all;
    }

    /**
     * A shortest path of each pair of hosts between which flows are complete, as {@code h1 s1 h4}:
     * that whose links the ideal time is of. Where several cost the same, flows are spread.
     */
    static Map<String, String> paths(FlowLog log, NetworkPlan plan) {
        Map<String, String> paths = new LinkedHashMap<>();
        for (int entry = 0; entry < log.size(); entry++) {
            int from = log.sourceHost(entry);
            int to = log.destinationHost(entry);
            String pair = host(plan, from) + " " + host(plan, to);
            if (paths.size() < MOST_PATHS && !paths.containsKey(pair)) {
                paths.put(pair, path(plan, from, to));
            }
        }
        return paths;
    }

    private static String path(NetworkPlan plan, int from, int to) {
        StringJoiner path = new StringJoiner(" ").add(host(plan, from));
        LinkPlan.End at = new LinkPlan.End(true, from, 0);
        for (LinkPlan link : plan.path(from, to)) {
            boolean forward = link.a().isHost() == at.isHost() && link.a().node() == at.node();
            at = forward ? link.b() : link.a();
            path.add(
                    at.isHost()
                            ? host(plan, at.node())
                            : plan.topology().switches().get(at.node()).name());
        }
        return path.toString();
    }

    private static String host(NetworkPlan plan, int number) {
        return plan.hosts().get(number).name();
    }

    private static List<Integer> entries(FlowLog log, FlowGroup group) {
        return IntStream.range(0, log.size())
                .filter(entry -> log.group(entry) == group)
                .boxed()
                .sorted((a, b) -> Long.compare(log.startPs(a), log.startPs(b)))
                .toList();
    }

    private static Flows flows(FlowLog log, FlowGroup group, List<Integer> entries, double scale) {
        int count = entries.size();
        double perUs = PS_PER_US * scale;
        double[][] columns = new double[6][count];
        for (int i = 0; i < count; i++) {
            int entry = entries.get(i);
            columns[0][i] = log.startPs(entry) / perUs;
            columns[1][i] = log.sizeBytes(entry);
            columns[2][i] = log.completionPs(entry) / perUs;
            columns[3][i] = log.idealPs(entry) / perUs;
            columns[4][i] = log.sourceHost(entry);
            columns[5][i] = log.destinationHost(entry);
        }
        return new Flows(
                group.name(),
                columns[0],
                columns[1],
                columns[2],
                columns[3],
                columns[4],
                columns[5]);
    }
}
