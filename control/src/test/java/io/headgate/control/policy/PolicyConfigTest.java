package io.headgate.control.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.engine.PortBehaviour;
import io.headgate.dataplane.openqueue.FrameValue;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A policy as a port's configuration names it. */
final class PolicyConfigTest {
    private static final String LOSSLESS =
            "flow-control: pfc, lossless: [3], link: {own-reaction: 1us, peer-reaction: 1us}, ";

    @TempDir private Path directory;

    private static PortConfig port(String keys) {
        return SwitchConfigReader.read(
                        "{name: s1, ports: [{name: p1, device: {afpacket: v1}, rate: 10Gbps, "
                                + keys
                                + "}, {name: p2, device: {afpacket: v2}}]}",
                        "s1.yaml")
                .ports()
                .getFirst();
    }

    private static PolicyConfig policy(PortConfig port) {
        PolicyConfig policy = port.mechanisms().get(PolicyConfig.class);
        assertThat(policy).isNotNull();
        return policy;
    }

    @Test
    void shippedPolicyIsNamedWithoutItsPlace() {
        PortConfig port = port("queues: {policy: {file: lqd.oq}}");
        PolicyConfig policy = policy(port);
        assertThat(policy.file().policy().queues()).hasSize(4);
        assertThat(policy.binding().carries()).containsExactly(0x03, 0x0C, 0x30, 0xC0);
        Queues queues =
                PortBehaviour.configured(port, ConfigDefaults.MEMORY, WireFormat.ETHERNET)
                        .queues()
                        .get();
        assertThat(queues.getClass().isHidden()).isTrue();
        assertThat(queues.isEmpty()).isTrue();
    }

    private static SwitchConfig fabric(String file, String keys) {
        String port = "{name: p%d, device: {afpacket: v%d}, rate: 10Gbps, " + keys + "}";
        return SwitchConfigReader.read(
                "{name: s1, domain: {fabric: {file: %s}}, ports: [%s]}"
                        .formatted(
                                file,
                                IntStream.rangeClosed(1, 4)
                                        .mapToObj(i -> port.formatted(i, i))
                                        .collect(Collectors.joining(", "))),
                "s1.yaml");
    }

    @Test
    void aSwitchIsLaidOutByAPolicyThatFitsIt() {
        SwitchConfig config = fabric("buffered-crossbar-4.oq", "");
        assertThat(config.mechanisms().get(FabricConfig.class)).isNotNull();
        String all = LOSSLESS.replace("[3]", "[0, 1, 2, 3, 4, 5, 6, 7]");
        assertThat(fabric("buffered-crossbar-4.oq", all)).isNotNull();
        assertThatThrownBy(() -> fabric("buffered-crossbar-4.oq", LOSSLESS))
                .hasMessageContaining("queue voq11 with lossless and lossy priorities");
        assertThatThrownBy(() -> fabric("virtual-output-4.oq", all))
                .hasMessageContaining("queue voq11, which may drop, for the lossless priority 0");
        assertThatThrownBy(() -> fabric("lqd.oq", ""))
                .hasMessageContaining("does not fit this switch")
                .hasMessageContaining("declares 1 ports; for a switch of 4 ports it declares 4");
    }

    @Test
    void linesOfALayoutHaveARateThatLinesCanHave() throws Exception {
        String shipped = Files.readString(Path.of("../config/policies/virtual-output-4.oq"));
        Path file = directory.resolve("rates.oq");
        for (String rate : new String[] {"0.001%", "100000%", "9"}) {
            Files.writeString(file, shipped.replace("in2 = Port(200%", "in2 = Port(" + rate));
            assertThatThrownBy(() -> fabric(file.toString(), ""))
                    .hasMessageContaining("port in2 of the policy would have a rate of");
        }
        Files.writeString(file, shipped.replace("in2 = Port(200%", "in2 = Port(80%"));
        SwitchConfig config = fabric(file.toString(), "");
        assertThatThrownBy(() -> SwitchPatch.apply(config, List.of("p2.rate=1Mbps")))
                .hasMessageContaining("would have a rate of 0.8000 Mb/s, with p2 at 1 Mb/s");
        assertThat(SwitchPatch.apply(config, List.of("p1.rate=1Mbps"))).isNotNull();
    }

    @Test
    void bindingSaysWhatPacketsAreAndWhichQueueCarriesThem() {
        PolicyConfig policy =
                policy(
                        port(
                                "queues: {policy: {file: lqd.oq, value: dscp, processing: length,"
                                        + " size-unit: packets, carries: [{queue: q1, priorities: [7,"
                                        + " 0]}, {queue: q2, priorities: [1]}, {queue: q4, priorities:"
                                        + " [2, 3, 4, 5, 6]}]}}"));
        assertThat(policy.binding().carries()).containsExactly(0x81, 0x02, 0x00, 0x7C);
        assertThat(policy.binding().value()).isEqualTo(FrameValue.DSCP);
        assertThat(policy.binding().processing()).isEqualTo(FrameValue.LENGTH);
        assertThat(policy.binding().countsPackets()).isTrue();
    }

