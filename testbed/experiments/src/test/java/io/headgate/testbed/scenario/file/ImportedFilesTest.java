package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.imports.Format;
import io.headgate.testbed.imports.ImportWriter;
import io.headgate.testbed.imports.Imported;
import io.headgate.testbed.imports.SourceText;
import io.headgate.testbed.topology.Fabrics;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Other simulators' files, read, written in our words, and read back: graph and flows are equal.
 */
class ImportedFilesTest {
    private static final LinkSpec LINK = LinkSpec.of(100_000_000_000L, 1500);

    @TempDir private Path directory;

    private static Imported read(Format format, String text) {
        SourceText source = new SourceText("f", text);
        assertThat(Format.of(source)).isEqualTo(format);
        return format.read(source);
    }

    private static Topology writtenNetwork(Imported imported) {
        Map<String, String> files = ImportWriter.write("t", imported).files();
        assertThat(files).hasSize(1);
        return TopologyReader.read(String.valueOf(files.get("t.yaml")), "t.yaml");
    }

    private List<FlowSpec> writtenFlows(Imported imported) throws Exception {
        Map<String, String> files = ImportWriter.write("t", imported).files();
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
        String text =
                ScenarioReader.withNamedFiles(
                        Files.readString(directory.resolve("t.yaml")), "t.yaml", directory);
        return ScenarioReader.define(text, "t.yaml").experiment().flows();
    }

    private static String said(FlowSpec flow) {
        return flow.source()
                + ">"
                + flow.destination()
                + " "
                + (flow.sizeBytes() == FlowSpec.UNLIMITED ? 0 : flow.sizeBytes())
                + " at "
                + flow.startPs()
                + " after "
                + flow.after().stream().map(a -> a.flow() + "+" + a.delayPs()).toList();
    }

    /** A network in HPCC's words: nodes are numbered through, switches at the end. */
    private static String hpcc(Topology of, Map<String, String> names) {
        List<String> nodes = new ArrayList<>();
        of.hosts().forEach(host -> nodes.add(host.name()));
        of.switches().forEach(node -> nodes.add(node.name()));
        int hosts = of.hosts().size();
        for (int i = 0; i < nodes.size(); i++) {
            names.put(nodes.get(i), (i < hosts ? "h" : "s") + i);
        }
        StringBuilder text = new StringBuilder();
        text.append("%d %d %d%n".formatted(nodes.size(), of.switches().size(), of.links().size()));
        for (int i = hosts; i < nodes.size(); i++) {
            text.append(i).append(i % 3 == 0 ? '\n' : ' ');
        }
        text.append('\n');
        for (Topology.Link link : of.links()) {
            text.append(
                    "%d %d %dMbps %s 0.000000%n"
                            .formatted(
                                    nodes.indexOf(link.a()),
                                    nodes.indexOf(link.b()),
                                    link.spec().rateBps() / 1_000_000,
                                    "0.0015ms"));
        }
        return text.toString();
    }

    @Test
    void networksOfHpccAreReadBackEqual() {
        for (Topology one :
                List.of(
                        Topologies.singleSwitch(5, LINK),
                        Topologies.leafSpine(3, 2, 4, 2, LINK, LINK.withRateBps(400_000_000_000L)),
                        Fabrics.dragonfly(3, 2, 2, 1, LINK, LINK, LINK))) {
            Map<String, String> names = new HashMap<>();
            Topology back = writtenNetwork(read(Format.HPCC_TOPOLOGY, hpcc(one, names)));
            assertThat(back.links())
                    .extracting(link -> link.a() + link.b() + link.spec())
                    .containsExactlyInAnyOrderElementsOf(
                            one.links().stream()
                                    .map(link ->
                                            names.get(link.a()) + names.get(link.b()) + link.spec())
                                    .toList());
            assertThat(back.hosts()).hasSameSizeAs(one.hosts());
        }
        Topology lossy =
                writtenNetwork(
                        read(
                                Format.HPCC_TOPOLOGY,
                                "3 1 2\n2\n0 2 1Gbps 1us 0.01\n1 2 2.5Gb/s 50ns 0\n"));
        assertThat(lossy.links().getFirst().spec().faults())
                .isEqualTo(LinkFaults.NONE.withLossProbability(0.01));
        assertThat(lossy.links().getLast().spec()).isEqualTo(LinkSpec.of(2_500_000_000L, 50));
    }

