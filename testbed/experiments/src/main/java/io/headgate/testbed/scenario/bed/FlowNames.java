package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The names of an experiment's flows for people: the name of the group if it has one flow, else
 * {@code web-17} for the 17th of {@code web}. Flows of a group from one host to the same other host
 * share a name, and so do all flows that a source begins.
 */
public final class FlowNames {
    private final List<String> ofFlows;
    private final List<String> ofSources;

    /** Who sends to whom; a source has no destination of its own. */
    private record Ends(int source, int destination) {}

    private static final int ANY = -1;

    public FlowNames(Experiment experiment) {
        Map<String, Map<Ends, Integer>> groups = new LinkedHashMap<>();
        experiment.flows().forEach(flow -> add(groups, flow.name(), ends(flow)));
        experiment.arrivals().forEach(source -> add(groups, source.name(), ends(source)));
        ofFlows =
                experiment.flows().stream()
                        .map(flow -> name(groups, flow.name(), ends(flow)))
                        .toList();
        ofSources =
                experiment.arrivals().stream()
                        .map(source -> name(groups, source.name(), ends(source)))
                        .toList();
    }

    private static Ends ends(FlowSpec flow) {
        return new Ends(flow.source(), flow.destination());
    }

    private static Ends ends(ArrivalSpec source) {
        return new Ends(source.source(), ANY);
    }

    private static void add(Map<String, Map<Ends, Integer>> groups, String group, Ends ends) {
        Map<Ends, Integer> known = groups.computeIfAbsent(group, _ -> new LinkedHashMap<>());
        known.putIfAbsent(ends, known.size() + 1);
    }

    private static String name(Map<String, Map<Ends, Integer>> groups, String group, Ends ends) {
        Map<Ends, Integer> known = groups.getOrDefault(group, Map.of());
        return known.size() == 1 ? group : group + "-" + known.get(ends);
    }

    /** The name of one of the experiment's flows, by its index. */
    public String ofFlow(int place) {
        return ofFlows.get(place);
    }

    /** The name of one of the experiment's sources, by its index. */
    public String ofSource(int place) {
        return ofSources.get(place);
    }

    /** All names once, flows before sources. */
    public List<String> all() {
        List<String> all = new ArrayList<>(ofFlows);
        all.addAll(ofSources);
        return all.stream().distinct().toList();
    }
}
