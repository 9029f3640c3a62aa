package io.headgate.testbed.lab.own;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.RealBedKeys;
import io.headgate.testbed.topology.TopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page that says what each kind of file takes is made of the registries and schemas: a key or
 * mechanism that joins stands on it, and one that a file does not take needs a reason here. {@code
 * -Dheadgate.rewrite=true} writes the page.
 */
class DoorsPageTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Path PAGE = Path.of("doors.md");
    private static final String YES = "yes";
    private static final String LAID_OUT = "follows from the topology";

    /** What lab and scenario call a key of a switch that is not among those of their ports. */
    private static final Map<String, String> ELSEWHERE =
            Map.ofEntries(
                    Map.entry("name", "switches[]/name"),
                    Map.entry("seed", "switches[]/seed-offset"),
                    Map.entry("ports[]/rate", "link/rate"),
                    Map.entry("ports[]/mtu", "mtu"),
                    Map.entry("ports[]/queue-limit", "queue-limit"),
                    Map.entry("routed", "routes"));

    /** Why a topology has none of this: labs and scenarios get their switches from one. */
    private static final Map<String, String> REASONS =
            Map.ofEntries(
                    Map.entry("address", LAID_OUT),
                    Map.entry("defaults", "'ports' of a topology is for all ports"),
                    Map.entry("ports[]/name", LAID_OUT),
                    Map.entry("ports[]/device", "the bed makes it; faults are those of links"),
                    Map.entry("ports[]/vlan", "one network without VLANs"),
                    Map.entry("ports[]/addresses", LAID_OUT),
                    Map.entry(
                            "ports[]/account-cap", "'queue-limit' and 'slots-per-port' lay it out"),
                    Map.entry(
                            "ports[]/account-cap-slots",
                            "'queue-limit' and 'slots-per-port' lay it out"),
                    Map.entry("bridge", LAID_OUT),
                    Map.entry("workers", "`--workers` of `headgate lab`; elsewhere one thread"));

    private static final String DRAWN =
            "no: programs send for a time; flows that are drawn or listed stand in scenarios, which"
                    + " run on real frames too";
    private static final String MADE_BY_PROGRAMS = "no: programs make the packets";

    /** What labs have in place of what only scenarios' traffic has, or why not. */
    private static final Map<String, String> OF_SCENARIOS =
            Map.ofEntries(
                    Map.entry("for", YES),
                    Map.entry("when", YES),
                    Map.entry("arrivals", DRAWN),
                    Map.entry("collective", DRAWN),
                    Map.entry("draw", DRAWN),
                    Map.entry("flows", DRAWN),
                    Map.entry("incast", DRAWN),
                    Map.entry("scatter", DRAWN),
                    Map.entry("connection", "no: `rdma` has `queue-pairs` for each pair of hosts"),
                    Map.entry("count", "no: flows last for a `duration`"),
                    Map.entry("size", "no: flows last for a `duration`"),
                    Map.entry("format", MADE_BY_PROGRAMS),
                    Map.entry("frame", MADE_BY_PROGRAMS),
                    Map.entry("payload", MADE_BY_PROGRAMS),
                    Map.entry("source-port", MADE_BY_PROGRAMS),
                    Map.entry("priority", "no: hosts tag nothing; `dscp` has the priority"),
                    Map.entry("send", "`traffic[]/rate`"),
                    Map.entry("stop", "`traffic[]/duration`"),
                    Map.entry("window", "no: `depth` of `rdma` bounds messages, not frames"));

    /** What scenarios have in place of what only labs' traffic has, or why not. */
    private static final Map<String, String> OF_LABS =
            Map.ofEntries(
                    Map.entry("burst", "no: of iperf3; `traffic[]/send` has bursts"),
                    Map.entry("depth", "no: `window` bounds frames, not messages"),
                    Map.entry("duration", "`traffic[]/stop`"),
                    Map.entry("interval", "no: of `probe`; scenarios measure what each flow lost"),
                    Map.entry(
                            "protocol",
                            "no: no programs send; `format` and `transport` say what frames are"),
                    Map.entry("queue-pairs", "`traffic[]/for`"),
                    Map.entry("rate", "`traffic[]/send`"),
                    Map.entry("socket", "no: of iperf3"),
                    Map.entry("tcp-control", "no: of iperf3"),
                    Map.entry("timeout", "no: follows from the links' rates"));

    private record Row(String what, List<String> cells) {}

    private static Set<String> keys(ConfigSchema schema, String at) {
        JsonNode node = JSON.readTree(schema.text()).at(at);
        Set<String> names = new TreeSet<>();
        node.propertyNames().forEach(names::add);
        return names;
    }

    private static Row row(String what, String... cells) {
        return new Row(what, List.of(cells));
    }

    private static String reason(String key) {
        return "no: " + cell(REASONS, key);
    }

    private static String cell(Map<String, String> cells, String key) {
        return Objects.requireNonNull(cells.get(key), "no reason why not: " + key);
    }

    /** A switch's keys, those of its ports one by one. */
    private static List<Row> switchKeys() {
        Set<String> ofPorts = keys(PortTrafficReader.SCHEMA, "/properties");
        Set<String> ofTopology = keys(TopologyReader.SCHEMA, "/properties");
        Set<String> unused = new HashSet<>(REASONS.keySet());
        List<String> all = new ArrayList<>(keys(SwitchConfigReader.SCHEMA, "/properties"));
        all.remove("ports");
        keys(SwitchConfigReader.SCHEMA, "/properties/ports/items/properties")
                .forEach(key -> all.add("ports[]/" + key));
        List<Row> rows = new ArrayList<>();
        for (String key : all) {
            String bare = key.replace("ports[]/", "");
            boolean isOfPort = key.startsWith("ports[]/");
            String other = ELSEWHERE.get(key);
            String taken =
                    other != null
                            ? "`topology/" + other + "`"
                            : isOfPort && ofPorts.contains(bare)
                                    ? "`topology/ports/" + bare + "`"
                                    : !isOfPort && ofTopology.contains(bare)
                                            ? "`topology/" + bare + "`"
                                            : null;
            String cell = taken;
            if (cell == null) {
                unused.remove(key);
                cell = reason(key);
            }
            rows.add(row("`" + key + "`", YES, cell, cell, cell));
        }
        assertThat(unused).as("reasons for what is taken").isEmpty();
        return rows;
    }

    private static List<Row> mechanisms() {
        Set<String> taken = keys(PortTrafficReader.SCHEMA, "/properties");
        taken.addAll(keys(TopologyReader.SCHEMA, "/properties"));
        List<Row> rows = new ArrayList<>();
        for (Mechanism.Kind kind : Mechanism.Kind.values()) {
            for (Mechanism<?> one : MechanismRegistry.of(kind)) {
                if (isOfTests(one.getClass())) {
                    continue;
                }
                String what = kind.key() + ": " + one.name();
                rows.add(
                        switch (kind) {
                            case RATE_CONTROL ->
                                    row(
                                            what,
                                            "no: hosts have it, in the file of a host",
                                            "`traffic[]/control`",
                                            "`traffic[]/control`",
                                            "`traffic[]/control`");
                            default -> {
                                String cell = taken.contains(kind.key()) ? YES : reason(kind.key());
                                yield row(what, YES, cell, cell, cell);
                            }
                        });
            }
        }
        return rows;
    }

    /** Tests have mechanisms of their own. */
    private static boolean isOfTests(Class<?> of) {
        return of.getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath()
                .matches(".*(test-classes|-tests).*");
    }

    private static String onReal(JsonNode key, boolean isLab) {
        JsonNode beds = key.path(RealBedKeys.KEYWORD);
        String real = beds.isObject() ? beds.path(RealBedKeys.REAL).asString("done") : "done";
        String word = isLab ? beds.path(RealBedKeys.LAB).asString(real) : real;
        return word.equals("done") ? YES : word.replace(RealBedKeys.REFUSED, "no: ");
    }

    /** What goes wrong on links. */
    private static List<Row> faults() {
        JsonNode all = JSON.readTree(TopologyReader.SCHEMA.text()).at("/$defs/faults/properties");
        List<Row> rows = new ArrayList<>();
        all.properties()
                .forEach(key ->
                        rows.add(
                                row(
                                        "`" + key.getKey() + "`",
                                        onReal(key.getValue(), true).equals(YES)
                                                ? "`ports[]/device/faults`"
                                                : onReal(key.getValue(), true),
                                        onReal(key.getValue(), true),
                                        YES,
                                        onReal(key.getValue(), false))));
        return rows;
    }

    /** The keys of an entry, which the schema may define elsewhere. */
    private static JsonNode keysOfTraffic(JsonNode schema) {
        JsonNode entry = schema.at("/properties/traffic/items");
        String there = entry.path("$ref").asString("#/properties/traffic/items");
        return schema.at(there.substring(1) + "/properties");
    }

    /** What hosts send; labs have programs, scenarios frames of their own. */
    private static List<Row> traffic() {
        JsonNode lab = JSON.readTree(OwnLabReader.SCHEMA.text());
        JsonNode scenario = JSON.readTree(ScenarioReader.SCHEMA.text());
        JsonNode ofLab = keysOfTraffic(lab);
        JsonNode ofScenario = keysOfTraffic(scenario);
        Set<String> names = new TreeSet<>();
        ofLab.propertyNames().forEach(names::add);
        ofScenario.propertyNames().forEach(names::add);
        List<Row> rows = new ArrayList<>();
        for (String name : names) {
            String elsewhere = ofScenario.has(name) ? YES : cell(OF_LABS, name);
            rows.add(
                    row(
                            "`traffic[]/" + name + "`",
                            "no: a switch sends nothing of its own",
                            ofLab.has(name) ? YES : cell(OF_SCENARIOS, name),
                            elsewhere,
                            ofScenario.has(name)
                                    ? onReal(ofScenario.get(name), false)
                                    : elsewhere));
        }
        assertThat(OF_SCENARIOS.keySet()).allMatch(ofScenario::has).noneMatch(ofLab::has);
        assertThat(OF_LABS.keySet()).allMatch(ofLab::has).noneMatch(ofScenario::has);
        for (String door : List.of("orders", "reroute")) {
            rows.add(
                    row(
                            "`" + door + "`",
                            "no: `headgate set` and `headgate link` while it runs",
                            lab.at("/properties").has(door) ? YES : "no",
                            scenario.at("/properties").has(door) ? YES : "no",
                            scenario.at("/properties").has(door) ? YES : "no"));
        }
        return rows;
    }

    private static void table(StringBuilder page, String title, List<Row> rows) {
        page.append("\n## ").append(title).append("\n\n");
        page.append("| | switch file | lab file | scenario, virtual | scenario, real |\n");
        page.append("|---|---|---|---|---|\n");
        for (Row row : rows) {
            page.append("| ").append(row.what);
            row.cells.forEach(cell -> page.append(" | ").append(cell));
            page.append(" |\n");
        }
    }

    @Test
    void thePageSaysWhatEachKindOfFileTakes() throws IOException {
        StringBuilder page =
                new StringBuilder(
                        """
                        # What each file takes

                        **Status**: made by a test from the registries and schemas of this build. **Known limits**: a host of a lab
                        runs programs or speaks RoCEv2 (`protocol: rdma`), not both at a time.

                        A key that stands elsewhere in a file is named by its path there. What is not taken is refused where it stands, with what is
                        allowed; the reason is here.
                        """);
        Map<String, List<Row>> tables = new LinkedHashMap<>();
        tables.put("Keys of a switch", switchKeys());
        tables.put("Mechanisms", mechanisms());
        tables.put("Faults of links", faults());
        tables.put("Traffic, transports and changes", traffic());
        tables.forEach((title, rows) -> {
            assertThat(rows).as(title).hasSizeGreaterThan(5);
            assertThat(rows)
                    .allSatisfy(row ->
                            assertThat(row.cells)
                                    .as(row.what)
                                    .allMatch(cell -> cell.length() > 3 || cell.equals(YES)));
            table(page, title, rows);
        });
        if (Boolean.getBoolean("headgate.rewrite")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE))
                .as("testbed/doors.md; -Dheadgate.rewrite=true writes it")
                .isEqualTo(page.toString());
    }
}
