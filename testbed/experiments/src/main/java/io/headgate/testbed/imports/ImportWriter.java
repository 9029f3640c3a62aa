package io.headgate.testbed.imports;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.key.Quantity;
import io.headgate.testbed.imports.Imported.Flow;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyWriter;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;

/**
 * Writes imported data: a topology, or a scenario with a file of flows for each priority. The
 * results are the files' texts by their names.
 */
public final class ImportWriter {
    private static final int MOST_PORTS = 128;
    private static final int HOSTS_OF_LEAF = 64;
    private static final int SPINES = 16;
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long PS_PER_MS = 1_000_000_000L;
    private static final int DSCP_OF_PRIORITY = 8;
    private static final LinkSpec ASSUMED = new LinkSpec(100_000_000_000L, 1_000_000L);

    private final String name;
    private final Imported imported;
    private final List<String> notes;
    private final Map<String, String> files = new LinkedHashMap<>();

    private ImportWriter(String name, Imported imported) {
        this.name = name;
        this.imported = imported;
        this.notes = new ArrayList<>(imported.notes());
    }

    /**
     * The files' texts, by their names; the first is the YAML. Its head has all notes.
     *
     * @param name of the scenario or topology, 1 to 32 small letters, digits or hyphens
     * @throws IllegalArgumentException in a sentence, if there is too much for our files
     */
    public static Written write(String name, Imported imported) {
        ImportWriter writer = new ImportWriter(name, imported);
        writer.write();
        return new Written(writer.files, writer.notes);
    }

    /** The written files, and notes on them. */
    public record Written(Map<String, String> files, List<String> notes) {
        public Written {
            files = new LinkedHashMap<>(files);
            notes = List.copyOf(notes);
        }
    }

    private void write() {
        Topology given = imported.topology();
        if (imported.flows().isEmpty() && given != null) {
            files.put(name + ".yaml", yaml(TopologyWriter.toMap(given.withName(name))));
            return;
        }
        Topology topology = given == null ? assumed() : given;
        files.put(name + ".yaml", "");
        Map<String, Object> scenario = new LinkedHashMap<>();
        scenario.put("name", name);
        scenario.put("duration", duration(topology));
        scenario.put("topology", TopologyWriter.toMap(topology.withName(name)));
        scenario.put("traffic", traffic());
        files.put(name + ".yaml", yaml(scenario));
    }

    private Topology assumed() {
        int hosts = imported.hosts().size();
        boolean isOne = hosts <= MOST_PORTS;
        Topology.Builder net = Topology.builder(name).mode(Mode.ROUTED);
        int leaves = Math.ceilDiv(hosts, HOSTS_OF_LEAF);
        if (leaves > MOST_PORTS) {
            throw new IllegalArgumentException(
                    hosts
                            + " hosts and no network; allowed without a topology: at most "
                            + MOST_PORTS * HOSTS_OF_LEAF);
        }
        for (int leaf = 0; leaf < (isOne ? 1 : leaves); leaf++) {
            net.switchNode("s" + leaf);
        }
        for (int spine = 0; spine < (isOne ? 0 : SPINES); spine++) {
            net.switchNode("c" + spine);
        }
        for (int host = 0; host < hosts; host++) {
            net.host(imported.hosts().get(host), "s" + (isOne ? 0 : host / HOSTS_OF_LEAF), ASSUMED);
        }
        for (int leaf = 0; leaf < (isOne ? 0 : leaves); leaf++) {
            for (int spine = 0; spine < SPINES; spine++) {
                net.link("s" + leaf, "c" + spine, ASSUMED.withRateBps(4 * ASSUMED.rateBps()));
            }
        }
        notes.add(
                "no file has a network: "
                        + (isOne
                                ? "one switch"
                                : "leaves of " + HOSTS_OF_LEAF + " hosts and 16 spines")
                        + " with links of 100Gbps and 1us is assumed; also give a topology, or"
                        + " change it");
        return net.build();
    }

