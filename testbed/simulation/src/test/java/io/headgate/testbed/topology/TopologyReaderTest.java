package io.headgate.testbed.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.testbed.topology.Topologies.Turn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;

/** Topology files: what they mean, and what is said about those that mean nothing. */
class TopologyReaderTest {
    private static final LinkSpec LINK = LinkSpec.of(40_000_000_000L, 1000);

    private static Topology read(String text) {
        return TopologyReader.read(text, "t.yaml");
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples/topologies"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void examplesAreReadAndMakeNetworks(Path example) {
        Topology topology = TopologyReader.read(example);
        NetworkPlan plan = NetworkPlan.of(topology, PlanOptions.virtual(1));
        assertThat(plan.hosts()).hasSizeGreaterThan(1);
        assertThat(example.getFileName()).hasToString(topology.name() + ".yaml");
    }

    @Test
    void everyBuilderCanBeNamedAndMeansTheSameInCode() {
        String link = "name: NAME\nlink: {rate: 40Gbps, delay: 1us}\nbuilder: {NAME: {";
        List<Topology> inCode =
                List.of(
                        Topologies.singleSwitch(3, LINK),
                        Topologies.dumbbell(2, 3, LINK, LINK.withRateBps(10_000_000_000L)),
                        Topologies.congestionTree(7, 5, LINK.withRateBps(20_000_000_000L), LINK),
                        Topologies.congestionSpreading(10, 10, LINK),
                        Topologies.ring(5, 2, Turn.CLOCKWISE, LINK, LINK),
                        Topologies.parkingLot(4, LINK, LINK.withDelayPs(500)),
                        Topologies.multiBottleneck(5, LINK, LINK),
                        Topologies.asymmetric(5, 2, LINK, LINK.withRateBps(100_000_000_000L), LINK),
                        Topologies.leafSpine(3, 3, 30, 2, LINK, LINK),
                        Fabrics.fatTree(
                                6,
                                new Fabrics.Shape(3, 2, 3),
                                LINK,
                                LINK.withRateBps(400_000_000_000L)),
                        Fabrics.railOptimised(
                                2, 3, 4, 1, LINK.withDelayPs(1000), LINK, LINK.withDelayPs(2000)),
                        Fabrics.dragonfly(5, 2, 3, 2, LINK, LINK, LINK.withDelayPs(3000)));
        List<String> parameters =
                List.of(
                        "hosts: 3",
                        "right: 3, trunk: {rate: 10Gbps}",
                        "bursters: 7, chain: 5, senders: {rate: 20Gbps}",
                        "",
                        "switches: 5, hosts-per-switch: 2, turn: clockwise",
                        "segments: 4, trunk: {delay: 0.5ns}",
                        "",
                        "fast-link: {rate: 100Gbps}",
                        "leaves: 3, spines: 3, hosts-per-leaf: 30, links-per-pair: 2",
                        "k: 6, oversubscription: 2, core-oversubscription: 3, uplink: {rate: 400Gbps}",
                        "groups: 2, nodes: 3, spines: 1, local: {delay: 1ns}, uplink: {delay: 2ns}",
                        "groups: 5, routers: 2, hosts-per-router: 3, links-per-pair: 2,"
                                + " global: {delay: 3ns}");
        for (int i = 0; i < inCode.size(); i++) {
            String text = link.replace("NAME", inCode.get(i).name()) + parameters.get(i) + "}}\n";
            assertThat(read(text)).isEqualTo(inCode.get(i));
        }
    }