    @Test
    void filesOfOnesOwnImportWhatLiesBesideThemAndWhatIsShipped() throws Exception {
        Files.writeString(
                directory.resolve("own.oq"),
                """
                import "standard.oq"
                import "more.oq"
                q = Queue(9000);
                q.procPrio = fifo;
                q.admPrio = mine;
                q.congestion = tailDrop;
                out = Port(q);
                """);
        Files.writeString(directory.resolve("more.oq"), "mine(a, b) = a.size < b.size");
        PolicyConfig policy =
                policy(port("queues: {policy: {file: " + directory.resolve("own.oq") + "}}"));
        assertThat(policy.file().policy().queues().getFirst().size()).isEqualTo(9000);
    }

    @Test
    void aPolicyIsReadAgainWhereItsTextOrThatOfAnImportHasChanged() throws Exception {
        Path file = directory.resolve("own.oq");
        Path library = directory.resolve("mine.oq");
        String own =
                """
                import "standard.oq"
                import "mine.oq"
                q = Queue(9000);
                q.procPrio = mine;
                q.congestion = tailDrop;
                out = Port(q);
                """;
        String keys = "queues: {policy: {file: " + file + "}}";
        Files.writeString(file, own);
        Files.writeString(library, "mine(a, b) = a.size < b.size");
        Policy first = policy(port(keys)).file().policy();
        assertThat(policy(port(keys)).file().policy()).isSameAs(first);
        Files.writeString(library, "mine(a, b) = a.size > b.size");
        Policy other = policy(port(keys)).file().policy();
        assertThat(other).isNotEqualTo(first);
        Files.writeString(file, own.replace("9000", "8000"));
        assertThat(policy(port(keys)).file().policy().queues().getFirst().size()).isEqualTo(8000);
        Files.writeString(file, own);
        assertThat(policy(port(keys)).file().policy()).isEqualTo(other);
        Files.delete(library);
        assertThatThrownBy(() -> port(keys)).hasMessageContaining("there is no library");
    }

    @Test
    void aLibraryOfOnesOwnTakesThePlaceOfTheShippedOneAlsoWhereThatWasReadBefore()
            throws Exception {
        Path file = directory.resolve("own.oq");
        Files.writeString(
                file,
                """
                import "standard.oq"
                q = Queue(9000);
                q.procPrio = fifo;
                q.congestion = tailDrop;
                out = Port(q);
                """);
        String keys = "queues: {policy: {file: " + file + "}}";
        Policy shipped = policy(port(keys)).file().policy();
        Path library = directory.resolve("standard.oq");
        Files.writeString(
                library,
                Files.readString(Path.of("../config/policies/standard.oq"))
                        .replace("p1.arrival < p2.arrival", "p1.size < p2.size"));
        assertThat(policy(port(keys)).file().policy()).isNotEqualTo(shipped);
        Files.delete(library);
        assertThat(policy(port(keys)).file().policy()).isEqualTo(shipped);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "file: none.oq | none.oq: there is no such file",
                "file: standard.oq | a policy that no port can run: it declares no port",
                "'file: lqd.oq, carries: [{queue: q9, priorities: [1]}]' | queue \"q9\"",
                "'file: lqd.oq, carries: [{queue: q1, priorities: [1]}]' | priority 0 in 0 queues",
                "'file: lqd.oq, value: colour' | colour",
            })
    void whatDoesNotFitIsRefusedInASentence(String keys, String sentence) {
        assertThatThrownBy(() -> port("queues: {policy: {" + keys + "}}"))
                .hasMessageContaining(sentence)
                .hasMessageContaining("s1.yaml:1:");
    }

    @Test
    void aMistakeInAPolicyIsShownWithItsLine() throws Exception {
        Path file = directory.resolve("wrong.oq");
        Files.writeString(file, "q = Queue(9000);\nq.procPrio = fifo;\n");
        assertThatThrownBy(() -> port("queues: {policy: {file: " + file + "}}"))
                .hasMessageContaining(
                        "a policy that is wrong at line 2, column 14: there is no definition"
                                + " \"fifo\"");
    }

    @Test
    void losslessPrioritiesHaveQueuesThatDoNotDropNorMix() throws Exception {
        assertThatThrownBy(() -> port(LOSSLESS + "queues: {policy: {file: tail-drop.oq}}"))
                .hasMessageContaining("queue q1, which may drop, for the lossless priority 3");
        Path file = directory.resolve("lossless.oq");
        Files.writeString(
                file,
                """
                import "standard.oq"
                a = Queue(1); b = Queue(90000);
                a.procPrio = most_valuable; b.procPrio = fifo; b.congestion = tailDrop;
                out = Port(a, b); out.schedPrio = lqf;
                """);
        String named = LOSSLESS + "queues: {policy: {file: " + file + ", ";
        String rest = "{queue: b, priorities: [0, 1, 2, 4, 5, 6, 7]}]";
        String carries = "carries: [{queue: a, priorities: [3]}, " + rest;
        assertThatThrownBy(() -> port(named + carries + "}}"))
                .hasMessageContaining("queue a reorders the lossless priority 3");
        assertThat(policy(port(named + carries + ", reorders: true}}")).packets().reorders())
                .isTrue();
        assertThatThrownBy(() ->
                        port(
                                named
                                        + "reorders: true, carries: [{queue: a, priorities:"
                                        + " [3, 4]}, {queue: b, priorities: [0, 1, 2, 5, 6,"
                                        + " 7]}]}}"))
                .hasMessageContaining("queue a with lossless and lossy priorities");
    }
}
