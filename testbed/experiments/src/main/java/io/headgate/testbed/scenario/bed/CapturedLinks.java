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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The links of a run that are captured, and the file.
 *
 * @param links links of the topology: for each requested pair of nodes, all links between them
 */
public record CapturedLinks(List<Topology.Link> links, Path file) {
    private static final String ALL = "all";
    private static final int SHOWN = 8;

    /**
     * The links that a run captures; null: none.
     *
     * @throws ScenarioException if there is no such link
     */
    public static @Nullable CapturedLinks of(Topology topology, RunContext context)
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
                        "--capture cannot be '%s': there is no such link; allowed is %s%s, or all"
                                .formatted(
                                        Words.shown(name),
                                        some,
                                        topology.links().size() > SHOWN ? " and so on" : ""));
            }
            requireOne(name, found);
            links.addAll(found);
        }
        return new CapturedLinks(links.stream().distinct().toList(), file);
    }

    /** A colon is in no node's name, as a hyphen may be. */
    private static boolean isNamed(Topology.Link link, String name) {
        return name.equals(ALL)
                || Stream.of("-", ":")
                        .anyMatch(between ->
                                name.equals(link.a() + between + link.b())
                                        || name.equals(link.b() + between + link.a()));
    }

    /**
     * Several links between the same two nodes are one capture; otherwise a name must fit one link.
     */
    private static void requireOne(String name, List<Topology.Link> found)
            throws ScenarioException {
        if (name.equals(ALL)) {
            return;
        }
        List<Topology.Link> others =
                found.stream()
                        .filter(link -> !link.joins(found.getFirst().a(), found.getFirst().b()))
                        .toList();
        if (!others.isEmpty()) {
            throw new ScenarioException(
                    "--capture cannot be '"
                            + Words.shown(name)
                            + "': several links have that name; allowed is "
                            + Stream.concat(Stream.of(found.getFirst()), others.stream())
                                    .map(link -> link.a() + ":" + link.b())
                                    .distinct()
                                    .collect(Collectors.joining(" or ")));
        }
    }

    boolean has(String a, String b) {
        return links.stream().anyMatch(link -> link.joins(a, b));
    }

    /** The captured ports of each switch; one end of each link is enough. */
    public Map<String, List<String>> ports(Topology topology) {
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

    /** The file of one switch, in the directory of the run's file. */
    public Path fileOf(String node) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return file.resolveSibling(name.substring(0, dot) + "-" + node + name.substring(dot));
    }
}