    @Test
    void whatIsWrittenIsReadBackToTheSameValue() {
        List<Topology> all =
                List.of(
                        Topologies.parkingLot(4, LINK, LINK.withDelayPs(1500)),
                        Topologies.ring(4, 2, Turn.CLOCKWISE, LINK, LINK),
                        Topologies.singleSwitch(
                                2,
                                LINK.withDeliverAt(LinkSpec.Delivery.HEADER)
                                        .withRelease(LinkSpec.Release.END)
                                        .withSlotCredits(true)
                                        .withFaults(
                                                LinkFaults.NONE
                                                        .withKind(FrameKind.LINK_CONTROL)
                                                        .withLossProbability(1e-6)
                                                        .withReorderProbability(0.25)
                                                        .withReorderDelayPs(1_500)
                                                        .withDownMeanPs(1_000)
                                                        .withUpMeanPs(1_000_000_000))),
                        Topologies.leafSpine(2, 2, 2, 2, LINK, LINK).withMode(Mode.BRIDGE),
                        Fabrics.dragonfly(3, 2, 1, 1, LINK, LINK, LINK),
                        Topologies.fatTree(4, LINK)
                                .without("a1-1", "c1")
                                .withSizes(
                                        Topology.Sizes.DEFAULT
                                                .withMtuBytes(1000)
                                                .withSlotsPerPort(200)),
                        Topologies.singleSwitch(2, LINK)
                                .withPorts(
                                        PortTrafficReader.read(
                                                "{flow-control: pfc, buffers: {alpha: 1}}"))
                                .withSizes(Topology.Sizes.DEFAULT.withSharedBytes(4_000_000)),
                        Topologies.fatTree(4, LINK)
                                .withPaths(
                                        new RoutedConfig.Paths(
                                                RoutedConfig.Paths.Unit.FLOWLET, 7_000, 16)));
        Dump dump = new Dump(DumpSettings.builder().build());
        for (Topology topology : all) {
            assertThat(read(dump.dumpToString(TopologyWriter.toMap(topology)))).isEqualTo(topology);
        }
    }

    @Test
    void aDrawnNetworkHasItsRoutesAndLinkSettings() {
        Topology topology = TopologyReader.read(Path.of("examples/topologies/pinned-routes.yaml"));
        assertThat(topology.links().getLast().spec().delayPs()).isEqualTo(1500);
        assertThat(topology.switches().getLast().seedOffset()).isEqualTo(7);
        NetworkPlan plan = NetworkPlan.of(topology, PlanOptions.virtual(1));
        assertThat(plan.linksBetween(0, 2)).isEqualTo(4);
        assertThat(plan.linksBetween(2, 0)).isEqualTo(3);
    }

    /** A file, and what its one problem must say: line, path, found, allowed. */
    record Case(String text, int line, String path, String found, String allowed) {}

    private static Case built(int line, String path, String found, String allowed, String text) {
        return new Case("name: t\n" + text + "\n", line, path, found, allowed);
    }

    private static Case drawn(String path, String found, String allowed, String more) {
        String text =
                """
                name: t
                hosts: [{name: h1, at: s1}, {name: h2, at: s2}, {name: h3, at: s3}]
                switches: [s1, s2, s3]
                """;
        int line = path.startsWith("routes") ? 5 : 4;
        return new Case(text + more + "\n", line, path, found, allowed);
    }

    private static final String TRIANGLE =
            "links: [{between: [s1, s2]}, {between: [s2, s3]}, {between: [s3, s1]}";

