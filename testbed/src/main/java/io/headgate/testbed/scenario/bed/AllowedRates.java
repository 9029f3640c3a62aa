package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The flows whose allowed rates a run records, each with the name of its series. */
final class AllowedRates {
    static final String UNIT = "Gb/s";
    static final double BPS_PER_UNIT = 1e9;

    private AllowedRates() {}

    /** In the order in which they were started; flows of arrivals are not among them. */
    static Map<String, Flow> flows(Recording recording, Traffic traffic, Topology topology) {
        Map<String, Flow> flows = new LinkedHashMap<>();
        Map<String, Integer> ofHost = new HashMap<>();
        for (String group : recording.of(Kind.RATE)) {
            for (Flow flow : traffic.flows()) {
                if (flow.group().name().equals(group)) {
                    String host = topology.hosts().get(flow.sourceHost()).name();
                    String name = Kind.RATE.series(group + " " + host);
                    int number = ofHost.merge(name, 1, Integer::sum);
                    flows.put(number == 1 ? name : name + " " + number, flow);
                }
            }
        }
        return flows;
    }
}
