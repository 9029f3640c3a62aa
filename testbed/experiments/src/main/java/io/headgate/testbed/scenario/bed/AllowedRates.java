package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Finds the flows whose allowed rates a run records, each with the name of its series. */
public final class AllowedRates {
    public static final String UNIT = "Gb/s";
    public static final double BPS_PER_UNIT = 1e9;

    private AllowedRates() {}

    /** The flows, in the order in which they were started, without those of sources. */
    public static Map<String, Flow> flows(Recording recording, Traffic traffic, Topology topology) {
        return named(
                recording,
                traffic.flows(),
                flow -> flow.group().name(),
                Flow::sourceHost,
                topology);
    }

    /** Names of their series, before any is started. */
    public static Set<String> names(Recording recording, List<FlowSpec> flows, Topology topology) {
        return named(recording, flows, FlowSpec::name, FlowSpec::source, topology).keySet();
    }

    private static <F> Map<String, F> named(
            Recording recording,
            List<F> flows,
            Function<F, String> groupOf,
            ToIntFunction<F> sourceOf,
            Topology topology) {
        Map<String, F> named = new LinkedHashMap<>();
        Map<String, Integer> ofHost = new HashMap<>();
        for (String group : recording.of(Kind.RATE)) {
            for (F flow : flows) {
                if (groupOf.apply(flow).equals(group)) {
                    String host = topology.hosts().get(sourceOf.applyAsInt(flow)).name();
                    String name = Kind.RATE.series(group + " " + host);
                    int number = ofHost.merge(name, 1, Integer::sum);
                    named.put(number == 1 ? name : name + " " + number, flow);
                }
            }
        }
        return named;
    }
}