    static Stream<Case> cases() {
        return Stream.of(
                new Case("builder: {fat-tree: {}}\n", 1, "name", "nothing", "such as incast"),
                built(1, "", "neither builder nor hosts", "builder, such as", "mtu: 1500"),
                built(
                        1,
                        "",
                        "a builder, and also hosts",
                        "or hosts, switches and links",
                        "builder: {fat-tree: {}}\nswitches: [s1]"),
                built(2, "builder.fat-tre", "unknown key", "fat-tree?", "builder: {fat-tre: {}}"),
                built(
                        2,
                        "builder",
                        "\"ring and fat-tree\"",
                        "one of single-switch",
                        "builder: {ring: {}, fat-tree: {}}"),
                built(2, "builder.fat-tree", "4", "such as {k: 4}", "builder: {fat-tree: 4}"),
                built(2, "builder.fat-tree.k", "5", "even", "builder: {fat-tree: {k: 5}}"),
                built(
                        2,
                        "builder.single-switch.hosts",
                        "200",
                        "2 to 128",
                        "builder: {single-switch: {hosts: 200}}"),
                built(
                        2,
                        "builder.ring.turn",
                        "\"left\"",
                        "shortest or clockwise",
                        "builder: {ring: {turn: left}}"),
                built(
                        2,
                        "builder.single-switch.link.rate",
                        "40 without",
                        "10Gbps",
                        "builder: {single-switch: {link: {rate: 40}}}"),
                built(
                        2,
                        "builder.leaf-spine",
                        "e1 with 200 links",
                        "such as {leaves: 3",
                        "builder: {leaf-spine: {spines: 100, hosts-per-leaf: 100}}"),
                built(
                        3,
                        "link.delay",
                        "\"1 mile\"",
                        "1.5ns",
                        "builder: {fat-tree: {}}\nlink: {delay: 1 mile}"),
                built(
                        3,
                        "down[0]",
                        "no link between s1 and s3",
                        "two nodes that have a link",
                        "builder: {parking-lot: {}}\ndown: [[s1, s3]]"),
                built(
                        1,
                        "",
                        "dst, which cannot reach src",
                        "a path between all",
                        "builder: {parking-lot: {}}\ndown: [[s1, s2]]"),
                built(
                        3,
                        "link.faults.loss",
                        "1.5",
                        "from 0 to 1",
                        "builder: {fat-tree: {}}\nlink: {faults: {loss: 1.5}}"),
                built(
                        3,
                        "link.faults.loss",
                        "\"101%\"",
                        "a percentage such as 1%",
                        "builder: {fat-tree: {}}\nlink: {faults: {loss: 101%}}"),
                built(
                        3,
                        "link.faults",
                        "goes down for 0 ps",
                        "up and down both",
                        "builder: {fat-tree: {}}\nlink: {faults: {up: 1ms}}"),
                built(
                        3,
                        "queue-limit",
                        "1kB with an MTU of 1500",
                        "one frame",
                        "builder: {fat-tree: {}}\nqueue-limit: 1kB"),
                built(
                        3,
                        "memory.shared",
                        "4MB, but no port uses it",
                        "buffers: {alpha: 1/8}",
                        "builder: {fat-tree: {}}\nmemory: {shared: 4MB}"),
                built(
                        3,
                        "memory.shared",
                        "a port between h1 and s1 may use up to",
                        "ports.buffers.shared-slots 1233 (computed from slots-per-port if not"
                                + " given)",
                        "builder: {single-switch: {}}\nmemory: {shared: 2MB}\nports: {flow-control:"
                                + " pfc, buffers: {alpha: 1, shared-slots: 100}}"),
                built(2, "hosts", "a list of 1", "2 to 10000", "hosts: [h1]\nswitches: [s1]"),
                built(
                        2,
                        "hosts[1]",
                        "the name a, which a host has",
                        "of its own",
                        "hosts: [{name: a, at: s}, {name: a, at: s}]\nswitches: [s]"),
                built(
                        2,
                        "hosts[1].at",
                        "the unknown node \"s21\"",
                        "s1? (one of s1, a, b)",
                        "hosts: [{name: a, at: s1}, {name: b, at: s21}]\nswitches: [s1]"),
                built(
                        2,
                        "hosts[1]",
                        "b with 0 links",
                        "one link",
                        "hosts: [{name: a, at: s}, b]\nswitches: [s]"),
                drawn(
                        "links[0].between",
                        "the unknown node \"t\"",
                        "one of s1, s2, s3, h1, h2, h3",
                        "links: [{between: [s1, t]}]"),
                drawn("links[0].between", "to itself", "two nodes", "links: [{between: [s1, s1]}]"),
                drawn("links[0].between", "a list of 1", "two names", "links: [{between: [s1]}]"),
                drawn(
                        "links[0].speed",
                        "unknown key",
                        "between, rate, delay",
                        TRIANGLE.replace("[{", "[{speed: 1, ") + "]"),
                drawn(
                        "routes[0]",
                        "a route at h1",
                        "one of s1, s2, s3",
                        TRIANGLE + "]\nroutes: [{at: h1, to: h3, via: s2}]"),
                drawn(
                        "routes[0]",
                        "a route to s3",
                        "one of h1, h2, h3",
                        TRIANGLE + "]\nroutes: [{at: s1, to: s3, via: s2}]"),
                drawn(
                        "routes[0]",
                        "a route to the unknown node h33",
                        "h3? (one of h1, h2, h3)",
                        TRIANGLE + "]\nroutes: [{at: s1, to: h33, via: s2}]"),
                drawn(
                        "routes[0]",
                        "by h2, which is not a switch next to s1",
                        "one of s2, s3",
                        TRIANGLE + "]\nroutes: [{at: s1, to: h3, via: h2}]"),
                drawn(
                        "routes[1]",
                        "a second route",
                        "one route",
                        TRIANGLE
                                + "]\nroutes: [{at: s1, to: h3, via: s2}, {at: s1, to: h3, via: s3}]"),
                built(
                        2,
                        "paths",
                        "packet where switches bridge",
                        "flow, or mode: routed",
                        "paths: packet\nbuilder: {dumbbell: {}}"),
                built(
                        2,
                        "flowlet-gap",
                        "paths: flow",
                        "paths: flowlet",
                        "flowlet-gap: 1us\nbuilder: {fat-tree: {}}"),
                drawn(
                        "routes[0]",
                        "in a circle: s1 > s2 > s1",
                        "once",
                        TRIANGLE
                                + "]\nroutes: [{at: s1, to: h3, via: s2}, {at: s2, to: h3, via: s1}]"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyProblemHasPathLineAndWhatIsAllowed(Case one) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> read(one.text));
        assertThat(e).as(one.text).isNotNull();
        assertThat(e.problems()).as(e.getMessage()).hasSize(1);
        ConfigProblem problem = e.problems().getFirst();
        assertThat(problem.path()).isEqualTo(one.path);
        assertThat(problem.found()).contains(one.found);
        assertThat(problem.allowed()).contains(one.allowed);
        assertThat(problem.line()).isEqualTo(one.line);
    }

    @Test
    void aLossIsANumberOrAPercentage() {
        String network = "builder: {fat-tree: {}}\nlink: {faults: {loss: %s}}";
        assertThat(
                        read("name: t\nmode: bridge\n" + network.formatted("1%"))
                                .links()
                                .getFirst()
                                .spec())
                .isEqualTo(
                        read("name: t\nmode: bridge\n" + network.formatted("0.01"))
                                .links()
                                .getFirst()
                                .spec())
                .isNotEqualTo(
                        read("name: t\nmode: bridge\n" + network.formatted("0"))
                                .links()
                                .getFirst()
                                .spec());
    }

    @Test
    void nothingIsNoTopology() {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> read("# none\n"));
        assertThat(e).hasMessageContaining("t.yaml: found nothing; allowed: a mapping with name");
    }