    /** Longer than the busiest host needs ten times over, and than all that is computed. */
    private String duration(Topology topology) {
        Map<Integer, Long> bytes = new TreeMap<>();
        long lastPs = 0;
        long delaysPs = 0;
        for (Flow flow : imported.flows()) {
            lastPs = Math.max(lastPs, flow.startPs());
            bytes.merge(flow.source(), flow.bytes(), Long::sum);
            bytes.merge(flow.destination(), flow.bytes(), Long::sum);
            delaysPs += flow.after().stream().mapToLong(After::delayPs).max().orElse(0);
        }
        long most = bytes.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long slowest =
                topology.links().stream().mapToLong(link -> link.spec().rateBps()).min().orElse(1);
        double ps = lastPs + 10.0 * most * 8 / slowest * PS_PER_S + Math.min(delaysPs, PS_PER_S);
        long ms = Math.min(1_000_000, (long) Math.ceil(ps / PS_PER_MS) + 1);
        notes.add(
                "the files do not give the duration of the run: "
                        + ms
                        + "ms is the last start plus ten times the time that the busiest host needs"
                        + " for its bytes");
        return ms + "ms";
    }

    private List<Object> traffic() {
        Map<Integer, List<Integer>> byPriority = new TreeMap<>();
        List<Object> traffic = new ArrayList<>();
        for (int i = 0; i < imported.flows().size(); i++) {
            Flow flow = imported.flows().get(i);
            if (flow.bytes() > 0) {
                byPriority.computeIfAbsent(flow.priority(), _ -> new ArrayList<>()).add(i);
            } else {
                traffic.add(endless(flow));
            }
        }
        boolean isOne = byPriority.size() == 1;
        byPriority.forEach((priority, flows) -> {
            String file = name + (isOne ? "" : "-p" + priority) + ".csv";
            files.put(file, csv(flows));
            Map<String, Object> entry = entry("flows" + (isOne ? "" : "-p" + priority), priority);
            entry.put("flows", file);
            traffic.add(entry);
        });
        return traffic;
    }

    private static Map<String, Object> entry(String called, int priority) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", called);
        entry.put("transport", "rocev2");
        if (priority > 0) {
            // Routers take tags off, so priorities are code points, eight for each.
            entry.put("dscp", DSCP_OF_PRIORITY * priority);
        }
        return entry;
    }

    private Object endless(Flow flow) {
        Map<String, Object> entry = entry("endless", flow.priority());
        entry.put("from", imported.hosts().get(flow.source()));
        entry.put("to", imported.hosts().get(flow.destination()));
        entry.put("start", Quantity.DELAY.format(flow.startPs()));
        return entry;
    }

    private String csv(List<Integer> places) {
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        places.forEach(place -> numbers.put(place, numbers.size() + 1));
        StringBuilder text = new StringBuilder("start,source,destination,bytes,depends-on\n");
        for (int place : places) {
            Flow flow = imported.flows().get(place);
            text.append(flow.startPs() == 0 ? "" : Quantity.DELAY.format(flow.startPs()))
                    .append(',')
                    .append(imported.hosts().get(flow.source()))
                    .append(',')
                    .append(imported.hosts().get(flow.destination()))
                    .append(',')
                    .append(flow.bytes())
                    .append(',')
                    .append(
                            flow.after().stream()
                                    .map(after -> awaited(numbers, after))
                                    .collect(Collectors.joining(" ")))
                    .append('\n');
        }
        return text.toString();
    }

    private static String awaited(Map<Integer, Integer> numbers, After after) {
        return numbers.get(after.flow())
                + (after.delayPs() == 0 ? "" : "+" + Quantity.DELAY.format(after.delayPs()));
    }

    private String yaml(Map<String, Object> map) {
        StringBuilder text = new StringBuilder("# Made by 'headgate import'.\n");
        notes.forEach(note ->
                text.append("# - ").append(note.replaceAll("[\\p{Cntrl}]", " ")).append('\n'));
        return text.append(new Dump(DumpSettings.builder().build()).dumpToString(map)).toString();
    }
}
