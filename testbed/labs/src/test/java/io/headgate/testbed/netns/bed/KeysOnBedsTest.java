package io.headgate.testbed.netns.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headgate.config.ConfigException;
import io.headgate.config.DeviceConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.scenario.file.DefinedFile;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.RealBedKeys;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Each key of topologies, scenarios and labs, on each bed: done, refused at its line and column, or
 * warned about. The words are those of the schemas. A key without one is done: of topologies its
 * effect is looked at; others are listed in a file, so that a new one fails here until it is.
 */
class KeysOnBedsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String DONE = "done";
    private static final Path DONE_KEYS =
            Path.of("labs/src/test/resources/io/headgate/testbed/netns/bed/done-on-both-beds.txt");

    /**
     * Keys of a switch's port, of its queues and of rate controls: the engine does them, whatever
     * the bed.
     */
    private static final List<String> OF_THE_ENGINE =
            List.of("ports", "control", "domain", "services");

    /** Keys of topologies whose effect is looked at with others: a network hangs together. */
    private static final Map<String, List<String>> TOGETHER =
            Map.ofEntries(
                    pair("name", "{name: t, BUILT}", "{name: u, BUILT}"),
                    pair(
                            "mode",
                            "{name: t, mode: bridge, BUILT}",
                            "{name: t, mode: routed, BUILT}"),
                    pair("paths", "{name: t, ROUTED}", "{name: t, ROUTED, paths: packet}"),
                    pair(
                            "flowlet-gap",
                            "{name: t, ROUTED, paths: flowlet}",
                            "{name: t, ROUTED, paths: flowlet, flowlet-gap: 1us}"),
                    pair(
                            "flowlet-entries",
                            "{name: t, ROUTED, paths: flowlet}",
                            "{name: t, ROUTED, paths: flowlet, flowlet-entries: 16}"),
                    pair(
                            "memory/shared",
                            "{name: t, SHARED, memory: {shared: 1MB}}",
                            "{name: t, SHARED, memory: {shared: 2MB}}"),
                    pair("domain", "{name: t, BUILT}", "{name: t, BUILT, domain: {crossbar: {}}}"),
                    pair("for-control", "{name: t, BUILT}", "{name: t, BUILT, for-control: dcqcn}"),
                    pair("services", "{name: t, BUILT}", "{name: t, BUILT, services: {lldp: {}}}"),
                    pair("ports", "{name: t, BUILT}", "{name: t, SHARED, memory: {shared: 1MB}}"),
                    pair(
                            "hosts[]/name",
                            "{name: t, hosts: [{name: a, at: s}, {name: b, at: s}], switches: [s]}",
                            "{name: t, hosts: [{name: a, at: s}, {name: c, at: s}], switches:"
                                    + " [s]}"),
                    pair("hosts[]/at", drawn("at: s1", ""), drawn("at: s2", "")),
                    pair("switches[]/name", switches("{name: s}"), switches("{name: t}")),
                    pair(
                            "switches[]/seed-offset",
                            switches("{name: s}"),
                            switches("{name: s, seed-offset: 7}")),
                    pair(
                            "links[]/between",
                            drawn("at: s1", ""),
                            drawn("at: s1", ", links: [{between: [s2, s3]}]")),
                    pair("links[]/cost", triangle(1), triangle(3)),
                    pair("routes[]/at", route("s1", "b", "s4"), route("s3", "b", "s1")),
                    pair("routes[]/to", route("s1", "b", "s2"), route("s1", "c", "s2")),
                    pair("routes[]/via", route("s1", "b", "s2"), route("s1", "b", "s3")),
                    pair(
                            "down",
                            "{name: t, builder: {fat-tree: {}}}",
                            "{name: t, builder: {fat-tree: {}}, down: [[a1-1, c1]]}"));

    private static Map.Entry<String, List<String>> pair(String key, String a, String b) {
        return Map.entry(key, List.of(whole(a), whole(b)));
    }

    private static String whole(String text) {
        return text.replace("ROUTED", "builder: {leaf-spine: {}}")
                .replace("BUILT", "builder: {single-switch: {hosts: 2}}")
                .replace(
                        "SHARED",
                        "builder: {single-switch: {hosts: 2}}, ports: {flow-control: pfc, buffers:"
                                + " {alpha: 1/8}}");
    }

    private static String drawn(String where, String more) {
        String links =
                more.isEmpty() ? ", links: [{between: [s1, s2]}, {between: [s2, s3]}]" : more;
        return "{name: t, hosts: [{name: a, "
                + where
                + "}, {name: b, at: s2}, {name: c, at: s3}], switches: [s1, s2, s3]"
                + (more.isEmpty() ? links : ", links: [{between: [s1, s2]}, {between: [s1, s3]}]")
                + "}";
    }

    private static String triangle(int cost) {
        return "{name: t, hosts: [{name: a, at: s1}, {name: b, at: s3}], switches: [s1, s2, s3],"
                + " links: [{between: [s1, s2]}, {between: [s2, s3]}, {between: [s1, s3], cost: "
                + cost
                + "}]}";
    }

    private static String switches(String node) {
        return "{name: t, hosts: [a, b], switches: ["
                + node
                + "], links: [{between: [a, NODE]}, {between: [b, NODE]}]}"
                        .replace("NODE", node.contains("name: t") ? "t" : "s");
    }

    private static String route(String at, String to, String via) {
        return "{name: t, hosts: [{name: a, at: s1}, {name: b, at: s2}, {name: c, at: s3}],"
                + " switches: [s1, s2, s3, s4], links: [{between: [s1, s2]}, {between: [s2, s3]},"
                + " {between: [s3, s1]}, {between: [s1, s4]}, {between: [s4, s2]}], routes: [{at: "
                + at
                + ", to: "
                + to
                + ", via: "
                + via
                + "}]}";
    }

    /** A key of a file, by its path, and the part of the schema that is its own. */
    record SchemaKey(String path, JsonNode schema) {
        String real() {
            JsonNode beds = schema.get(RealBedKeys.KEYWORD);
            return beds == null ? DONE : beds.isString() ? beds.asString() : real(beds);
        }

        /** Of labs from files. */
        String lab() {
            return schema.path(RealBedKeys.KEYWORD).path(RealBedKeys.LAB).asString(real());
        }

        private static String real(JsonNode beds) {
            return beds.path(RealBedKeys.REAL).asString(DONE);
        }

        String last() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        @Override
        public String toString() {
            return path;
        }
    }

    private static List<SchemaKey> keys(ConfigSchema schema) {
        JsonNode root = JSON.readTree(schema.text());
        List<SchemaKey> keys = new ArrayList<>();
        walk(root, root, "", (path, node) -> keys.add(new SchemaKey(path, node)));
        return keys;
    }

    private static void walk(
            JsonNode root, JsonNode of, String path, BiConsumer<String, JsonNode> each) {
        JsonNode node = of;
        if (of.has("$ref")) {
            tools.jackson.databind.node.ObjectNode merged =
                    root.at(of.get("$ref").asString().substring(1)).asObject().deepCopy();
            of.properties().forEach(entry -> merged.set(entry.getKey(), entry.getValue()));
            node = merged;
        }
        String key = path.substring(path.lastIndexOf('/') + 1);
        boolean isOfEngine = OF_THE_ENGINE.contains(key);
        JsonNode properties = node.get("properties");
        JsonNode items = node.get("items");
        if (properties != null && !isOfEngine) {
            properties
                    .properties()
                    .forEach(entry ->
                            walk(
                                    root,
                                    entry.getValue(),
                                    path + (path.isEmpty() ? "" : "/") + entry.getKey(),
                                    each));
        } else if (items != null
                && (items.has("properties") || items.has("$ref"))
                && !isPair(items)) {
            walk(root, items, path + "[]", each);
        } else {
            each.accept(path, node);
        }
    }

    private static boolean isPair(JsonNode items) {
        return items.path("$ref").asString("").endsWith("/pair");
    }

    static Stream<SchemaKey> ofVirtualTimeInScenarios() {
        return keys(ScenarioReader.SCHEMA).stream()
                .filter(key -> !key.real().equals(DONE) && !key.path.startsWith("topology"));
    }

    static Stream<SchemaKey> notDoneOfTopologies() {
        return ofTopologies().filter(key -> !key.real().equals(DONE));
    }

    static Stream<SchemaKey> doneOfTopologies() {
        return ofTopologies().filter(key -> key.real().equals(DONE));
    }

    /** All links of builders have the same keys, so only two keys of each part are tested. */
    private static Stream<SchemaKey> ofTopologies() {
        return keys(TopologyReader.SCHEMA).stream()
                .filter(key ->
                        !key.path.startsWith("builder/")
                                || key.path.split("/").length < 4
                                || List.of("rate", "loss").contains(key.last()));
    }

    @Test
    void everyKeyHasAWordForEachBed() throws IOException {
        List<SchemaKey> all = new ArrayList<>(keys(ScenarioReader.SCHEMA));
        all.addAll(keys(OwnLabReader.SCHEMA));
        assertThat(all).hasSizeGreaterThan(300);
        List<String> done =
                all.stream()
                        .filter(key -> key.real().equals(DONE) && !key.path.startsWith("topology/"))
                        .map(SchemaKey::path)
                        .sorted()
                        .distinct()
                        .toList();
        if (Boolean.getBoolean("headgate.rewrite")) {
            Files.writeString(DONE_KEYS, String.join("\n", done) + "\n");
        }
        assertThat(done)
                .as("keys without a word are done on both beds: they are listed once they are")
                .isEqualTo(Files.readAllLines(DONE_KEYS));
        assertThat(all)
                .allSatisfy(key ->
                        assertThat(key.real())
                                .as(key.path)
                                .matches(
                                        DONE
                                                + "|"
                                                + RealBedKeys.REFUSED
                                                + ".+|"
                                                + RealBedKeys.WARNED
                                                + ".+"));
        assertThat(all)
                .filteredOn(key -> !key.lab().equals(key.real()))
                .isNotEmpty()
                .allSatisfy(key ->
                        assertThat(key.lab()).matches(RealBedKeys.DONE_FROM + "[0-9]+us: .+"));
    }

    /** What a key asks for, by its schema: something, and not what holds without it. */
    private static Object asked(JsonNode schema) {
        String standard = schema.path("default").asString("");
        if (schema.has("enum")) {
            List<Object> words = new ArrayList<>();
            schema.get("enum")
                    .forEach(word ->
                            words.add(word.isInt() ? (Object) word.asInt() : word.asString()));
            words.removeIf(word -> word.toString().equals(standard));
            return words.getFirst();
        }
        JsonNode type = schema.path("type");
        boolean isShare = type.isArray() && type.get(0).asString().equals("number");
        return switch (isShare ? "number" : type.asString("")) {
            case "boolean" -> true;
            case "number" -> 0.5;
            case "integer" ->
                    schema.path("minimum").asInt(0) + (standard.isEmpty() ? 1 : 0) + least(schema);
            case "array" -> List.of("s1/p1");
            case "object" -> Map.of("some", List.of("s1/p1"));
            default ->
                    switch (schema.path("x-quantity").path("kind").asString("")) {
                        case "rate" -> "3Gbps";
                        case "size" -> "77kB";
                        case "delay" -> "7us";
                        default -> "stored";
                    };
        };
    }

    /** A value that differs from the default and always gives a sound network. */
    private static int least(JsonNode schema) {
        int standard = schema.path("default").asInt(-1);
        return standard < 0 ? 0 : schema.path("minimum").asInt(0) + 1 == standard ? 3 : 1;
    }

    /** A topology that has one key more than the least, and the least; both with a builder. */
    private static List<Map<String, Object>> topologies(String path, Object value) {
        List<Map<String, Object>> both = new ArrayList<>();
        for (boolean asks : new boolean[] {false, true}) {
            Map<String, Object> topology = new LinkedHashMap<>();
            topology.put("name", "t");
            if (path.startsWith("hosts[]") || path.startsWith("links[]")) {
                Map<String, Object> host = new LinkedHashMap<>(Map.of("name", "a", "at", "s1"));
                Map<String, Object> link =
                        new LinkedHashMap<>(Map.of("between", List.of("s1", "s2")));
                if (asks) {
                    put(path.startsWith("hosts") ? host : link, path.substring(8), value);
                }
                topology.put("hosts", List.of(host, Map.of("name", "b", "at", "s2")));
                topology.put("switches", List.of("s1", "s2"));
                topology.put("links", List.of(link));
            } else {
                String builder = path.startsWith("builder/") ? path.split("/")[1] : "single-switch";
                put(topology, "builder/" + builder, new LinkedHashMap<>());
                if (asks) {
                    put(topology, path, value);
                }
            }
            both.add(topology);
        }
        return both;
    }

    @SuppressWarnings("unchecked") // made here, of maps
    private static void put(Map<String, Object> into, String path, Object value) {
        String[] keys = path.split("/");
        Map<String, Object> at = into;
        for (int i = 0; i < keys.length - 1; i++) {
            at = (Map<String, Object>) at.computeIfAbsent(keys[i], _ -> new LinkedHashMap<>());
        }
        at.put(keys[keys.length - 1], value);
        if (path.endsWith("faults/up") || path.endsWith("faults/down")) {
            at.put("up", value);
            at.put("down", value); // the one is nothing without the other
        }
        if (path.endsWith("faults/reordering") || path.endsWith("faults/reordering-delay")) {
            at.putIfAbsent("reordering", 0.5);
            at.putIfAbsent("reordering-delay", "7us");
        }
    }

    private static String scenario(String topology, String beds, String more) {
        return "name: s\nduration: 1ms\nbeds: "
                + beds
                + "\ntopology: "
                + topology
                + "\ntraffic: [{name: w, from: FIRST, to: SECOND, transport: rocev2}]\n"
                + more;
    }

    /** Line and column at which a value stands, of a key that a text has once. */
    private static String placeOf(String text, String key, Object value) {
        String json = JSON.writeValueAsString(value);
        String inside = "\"" + key + "\":" + json;
        // Keys of the file itself are not in JSON.
        String found = text.contains(inside) ? inside : key + ": " + json;
        int at = text.indexOf(found) + found.length() - json.length();
        assertThat(at).as(text).isPositive();
        long line = text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
        return line + ":" + (at - text.lastIndexOf('\n', at));
    }

    private static String named(String text, Topology topology) {
        return text.replace("FIRST", topology.hosts().getFirst().name())
                .replace("SECOND", topology.hosts().getLast().name());
    }

    /** Refusals and warnings of a reader, as lines. */
    private static List<String> said(String text, boolean isLab) {
        try {
            return isLab ? OwnLabReader.read(text, "f").warnings() : DefinedFile.warnings(text);
        } catch (ConfigException e) {
            return e.problems().stream().map(String::valueOf).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("notDoneOfTopologies")
    void aKeyOfATopologyIsRefusedOrWarnedAboutOnRealFramesWhereItStands(SchemaKey key) {
        Object value = asked(key.schema);
        String json = JSON.writeValueAsString(topologies(key.path, value).get(1));
        Topology topology = TopologyReader.read(json, "t");
        String word = key.real().split(": ", 2)[1];
        String virtual = named(scenario(json, "[virtual]", ""), topology);
        assertThat(said(virtual, false)).isEmpty();
        String netns = named(scenario(json, "[virtual, netns]", ""), topology);
        assertThat(said(netns, false))
                .anySatisfy(line ->
                        assertThat(line)
                                .contains("f:" + placeOf(netns, key.last(), value) + ": topology.")
                                .contains(key.last())
                                .endsWith(word));
        String lab = "topology: " + json + "\n";
        assertThat(said(lab, true))
                .anySatisfy(line ->
                        assertThat(line)
                                .contains("f:" + placeOf(lab, key.last(), value) + ": topology.")
                                .endsWith(key.lab().split(": ", 2)[1]));
    }

    @ParameterizedTest
    @MethodSource("doneOfTopologies")
    void aKeyOfATopologyThatIsDoneChangesTheNetworkOnEitherBed(SchemaKey key) throws BedException {
        List<String> files =
                TOGETHER.getOrDefault(
                        key.path,
                        topologies(key.path, asked(key.schema)).stream()
                                .map(JSON::writeValueAsString)
                                .toList());
        Topology without = TopologyReader.read(files.getFirst(), "t");
        Topology with = TopologyReader.read(files.getLast(), "t");
        if (key.path.equals("name")) {
            assertThat(with.name()).isNotEqualTo(without.name()); // in outputs alone
            return;
        }
        PlanOptions virtual = PlanOptions.virtual(1);
        assertThat(stands(NetworkPlan.of(with, virtual)))
                .isNotEqualTo(stands(NetworkPlan.of(without, virtual)));
        NetnsNetwork.Options real = NetnsNetwork.Options.of("x", 1);
        assertThat(stands(NetnsNetwork.planned(with, real)))
                .isNotEqualTo(stands(NetnsNetwork.planned(without, real)));
    }

    /** What either bed makes of a plan, without what only links of virtual time have. */
    private static List<Object> stands(NetworkPlan plan) {
        List<Object> parts = new ArrayList<>();
        for (SwitchConfig one : plan.switches()) {
            parts.add(one);
        }
        for (HostPlan host : plan.hosts()) {
            parts.add(List.of(host.name(), host.mac(), host.ipv4(), host.rateBps(), host.wire()));
        }
        for (LinkPlan link : plan.links()) {
            parts.add(List.of(link.a(), link.b(), link.spec().rateBps()));
            parts.add(String.valueOf(link.spec().faults()));
        }
        return parts;
    }

    @Test
    void whatPortsAreToldReachesRealOnesAsItReachesThoseInVirtualTime() throws BedException {
        Topology topology =
                TopologyReader.read(
                        whole(
                                "{name: t, memory: {shared: 1MB}, builder: {single-switch: {hosts:"
                                        + " 2}}, ports: {flow-control: pfc, lossless: [3, 4], classify:"
                                        + " {trust: dscp}, buffers: {alpha: 1/8}, congestion: {red:"
                                        + " {kmin: 5kB, kmax: 200kB, pmax: 0.01}, rocc: {}}}}"),
                        "t");
        List<SwitchConfig> virtual = NetworkPlan.of(topology, PlanOptions.virtual(1)).switches();
        List<SwitchConfig> real =
                NetnsNetwork.planned(topology, NetnsNetwork.Options.of("", 1)).switches();
        for (int port = 0; port < 2; port++) {
            var one = virtual.getFirst().ports().get(port);
            var other = real.getFirst().ports().get(port);
            assertThat(other.traffic()).isEqualTo(one.traffic());
            assertThat(other.flowControl()).isEqualTo(one.flowControl());
            assertThat(other.mechanisms()).isEqualTo(one.mechanisms());
        }
        assertThat(real.getFirst().memory().sharedBytes())
                .isEqualTo(virtual.getFirst().memory().sharedBytes())
                .isEqualTo(1_000_000);
    }

    @Test
    void whatGoesWrongOnALinkReachesTheDevicesOfItsPortsAndTheirSlots() throws BedException {
        Topology topology =
                TopologyReader.read(
                        """
                        {name: t, mode: bridge, link: {rate: 100Mbps}, switches: [s1, s2],
                         hosts: [{name: a, at: s1, faults: {loss: 0.5}}, {name: b, at: s2}],
                         links: [{between: [s1, s2], delay: 50ms, faults: {up: 2s, down: 1ms}}]}
                        """,
                        "t");
        NetnsNetwork.Options options = NetnsNetwork.Options.of("", 1);
        List<SwitchConfig> asFiled =
                NetnsNetwork.planned(
                                topology,
                                options.withAdjust(plan -> plan.withLinks(PlanOptions.Links.LATE)))
                        .switches();
        List<DeviceConfig.Faults> faults = new ArrayList<>();
        for (SwitchConfig one : asFiled) {
            for (var port : one.ports()) {
                assertThat(port.device()).isInstanceOf(DeviceConfig.Faulty.class);
                faults.add(((DeviceConfig.Faulty) port.device()).faults());
            }
        }
        DeviceConfig.OneWay nothing = new DeviceConfig.OneWay(0, 0, 0, 0, 0, 0, 0);
        DeviceConfig.OneWay lossy = new DeviceConfig.OneWay(0.5, 0, 0, 0, 0, 0, 0);
        DeviceConfig.OneWay late = new DeviceConfig.OneWay(0, 0, 50_000_000, 0, 0, 0, 0);
        assertThat(faults)
                .extracting(DeviceConfig.Faults::receive)
                .containsExactly(lossy, late, nothing, late);
        assertThat(faults)
                .extracting(DeviceConfig.Faults::transmit)
                .containsExactly(lossy, null, nothing, null);
        assertThat(faults)
                .extracting(DeviceConfig.Faults::upMeanNs)
                .as("one end alone says when")
                .containsExactly(0L, 2_000_000_000L, 0L, 0L);
        assertThat(faults).extracting(DeviceConfig.Faults::seed).doesNotHaveDuplicates();
        // 50 ms of the shortest frames at 100 Mb/s, in slots of the port that receives them.
        int limit = faults.get(1).limitFrames();
        assertThat(limit).isEqualTo(7440);
        List<SwitchConfig> plain = NetnsNetwork.planned(topology, options).switches();
        assertThat(asFiled.getFirst().memory().slotsPerPort())
                .isEqualTo(plain.getFirst().memory().slotsPerPort() + limit - 1000);
        assertThat(plain.get(1).ports().getFirst().device())
                .as("scenarios have the delay of the machine")
                .isInstanceOf(DeviceConfig.AfPacket.class);
    }

    private static final String STAR =
            "{\"name\":\"t\",\"builder\":{\"single-switch\":{}},\"ports\":{\"flow-control\":\"pfc\"}}";

    private static String ofTop(Map<String, Object> keys) {
        String key = keys.keySet().iterator().next();
        return key + ": " + JSON.writeValueAsString(keys.get(key)) + "\n";
    }

    @ParameterizedTest
    @MethodSource("ofVirtualTimeInScenarios")
    void aKeyOfAScenarioThatOnlyVirtualTimeHasIsRefusedWhereItStands(SchemaKey key) {
        Object value = asked(key.schema);
        boolean isTraffic = key.path.startsWith("traffic");
        Map<String, Object> more = new LinkedHashMap<>();
        put(more, key.path, value);
        String json = "{\"" + key.last() + "\":" + JSON.writeValueAsString(value) + "}";
        String traffic = "traffic: [{name: w, from: h1, to: h2, transport: rocev2}]";
        for (String beds : List.of("[virtual]", "[netns]")) {
            String text =
                    scenario(STAR, beds, isTraffic ? "" : ofTop(more))
                            .replace("FIRST", "h1")
                            .replace("SECOND", "h2");
            if (isTraffic) {
                text = text.replace(traffic, traffic.replace("}]", "," + json.substring(1) + "]"));
            }
            String found = text;
            if (beds.equals("[virtual]")) {
                assertThat(said(text, false)).isEmpty();
            } else {
                assertThat(said(text, false))
                        .singleElement()
                        .satisfies(line ->
                                assertThat(line)
                                        .startsWith("f:" + placeOf(found, key.last(), value) + ": ")
                                        .endsWith("only virtual time has it"));
            }
        }
    }

    @ParameterizedTest
    // Tiers are refused there, and with them what is measured of one.
    @EnumSource(value = MeasureKind.class, mode = Mode.EXCLUDE, names = "HIGHEST_QUEUE_OF_TIER")
    void aMeasureThatOnlyVirtualTimeHasIsExpectedThereOnly(MeasureKind kind) {
        String measure =
                kind.form().replace("NAME", "w").replace("PORT", "s1/p1").replace("PLACE", "s1/p1");
        String expect = "expect: [{measure: " + measure + ", at-least: 0}]\n";
        String text =
                scenario(STAR, "[virtual, netns]", expect)
                        .replace("FIRST", "h1")
                        .replace("SECOND", "h2");
        if (kind.isVirtual()) {
            assertThat(said(text, false))
                    .singleElement()
                    .asString()
                    .startsWith("f:6:20: expect[0].measure: found \"" + measure + "\"");
        } else {
            assertThat(said(text, false)).isEmpty();
        }
    }

    @Test
    void whatIsTooLargeOrScaledForNothingIsRefusedWhereItStands() {
        String large = "{name: t, builder: {fat-tree: {k: 8}}}";
        assertThat(said("topology: " + large + "\n", true))
                .containsExactly(
                        "f:1:11: topology: found 208 hosts and switches; allowed: at most 128 on"
                                + " real frames");
        String text = scenario(STAR, "[virtual]", "scale: 7\n");
        assertThat(said(text.replace("FIRST", "h1").replace("SECOND", "h2"), false))
                .singleElement()
                .asString()
                .startsWith("f:6:8: scale: found a scale in a scenario that runs only in virtual");
    }

    @Test
    void aDelayThatManyLinksHaveIsWarnedAboutOnce() {
        StringBuilder hosts = new StringBuilder();
        for (int host = 1; host <= 6; host++) {
            hosts.append(host == 1 ? "" : ", ").append("{name: h").append(host);
            hosts.append(", at: s, delay: 5us}");
        }
        String text = "topology: {name: t, switches: [s], hosts: [" + hosts + "]}\n";
        assertThat(said(text, true))
                .containsExactly(
                        "f:1:69: topology.hosts[0].delay, f:1:100: topology.hosts[1].delay,"
                                + " f:1:131: topology.hosts[2].delay and 3 more: has no effect on"
                                + " real frames: a shorter delay is below the precision of timers"
                                + " and the delay of the kernel; headroom and pauses are still"
                                + " computed for it");
        assertThat(said(text.replace("5us", "0s"), true)).isEmpty();
        assertThat(said(text.replace("5us", "50us"), true)).isEmpty();
    }

    @Test
    void whatALabWouldLeaveUndoneWithoutAWordIsRefused() {
        String star = "topology: {name: t, builder: {single-switch: {}}}\n";
        ConfigException self =
                assertThrows(
                        ConfigException.class,
                        () -> OwnLabReader.read(star + "traffic: [{from: h1, to: h1}]\n", "f"));
        assertThat(self)
                .hasMessageContaining("f:2:11: traffic[0]: found traffic only from a host to");
        ConfigException soon =
                assertThrows(
                        ConfigException.class,
                        () ->
                                OwnLabReader.read(
                                        star + "commands: [{at: h1, run: ls, start: 5us}]\n", "f"));
        assertThat(soon)
                .hasMessageContaining("f:2:37: commands[0].start: found \"5us\"; allowed: w");
    }
}