    /** Another file's schema may hold ours whole. */
    @Test
    void anotherSchemaMayHoldThisOne() {
        ConfigSchema host =
                ConfigSchema.of(
                        "with-topology.schema.json",
                        Map.of(
                                "$id",
                                "urn:headgate:schema:test",
                                "type",
                                "object",
                                "x-allowed",
                                "a mapping",
                                "additionalProperties",
                                false,
                                "required",
                                List.of("network"),
                                "properties",
                                Map.of(
                                        "seed",
                                        Map.of("type", "integer", "x-allowed", "a number"),
                                        "network",
                                        Map.of("$ref", "headgate-topology.schema.json"))),
                        TopologyReader.SCHEMA);
        io.headgate.config.yaml.YamlConfig yaml =
                io.headgate.config.yaml.YamlConfig.read(
                        "seed: 4\nnetwork: {name: x, builder: {fat-tree: {k: 5}}}\n", "s", host);
        ConfigException e = catchThrowableOfType(ConfigException.class, yaml::throwIfAny);
        assertThat(e)
                .hasMessage(
                        "s:2:44: network.builder.fat-tree.k: found 5; allowed: an even number from"
                                + " 2 to 32, such as 4");
        io.headgate.config.yaml.YamlConfig good =
                io.headgate.config.yaml.YamlConfig.read(
                        "seed: 4\nnetwork: {name: x, link: {delay: 1ns}, builder: {fat-tree: {}}}\n",
                        "s",
                        host);
        assertThat(TopologyReader.bind(good, "/network"))
                .isEqualTo(Topologies.fatTree(4, LinkSpec.DEFAULT.withDelayPs(1000)).withName("x"));
    }
}