    /** Counted as the trees are built: the same paths between all hosts. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Head, then links down, up and in each bundle of each tier.
                "16 3 4 | 2 2 1 | 2 2 1 | 4 0 1",
                "32 2 32 | 8 2 1 | 4 0 1 | 0 0 0",
                "8 3 4 | 2 2 1 | 2 4 1 | 4 0 2",
            })
    void treesOfHtsimAreReadBackEqual(String head, String tor, String agg, String core) {
        String[] of = head.split(" ");
        StringBuilder text =
                new StringBuilder(
                        "# a tree\nNodes %s\nTiers %s\nPodsize %s\n".formatted((Object[]) of));
        List<String> tiers = List.of(tor, agg, core);
        for (int tier = 0; tier < Integer.parseInt(of[1]); tier++) {
            String[] radix = tiers.get(tier).split(" ");
            text.append(
                    "\nTier %d\nDownlink_speed_Gbps 100\nRadix_Down %s\n%sDownlink_Latency_ns 1500\nBundle %s\n"
                            .formatted(
                                    tier,
                                    radix[0],
                                    radix[1].equals("0") ? "" : "Radix_Up " + radix[1] + "\n",
                                    radix[2]));
        }
        Topology back = writtenNetwork(read(Format.HTSIM_TOPOLOGY, text.toString()));
        NetworkPlan plan = NetworkPlan.of(back, PlanOptions.virtual(1));
        int hosts = Integer.parseInt(of[0]);
        int ofTor = Integer.parseInt(tor.split(" ")[0]);
        int podsize = Integer.parseInt(of[2]);
        assertThat(back.hosts()).hasSize(hosts);
        for (int a = 0; a < hosts; a++) {
            for (int b = 0; b < hosts; b++) {
                if (a != b) {
                    int links = a / ofTor == b / ofTor ? 2 : a / podsize == b / podsize ? 4 : 6;
                    assertThat(plan.linksBetween(a, b)).isEqualTo(links);
                }
            }
        }
        // Every port of every switch is used, and all links are as fast.
        assertThat(back.links()).allMatch(link -> link.spec().equals(LINK));
        Map<String, Integer> ports = new HashMap<>();
        back.links()
                .forEach(link -> {
                    ports.merge(link.a(), 1, Integer::sum);
                    ports.merge(link.b(), 1, Integer::sum);
                });
        for (int tier = 0; tier < Integer.parseInt(of[1]); tier++) {
            String[] radix = tiers.get(tier).split(" ");
            String kind = List.of("t", "a", "c").get(tier);
            int each = Integer.parseInt(radix[0]) + Integer.parseInt(radix[1]);
            assertThat(ports.entrySet())
                    .filteredOn(entry -> entry.getKey().startsWith(kind))
                    .isNotEmpty()
                    .allMatch(entry -> entry.getValue() == each);
        }
        if (hosts == 16) {
            // The same number of equal paths as ours has.
            Topology ours = Topologies.fatTree(4, LINK);
            assertThat(back.links()).hasSameSizeAs(ours.links());
            NetworkPlan other = NetworkPlan.of(ours, PlanOptions.virtual(1));
            assertThat(plan.nextPorts(0, 15)).hasSameSizeAs(other.nextPorts(0, 15));
        }
    }

    @Test
    void aSwitchesLatencyIsHalfAtEachOfItsLinks() {
        Topology back =
                writtenNetwork(
                        read(
                                Format.HTSIM_TOPOLOGY,
                                "Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 100\n"
                                        + "Radix_Down 2\nRadix_Up 1\nDownlink_Latency_ns 500\nSwitch_Latency_ns"
                                        + " 300\nTier 1\nDownlink_speed_Gbps 200\nRadix_Down 2\n"
                                        + "Downlink_Latency_ns 700\nSwitch_Latency_ns 100\n"));
        assertThat(back.links().getFirst().spec().delayPs()).isEqualTo(650_000);
        assertThat(back.links().getLast().spec().delayPs()).isEqualTo(900_000);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 200", "3, 3000"})
    void flowsOfHpccAndHtsimAreReadBackEqual(int seed, int count) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder hpcc = new StringBuilder(count + "\n");
        StringBuilder htsim = new StringBuilder("Nodes 20\nConnections %d\n".formatted(count));
        List<String> ofHpcc = new ArrayList<>();
        List<String> ofHtsim = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int from = random.nextInt(20);
            int to = (from + 1 + random.nextInt(19)) % 20;
            long bytes = 1 + random.nextLong(1_000_000);
            long startNs = random.nextLong(1_000_000);
            hpcc.append(
                    "%d %d 3 100 %d %d.%09d%n"
                            .formatted(
                                    from,
                                    to,
                                    bytes,
                                    startNs / 1_000_000_000,
                                    startNs % 1_000_000_000));
            ofHpcc.add("%d>%d %d at %d after []".formatted(from, to, bytes, startNs * 1000));
            // In the matrix the second of two waits for the first, which its source receives.
            boolean waits = i % 2 == 1;
            String before = ofHtsim.isEmpty() ? "" : ofHtsim.getLast();
            int source =
                    waits
                            ? Integer.parseInt(
                                    before.substring(before.indexOf('>') + 1, before.indexOf(' ')))
                            : from;
            int destination = (source + 1 + random.nextInt(19)) % 20;
            htsim.append(
                    waits
                            ? "%d->%d id %d trigger %d size %d%n"
                                    .formatted(source, destination, i + 1, i, bytes)
                            : "%d->%d id %d start %d size %d recv_done_trigger %d%n"
                                    .formatted(
                                            source,
                                            destination,
                                            i + 1,
                                            startNs * 1000,
                                            bytes,
                                            i + 1));
            htsim.append(waits ? "" : "trigger id %d oneshot%n".formatted(i + 1));
            ofHtsim.add(
                    "%d>%d %d at %d after %s"
                            .formatted(
                                    source,
                                    destination,
                                    bytes,
                                    waits ? 0 : startNs * 1000,
                                    waits ? "[" + (i - 1) + "+0]" : "[]"));
        }
        List<FlowSpec> flows = writtenFlows(read(Format.HPCC_FLOWS, hpcc.toString()));
        assertThat(flows).extracting(ImportedFilesTest::said).containsExactlyElementsOf(ofHpcc);
        assertThat(flows).allMatch(flow -> flow.shape().dscp() == 24 && flow.shape().isReliable());
        // The last of an odd number fires a trigger that nothing waits for.
        Imported matrix = read(Format.HTSIM_MATRIX, htsim.toString());
        assertThat(writtenFlows(matrix))
                .extracting(ImportedFilesTest::said)
                .containsExactlyElementsOf(ofHtsim);
    }

    @Test
    void barriersChainsAndEndlessConnectionsAreWhatTheyWere() throws Exception {
        Imported matrix =
                read(
                        Format.HTSIM_MATRIX,
                        """
                        Nodes 6
                        Connections 6
                        0->1 id 1 start 0 size 10 send_done_trigger 9
                        0->2 id 2 start 5 size 20 send_done_trigger 9
                        3->0 id 3 start 0 size 30 recv_done_trigger 9
                        0->5 id 4 trigger 9 size 40 prio 3
                        4->5 trigger 9 size 50
                        2->3 start 7 size 0
                        trigger id 9 barrier count 3
                        failure switch_type TOR switch_id 0 link_id 1
                        """);
        // The endless one is an entry of its own, before the file.
        assertThat(writtenFlows(matrix))
                .extracting(ImportedFilesTest::said)
                .containsExactly(
                        "2>3 0 at 7 after []",
                        "0>1 10 at 0 after []",
                        "0>2 20 at 5 after []",
                        "3>0 30 at 0 after []",
                        "0>5 40 at 0 after [1+0, 2+0, 3+0]",
                        "4>5 50 at 0 after []");
        assertThat(matrix.notes())
                .anyMatch(note -> note.startsWith("f:6: prio is not kept"))
                .anyMatch(note -> note.startsWith("f:7 (and 2 more): a wait for a connection that"))
                .anyMatch(note -> note.startsWith("f:10: failures are not converted"));
    }

    @Test
    void schedulesOfGoalAreFlowsThatWaitForOneAnother() throws Exception {
        String tree =
                """
                num_ranks 4
                rank 0 {
                  send 8b to 1 tag 0
                  a: send 8b to 2 tag 0
                }
                rank 1 {
                  r: recv 8b from 0 tag 0
                  s: send 8b to 3 tag 0 cpu 0
                  s requires r
                }
                rank 2 {
                  recv 8b from 0 tag 0
                }
                rank 3 {
                  recv 8b from 1 tag 0
                }
                """;
        assertThat(writtenFlows(read(Format.GOAL, tree)))
                .extracting(ImportedFilesTest::said)
                .containsExactly(
                        "0>1 8 at 0 after []", "0>2 8 at 0 after []", "1>3 8 at 0 after [0+0]");
        // Two computations join; a send begins with another; messages of one tag come in order.
        String joined =
                """
                // comment
                num_ranks 3
                rank 2 {
                  x: recv 100b from 0 tag 7
                  y: recv 200b from 1 tag 7
                  c: calc 5
                  c requires x  /* of x
                  over two lines */
                  d: calc 9
                  d requires y
                  e: calc 1
                  e requires c
                  e requires d
                  s: send 0b to 0
                  s requires e
                  t: send 3b to 1
                  t irequires s
                }
                rank 0 { // none
                  send 100b to 2 tag 7
                  recv 0b from 2
                }
                rank 1 {
                  p: calc 40
                  q: send 200b to 2 tag 7
                  q requires p
                  recv 3b from 2
                }
                """;
        Imported schedule = read(Format.GOAL, joined);
        assertThat(writtenFlows(schedule))
                .extracting(ImportedFilesTest::said)
                .containsExactly(
                        "2>0 1 at 10000 after [2+6000, 3+10000]",
                        "2>1 3 at 10000 after [2+6000, 3+10000]",
                        "0>2 100 at 0 after []",
                        "1>2 200 at 40000 after []");
        assertThat(schedule.notes()).anyMatch(note -> note.contains("1 sends of 0 bytes"));
        String ordered =
                """
                num_ranks 2
                rank 0 {
                  a: send 1b to 1 tag 3
                  b: send 2b to 1 tag 3
                  b requires a
                }
                rank 1 {
                  r1: recv 1b from 0 tag 3
                  r2: recv 2b from 0 tag 3
                  s: send 9b to 0 tag 0
                  s requires r2
                }
                """;
        assertThat(
                        writtenFlows(read(Format.GOAL, ordered + "\n")).stream()
                                .map(ImportedFilesTest::said))
                .containsExactly(
                        "0>1 1 at 0 after []", "0>1 2 at 0 after [0+0]", "1>0 9 at 0 after [1+0]");
    }

    @Test
    void aNetworkAndFlowsBecomeOneScenario() throws Exception {
        Imported network =
                read(
                        Format.HPCC_TOPOLOGY,
                        "4 1 3\n0\n0 1 10Gbps 1us 0\n0 2 10Gbps 1us 0\n3 0 10Gbps 1us 0\n");
        Imported flows = read(Format.HPCC_FLOWS, "2\n1 3 0 100 1000 0.001\n2 3 5 100 1000 0.001\n");
        assertThat(writtenFlows(network.with(flows)))
                .extracting(flow ->
                        flow.source() + ">" + flow.destination() + " " + flow.shape().dscp())
                .containsExactly("0>2 0", "1>2 40");
        assertThatThrownBy(() -> network.with(read(Format.HPCC_FLOWS, "1\n1 0 0 100 1000 0.001\n")))
                .hasMessageStartingWith(
                        "flows of h0, which the network does not have; allowed: its 3");
        assertThatThrownBy(() -> network.with(network)).hasMessageContaining("two networks");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    HPCC_TOPOLOGY | 3 1 2/2/0 2 10Gbps 1us 0/1 2 10Gbit 1us 0 | f:4: rate "10Gbit"; allowed: one such as 100Gbps
                    HPCC_TOPOLOGY | 3 1 2/2/0 2 10Gbps 1us 0/0 2 10Gbps 1us 0 | f:4: a second link of host 0; allowed: one link
                    HPCC_TOPOLOGY | 3 1 2/2/0 2 10Gbps 1us 0/0 1 10Gbps 1us 0 | f:4: a second link of host 0
                    HPCC_TOPOLOGY | 3 1 2/2/0 2 10Gbps 1us                    | f:3: 4 words; allowed: two nodes, rate
                    HPCC_TOPOLOGY | 3 1 2/2/0 2 10Gbps 1us 0                  | f:3: the end of the file; allowed: 2 links
                    HPCC_TOPOLOGY | 3 1 2/7/0 2 10Gbps 1us 0                  | f:2: switch "7"; allowed: a whole number from 0 to 2
                    HPCC_TOPOLOGY | 3 1 2/2/0 2 10Gbps 1us 0/1 2 10Gbps 1us 1.5 | f:4: loss "1.5"; allowed: a number from 0 to 1
                    HPCC_TOPOLOGY | 99999999999 1 2                           | f:1: nodes "99999999999"
                    HPCC_FLOWS    | 2/0 1 3 100 50 0                          | f:2: 1 flows; allowed: 2, as the first line says
                    HPCC_FLOWS    | 1/0 1 9 100 50 0                          | f:2: priority group "9"; allowed: a whole number from 0 to 7
                    HPCC_FLOWS    | 1/0 0 3 100 50 0                          | f:2: a flow of 0 to itself
                    HPCC_FLOWS    | 1/0 1 3 100 50 -1                         | f:2: start "-1"; allowed: a number from 0 to 1000
                    HPCC_FLOWS    | 1/0 1 3 100 50 1e99                       | f:2: start "1e99"
                    HTSIM_MATRIX  | Nodes 4/Connections 1/0->9 start 0 size 5 | f:3: 0->9; allowed: nodes from 0 to 3
                    HTSIM_MATRIX  | Nodes 4/Connections 2/0->1 start 0 size 5 | f:3: 1 connections; allowed: 2
                    HTSIM_MATRIX  | Nodes 4/Connections 1/0->1 size 5         | f:3: exactly one of start and trigger
                    HTSIM_MATRIX  | Nodes 4/Connections 1/0->1 strat 0 size 5 | f:3: "strat"; allowed: start?
                    HTSIM_MATRIX  | Nodes 4/Connections 1/0->1 trigger 5 size 5 | f:3: trigger 5, which is not defined
                    HTSIM_MATRIX  | Nodes 4/Connections 1/0->1 start 0 size   | f:3: no value of size
                    HTSIM_TOPOLOGY | Nodes 4/Tiers 2/Podsize 4/Tier 0/Radix_Down 2 | f:5: 1 tiers; allowed: 2
                    HTSIM_TOPOLOGY | Nodes 4/Tiers 2/Podsize 4/Tier 0/Radx_Down 2 | f:5: the key "Radx_Down"; allowed: radix_down?
                    HTSIM_TOPOLOGY | Nodes 4/Tiers 2/Radix_Down 2             | f:3: radix_down before the first tier
                    GOAL          | num_ranks 2/rank 0 {/a: send 1b to 7/}    | f:3: rank "7"; allowed: a whole number from 0 to 1
                    GOAL          | num_ranks 2/rank 0 {/a requires b/}       | f:3: the unknown label a
                    GOAL          | num_ranks 2/rank 0 {/a: send 1b to 1/a requires a/} | f:3: an operation that requires itself
                    GOAL          | num_ranks 2/rank 0 {/recv 1b from -1/}    | f:3: any source or any tag
                    GOAL          | num_ranks 2/rank 0 {/a: send 1b to 1      | f:3: the end of the file; allowed: } of rank 0
                    GOAL          | num_ranks 2/rank 0 {/sned 1b to 1/}       | f:3: "sned 1b to 1"; allowed: l1: send
                    GOAL          | num_ranks 2/rank 0 {/send 1b to 1/recv 1b from 1/} | f:4: a recv that no send of rank 1 matches
                    """)
    void aBrokenLineIsNamedWithWhatIsAllowed(Format format, String text, String sentence) {
        SourceText source = new SourceText("f", text.replace('/', '\n'));
        assertThatThrownBy(() -> format.read(source)).hasMessageStartingWith(sentence);
    }

    /** Whatever a file has: a sentence with its name, and no long run. */
    @Test
    void damagedFilesAreRefusedInASentence() throws Exception {
        SplittableRandom random = new SplittableRandom(4);
        String bits = "0123456789 \n->{}:#./b\tx";
        for (Path example : examples()) {
            String text = Files.readString(example);
            Format format = Format.of(new SourceText("f", text));
            for (int i = 0; i < 300; i++) {
                StringBuilder damaged = new StringBuilder(text);
                for (int j = random.nextInt(3); j >= 0; j--) {
                    int at = random.nextInt(damaged.length());
                    damaged.setCharAt(at, bits.charAt(random.nextInt(bits.length())));
                }
                try {
                    ImportWriter.write("t", format.read(new SourceText("f", damaged.toString())));
                } catch (IllegalArgumentException e) {
                    assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
                }
            }
        }
        assertThatThrownBy(() -> new SourceText("f", "1 ".repeat(40_000)))
                .hasMessageContaining("80000 characters; allowed: at most 65536");
        assertThatThrownBy(() -> Format.of(new SourceText("f", "")))
                .hasMessageContaining("its first lines do not show the format");
    }

    private static List<Path> examples() throws Exception {
        try (var files = Files.list(Path.of("examples/import"))) {
            return files.sorted().toList();
        }
    }
}
