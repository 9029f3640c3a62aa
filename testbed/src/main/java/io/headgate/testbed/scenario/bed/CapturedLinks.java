package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which links of a run are captured, and into which file.
 *
 * @param links of the topology, all between two nodes that were named
 */
record CapturedLinks(List<Topology.Link> links, Path file) {
    private static final String ALL = "all";
    private static final int SHOWN = 8;

    /**
     * What a run is to capture; null: nothing.
     *
     * @throws ScenarioException if there is no such link
     */
    static @Nullable CapturedLinks of(Topology topology, RunContext context)
            throws ScenarioException {
        Path file = context.captureFile();
        if (file == null) {
            return null;
        }
        List<Topology.Link> links = new ArrayList<>();
        for (String name : context.capturedLinks()) {
            List<Topology.Link> found =
                    topology.links().stream().filter(link -> isNamed(link, name)).toList();
            if (found.isEmpty()) {
                String some =
                        String.join(
                                ", ",
                                topology.links().stream()
                                        .limit(SHOWN)
                                        .map(link -> link.a() + "-" + link.b())
                                        .toList());
                throw new ScenarioException(
                        "--capture cannot be '"
                                + Words.shown(name)
                                + "': there is no such link; allowed is "
                                + some
                                + (topology.links().size() > SHOWN ? " and so on" : "")
                                + ", or all");
            }
            links.addAll(found);
        }
        return new CapturedLinks(links.stream().distinct().toList(), file);
    }

    private static boolean isNamed(Topology.Link link, String name) {
        return name.equals(ALL)
                || name.equals(link.a() + "-" + link.b())
                || name.equals(link.b() + "-" + link.a());
    }

    /** Whether links between two nodes are captured. */
    boolean has(String a, String b) {
        return links.stream().anyMatch(link -> isNamed(link, a + "-" + b));
    }

    /** For each switch its ports, of which one end of each link is enough. */
    Map<String, List<String>> ports(Topology topology) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        topology.switches().forEach(one -> counts.put(one.name(), 0));
        Map<String, List<String>> ports = new LinkedHashMap<>();
        for (Topology.Link link : topology.links()) {
            boolean captured = has(link.a(), link.b());
            for (String node : List.of(link.a(), link.b())) {
                Integer count = counts.computeIfPresent(node, (name, before) -> before + 1);
                if (count != null && captured) {
                    ports.computeIfAbsent(node, name -> new ArrayList<>()).add("p" + count);
                    captured = false;
                }
            }
        }
        return ports;
    }

    /** The file of one switch, beside that of the run. */
    Path fileOf(String node) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return file.resolveSibling(name.substring(0, dot) + "-" + node + name.substring(dot));
    }
}
