package io.headgate.testbed.swarm.draw;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names by which a case refers to links. */
public final class LinkNames {
    private LinkNames() {}

    /** The names by link number, as in {@link io.headgate.testbed.topology.LinkPlan}. */
    public static List<String> of(Topology topology) {
        List<String> names = new ArrayList<>();
        Map<Set<String>, Integer> parallel = new HashMap<>();
        for (Topology.Link link : topology.links()) {
            String pair = link.a() + "-" + link.b();
            int count = parallel.merge(Set.of(link.a(), link.b()), 1, Integer::sum);
            names.add(count == 1 ? pair : pair + "." + count);
        }
        return names;
    }

    /** The links by their names, in the order of their numbers. */
    static Map<String, Topology.Link> links(Topology topology) {
        Map<String, Topology.Link> links = new LinkedHashMap<>();
        List<String> names = of(topology);
        for (int i = 0; i < names.size(); i++) {
            links.put(names.get(i), topology.links().get(i));
        }
        return links;
    }

    static boolean isOfHost(Topology topology, Topology.Link link) {
        return topology.hosts().stream()
                .map(Topology.Host::name)
                .anyMatch(host -> host.equals(link.a()) || host.equals(link.b()));
    }

    /** Name of the link that a port of a virtual network is on. */
    static String of(PortConfig port) {
        return port.device() instanceof DeviceConfig.Virtual link ? link.link() : port.name();
    }
}
