package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.bed.DeviceUnderTest;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches that are not of the bed are judged by what the tester sees. */
class ConformanceDeviceTest {
    private static final Path EXAMPLE = Path.of("examples/conformance/switch.yaml");
    private static final int HOSTS = 3;
    private static final int ATTEMPTS = 15;
    private static final String RATE = "500Mbps";

    @TempDir private Path directory;

    /**
     * The same until it comes out as it must: a machine that holds up tester or device for longer
     * than the case allows for makes checks fail.
     */
    private static CaseResult judge(
            String number,
            String form,
            NetnsNetwork network,
            String rate,
            Predicate<CaseResult> isSo)
            throws Exception {
        CaseResult result = judge(number, form, network, rate);
        for (int attempt = 1; attempt < ATTEMPTS && !isSo.test(result); attempt++) {
            System.out.println("INVALID, and no failure yet: " + result.seen());
            result = judge(number, form, network, rate);
        }
        return result;
    }

    private static CaseResult judge(String number, String form, NetnsNetwork network, String rate)
            throws Exception {
        ConformanceCase one = ConformanceCase.named(List.of(number)).getFirst();
        String text = one.text().replaceAll("default: \"whole,[a-z,-]+\"", "default: " + form);
        StringBuilder ports = new StringBuilder("afpacket:");
        for (int host = 0; host < HOSTS; host++) {
            ports.append(host == 0 ? "" : ",").append(network.hostNetns(host)).append("/eth0");
        }
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        ConformanceRun run = new ConformanceRun(BedKind.NETNS, rate, 1, nowhere, false);
        run.judge(DeviceUnderTest.parse(ports.toString()));
        return run.run(new ConformanceCase(one.number(), one.name(), text));
    }

    private NetnsNetwork network(String name, int scale) throws Exception {
        NetnsNetwork network =
                NetnsNetwork.of(
                        Topologies.singleSwitch(HOSTS, LinkSpec.DEFAULT),
                        NetnsNetwork.Options.of("hgc" + ProcessHandle.current().pid() + name, 1)
                                .withScale(scale)
                                .withHosts(NetnsNetwork.Hosts.CARD),
                        new LabRecords(directory.resolve("labs")),
                        line -> {});
        network.build();
        return network;
    }

    private static boolean passes(CaseResult result) {
        return result.verdict() == Verdict.PASS;
    }

    private static List<String> failed(CaseResult result) {
        return result.checks().stream().filter(check -> !check.passed()).map(Check::what).toList();
    }

    @Tag("netns")
    @Test
    void theKernelsBridgeIsNotPausedAndPausesNobody() throws Exception {
        try (NetnsNetwork network = network("b-", 20)) {
            String bridge =
                    """
                    link add br0 type bridge mcast_snooping 0
                    link set br0 up
                    link set p1 master br0
                    link set p2 master br0
                    link set p3 master br0
                    """;
            Path batch = Files.writeString(directory.resolve("bridge"), bridge);
            Programs.Result made =
                    network.programs()
                            .run(
                                    network.switchNetns(0),
                                    20_000,
                                    List.of("/usr/sbin/ip", "-batch", batch.toString()));
            assertThat(made.ok()).as(made.output()).isTrue();

            CaseResult lasts = judge("c05", "whole", network, RATE);
            // What a busy machine has the tester send late comes soon after the pause, too.
            assertThat(failed(lasts))
                    .contains("sent in the pause")
                    .isSubsetOf("sent in the pause", "sent soon after it");
            assertThat(lasts.unseen()).containsExactly("time paused", "last of s1/p2 stopped.p3");
            assertThat(failed(judge("c09", "", network, RATE)))
                    .contains("last of s1/p1 pfc.xoff.sent.p3", "last of s1/p2 pfc.xoff.sent.p4");
            assertThat(judge("c02", "", network, RATE, ConformanceDeviceTest::passes).verdict())
                    .isEqualTo(Verdict.PASS);
            assertThat(judge("c15", "", network, RATE).why())
                    .isEqualTo("it needs 4 interfaces, given are 3");
        }
    }

    /**
     * What fails with the bridge passes with a switch that does it, by the same tester: at a rate
     * at which the machine may hold up both for 30 ms.
     */
    @Tag("netns")
    @Test
    void aSwitchThatIsPausedAndPausesPasses() throws Exception {
        try (NetnsNetwork network = network("h-", 100)) {
            String text =
                    Files.readString(EXAMPLE)
                            .replace("NETNS", network.switchNetns(0))
                            .replaceAll("  - \\{name: p4.*\n", "");
            SwitchConfig config = SwitchConfigReader.read(text, EXAMPLE.toString());
            try (RunningSwitch device = RunningSwitch.start(config, SwitchOptions.DEFAULT)) {
                assertThat(device.config().name()).isEqualTo("device");
                CaseResult result =
                        judge("c05", "whole", network, "100Mbps", ConformanceDeviceTest::passes);
                assertThat(result.verdict())
                        .as(result.seen() + result.lost())
                        .isEqualTo(Verdict.PASS);
            }
        }
    }

    @Test
    void whatOnlyTheDeviceKnowsOrCanDoIsSkipped() throws Exception {
        DeviceUnderTest two = DeviceUnderTest.parse("afpacket:eth1,a/eth1");
        assertThat(two.toString()).isEqualTo("afpacket:eth1,a/eth1");
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        ConformanceRun run = new ConformanceRun(BedKind.NETNS, "1Gbps", 1, nowhere, false);
        run.judge(two);
        assertThat(why(run, "c22"))
                .isEqualTo("it changes the switch's configuration while it runs");
        assertThat(why(run, "c19")).isEqualTo("it needs 2 switches");
        assertThat(why(run, "c16")).startsWith("in virtual time only");
    }

    private static String why(ConformanceRun run, String number) throws Exception {
        CaseResult result = run.run(ConformanceCase.named(List.of(number)).getFirst());
        assertThat(result.verdict()).isEqualTo(Verdict.SKIP);
        return result.why();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "eth1,eth2",
                "afpacket:",
                "afpacket:eth1",
                "afpacket:a,a",
                "afpacket:a,,b",
                "afpacket:a,b/c/d",
                "afpacket:a,interface-with-a-long-name",
                "afxdp:a,b"
            })
    void portsOfAnotherFormAreRefused(String text) {
        assertThatThrownBy(() -> DeviceUnderTest.parse(text))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("allowed is afpacket:IF,IF with two different interfaces");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3Gbps", "40Gbps", "0bps", "1bps", "fast"})
    void ratesThatCasesDoNotHaveAreRefused(String rate) throws Exception {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        ConformanceRun run = new ConformanceRun(BedKind.NETNS, rate, 1, nowhere, false);
        DeviceUnderTest device = DeviceUnderTest.parse("afpacket:a,b");
        assertThatThrownBy(() -> run.judge(device))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("10Gbps is a whole multiple");
    }
}
