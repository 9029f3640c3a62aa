package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.twin.LabTwin;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Series;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("netns")
class OwnLabTest {
    private final String prefix = "hgo" + ProcessHandle.current().pid() + "-";

    @TempDir private Path directory;

    private LabOptions options(OwnLabSpec spec) {
        return new LabOptions(
                DeviceKind.AFPACKET,
                "single",
                "backoff",
                "1Gbps",
                spec.seconds(),
                1500,
                false,
                false,
                directory,
                directory,
                prefix,
                7,
                false);
    }

    private static PrintStream nowhere() {
        return new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    }

    private RunReport run(OwnLabSpec spec) throws Exception {
        return run(spec, false);
    }

    private RunReport run(OwnLabSpec spec, boolean endsEarly) throws Exception {
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (OwnLab lab =
                new OwnLab(
                        List.of(spec), 1, options(spec), records, "headgate lab test", nowhere())) {
            if (endsEarly) {
                lab.endEarly();
            }
            return lab.run();
        }
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(NetworkNamespace.names()).noneMatch(name -> name.startsWith(prefix));
        assertThat(Path.of("/etc/netns", prefix + "h1")).doesNotExist();
    }

    /**
     * The shipped example's network and words, at a tenth of its rates; over when all has ended, as
     * a busy machine may be long to start its server.
     */
    @Test
    void flowsAndCommandsRunAndHostsKnowEachOtherByName() throws Exception {
        Path example = Path.of("examples/labs/two-switches.yaml");
        String text =
                Files.readString(example)
                        .replace("duration: 6s", "duration: 12s")
                        .replaceAll("rate: ([0-9]+)0Mbps", "rate: $1Mbps")
                        .replace("start: 2s, duration: 3s", "start: 500ms, duration: 1s")
                        .replace("start: 2s", "start: 500ms")
                        .replace("start: 1s", "start: 500ms")
                        .replace("-i 0.5", "-i 0.2")
                        .replace("run: python3 -c", "run: until python3 -c")
                        .replace(".status)\"", ".status)\" 2>/dev/null; do sleep 0.1; done")
                        .replace("{from: h1, to: h3}", "{from: h1, to: h3, duration: 2s}")
                        .replace("commands:", "  - {from: h1, to: h2, protocol: probe}\ncommands:");
        RunReport report = run(OwnLabReader.read(text, "two-switches.yaml"), true);
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText())
                .contains("12 of 12 pairs reachable", "h1→h3", "h2→h4", "with the lab");
        ReportPage page = ReportPage.of(report);
        Shown probes = page.table(Of.PROBES);
        assertThat(probes.text(0, "flow")).isEqualTo("h1→h2");
        assertThat(probes.number(0, "sent (datagrams)")).isBetween(1.0, 2401.0);
        // The last may come after a busy machine has closed their receiver.
        boolean isFair = report.doubts().isEmpty();
        assertThat(isFair ? probes.number(0, "lost (datagrams)") : 0).isZero();
        assertThat(probes.number(0, "interval (ms)")).isEqualTo(5);
        if (probes.number(0, "lost (datagrams)") == 0) {
            assertThat(probes.number(0, "longest outage (ms)")).isZero();
            assertThat(probes.text(0, "from (s)")).isEqualTo("-");
        }
        assertThat(directory.resolve("command-2-h2.txt")).hasContent("200");
        assertThat(directory.resolve("switch-s2.yaml")).exists();
    }

    /**
     * Each direction of the link in the middle is 5 ms late; that to h2 loses frames for a while.
     */
    @Test
    @Tag("long")
    void linksAreAsTheirFileSaysAndAsOrdersChangeThem() throws Exception {
        String text =
                """
                topology:
                  name: t
                  mode: bridge
                  link: {rate: 100Mbps}
                  hosts: [{name: h1, at: s1}, {name: h2, at: s2}]
                  switches: [s1, s2]
                  links: [{between: [s1, s2], delay: 5ms, faults: {jitter: 1ms}}]
                duration: 5s
                orders:
                  - {at: 0s, link: h2-s2, set: {loss: 30%}}
                  - {at: 2200ms, link: s2-h2, set: {loss: 0}}
                  - {at: 2200ms, link: s1-s2, set: {repetition: 1}, towards: s2}
                  - {at: 3200ms, down: s1-s2}
                  - {at: 4s, up: [s1-s2]}
                commands:
                  - {at: h1, start: 200ms, run: "ping -q -c 100 -i 0.005 -W 0.5 h2; true"}
                  - {at: h1, start: 2300ms, run: "ping -c 2 -i 0.2 -W 0.5 h2"}
                  - {at: h1, start: 3300ms, run: "! ping -c 1 -W 0.3 h2"}
                  - {at: h1, start: 4100ms, run: "ping -c 1 -W 0.5 h2"}
                """;
        RunReport report = run(OwnLabReader.read(text, "links.yaml"));
        assertThat(report.problems()).as(report.toText()).isEmpty();
        String ping = Files.readString(directory.resolve("command-1-h1.txt"));
        Matcher said =
                Pattern.compile("(?s)100 packets transmitted, (\\d+) received.*= ([0-9.]+)/")
                        .matcher(ping);
        assertThat(said.find()).as(ping).isTrue();
        assertThat(Double.parseDouble(said.group(2))).isBetween(10.0, 60.0);
        Matcher counted = Pattern.compile("FAULT_INJECTED +([0-9]+)").matcher(report.toText());
        long lost = counted.results().mapToLong(one -> Long.parseLong(one.group(1))).sum();
        assertThat(lost).as(report.toText()).isEqualTo(100 - Long.parseLong(said.group(1)));
        assertThat(lost).isBetween(25L, 75L);
        assertThat(directory.resolve("command-2-h1.txt")).content().contains("(DUP!)");
    }

    /** Of three ways between leaves each probe takes one. */
    @Test
    @Tag("long")
    void probesSayForHowLongALinkThatFailedWasMissing() throws Exception {
        RunReport report = run(OwnLabReader.read(Path.of("examples/labs/failed-link.yaml")));
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText())
                .contains("down e2-c1: seen at 1.", "all links up: seen at 3.", "ms later");
        assertThat(report.headlines()).containsKey("longest outage of 15 probes");
        ReportPage page = ReportPage.of(report);
        Shown probes = page.table(Of.PROBES);
        double most = 0;
        for (int row = 0; row < 15; row++) {
            most = Math.max(most, probes.number(row, "longest outage (ms)"));
        }
        // Without another way it is two seconds.
        assertThat(most).isBetween(80.0, 1500.0);
    }

    /**
     * h1-1 is at the ends of three flows; h1-2, h1-3 and h2-3 have kernels. On the lossy link one
     * packet in a hundred is sent again, and with go-back-N it would be what follows it, too.
     */
    @Test
    @Tag("long")
    void hostsSpeakRoceToSeveralOthersAndOthersRunPrograms() throws Exception {
        String text =
                """
                topology:
                  name: rdma
                  link: {rate: 20Mbps}
                  builder: {leaf-spine: {leaves: 2, spines: 2, hosts-per-leaf: 3}}
                  ports:
                    classify: {trust: dscp}
                    flow-control: pfc
                    lossless: [3]
                    buffers: {xoff: 50kB}
                    link: {own-reaction: 50ms, peer-reaction: 50ms}
                    congestion: {red: {kmin: 10kB, kmax: 60kB}}
                duration: 3s
                traffic:
                  - {from: h1-1, to: h2-1, protocol: rdma, dscp: 26, queue-pairs: 2, control: dcqcn}
                  - {from: h1-1, to: h2-2, protocol: rdma, dscp: 26, queue-pairs: 2, transport: selective}
                  - {from: h2-1, to: h1-1, protocol: rdma, dscp: 26, verb: send, message: 4kB, start: 500ms}
                  - {from: h1-2, to: h2-3, protocol: udp, rate: 1Mbps}
                commands: [{at: h1-3, run: ping -c 2 -i 0.2 h2-3}]
                orders: [{at: 0s, link: h2-2-e2, towards: h2-2, set: {loss: 1%}}]
                """;
        RunReport report = run(OwnLabReader.read(text, "rdma.yaml"));
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText())
                .contains(
                        "RDMA flows",
                        "h1-1→h2-1  write  dcqcn",
                        "h2-1→h1-1  send   none",
                        "6 of 6 pairs reachable")
                .containsPattern("(?m)^UDP$(?s:.*?)^ +.*h1-2→h2-3 ");
        Matcher injected =
                Pattern.compile("FAULT_INJECTED +([0-9]+) +lost").matcher(report.toText());
        assertThat(injected.find()).as(report.toText()).isTrue();
        double lost = Double.parseDouble(injected.group(1));
        assertThat(lost).isPositive();
        ReportPage page = ReportPage.of(report);
        Shown flows = page.table(Of.RDMA);
        for (int row = 0; row < 3; row++) {
            assertThat(flows.text(row, "flow")).contains("→");
            assertThat(flows.text(row, "verb")).isIn("write", "send");
            assertThat(flows.text(row, "control")).isIn("dcqcn", "none");
            assertThat(flows.number(row, "received (Mb/s)")).isBetween(0.5, 20.0);
            assertThat(flows.number(row, "messages")).isPositive();
            assertThat(flows.number(row, "p99 (ms)"))
                    .isGreaterThanOrEqualTo(flows.number(row, "median (ms)"));
            assertThat(flows.number(row, "sent again (packets)"))
                    .as(report.toText())
                    .isBetween(0.0, row == 1 ? 2 * lost : 0.0);
        }
        assertThat(flows.number(1, "sent again (packets)")).isPositive();
        // Messages of 4 kB over two seconds and a half, or less where the flow began late.
        assertThat(flows.number(2, "messages") * 4000 * 8 / 2.5e6)
                .isCloseTo(flows.number(2, "received (Mb/s)"), withinPercentage(25));
        page.everyColumnIsHeld(page.others(Of.RDMA));
    }

    /**
     * What is lost in the last tenth of a second is sent again half a second later, and has its
     * host stopped then.
     */
    @Test
    void packetsThatAreSentAgainBehindTheEndAreMeasuredAndWhatIsStoppedThereIsNot()
            throws Exception {
        String text =
                """
                topology:
                  name: late
                  link: {rate: 20Mbps}
                  builder: {single-switch: {hosts: 2}}
                  ports:
                    classify: {trust: dscp}
                    flow-control: pfc
                    lossless: [3]
                    buffers: {xoff: 4kB, xon: 2kB}
                duration: 1s
                traffic: [{from: h1, to: h2, protocol: rdma, dscp: 26, timeout: 500ms, message: 16kB, depth: 1}]
                orders:
                  - {at: 900ms, link: h1-s1, set: {loss: 100%}}
                  - {at: 1s, switch: s1, set: {p2: {rate: 1Mbps}}}
                  - {at: 1s, link: h1-s1, set: {loss: 0%}}
                measures:
                  - {name: again, unit: packets, value: "[packets repeated]"}
                  - {name: stopped, unit: ms, value: "[time stopped]"}
                expect: [{measure: again, at-least: 1}]
                """;
        RunReport report = run(OwnLabReader.read(text, "late.yaml"));
        Shown flows = ReportPage.of(report).table(Of.RDMA);
        double again = flows.number(0, "sent again (packets)");
        assertThat(again).as(report.toText()).isPositive();
        assertThat(report.toText())
                .contains("again: %d packets, expected at least 1 packets".formatted((int) again));
        Shown measures = ReportPage.of(report).table(Of.MEASURES);
        double meanwhile = measures.number(measures.row("measure", "stopped"), "value");
        String inAll =
                Objects.requireNonNull(report.headlines().get("hosts were stopped, all together"));
        // Most of its packets wait there at 1 Mb/s.
        assertThat(Double.parseDouble(inAll.replace(" ms", "")) - meanwhile)
                .as(report.toText())
                .isGreaterThan(10);
    }

    /** Whatever fails in it, and though no host has a card of ours. */
    @Test
    void aControlOfSeriesThatDoesNotHoldIsADoubtWhereSecondsAreMeasured() throws Exception {
        String text =
                """
                topology: {name: slow, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
                duration: 2s
                traffic: [{from: h1, to: h2, protocol: udp, rate: 2Mbps}]
                series: [{name: h2, unit: Mb/s, value: "8 * [s1/p2 bytes.transmitted] / 1000000"}]
                measures: [{name: worst, unit: Mb/s, value: "[least second of h2]"}]
                expect:
                  - {measure: worst, at-least: 10, control: true}
                  - {measure: worst, at-least: 15}
                """;
        RunReport report = run(OwnLabReader.read(text, "slow.yaml"));
        assertThat(report.problems()).as(report.toText()).anyMatch(one -> one.contains("15 Mb/s"));
        assertThat(report.verdict()).isEqualTo("INVALID");
        assertThat(report.doubts())
                .as(report.toText())
                .anyMatch(doubt ->
                        doubt.why().startsWith("the control case: worst: ")
                                && doubt.why().contains("expected at least 10 Mb/s"));
    }

    /** Series that tests and twins compare begin with what counts. */
    @Test
    void aWarmUpIsBeforeTheBeginning() throws Exception {
        String text =
                """
                topology: {name: warm, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
                duration: 1s
                traffic: [{from: h1, to: h2, protocol: udp, rate: 5Mbps}]
                warm-up: {duration: 3s}
                """;
        OwnLabSpec spec = OwnLabReader.read(text, "warm.yaml");
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (OwnLab lab =
                new OwnLab(
                        List.of(spec), 1, options(spec), records, "headgate lab test", nowhere())) {
            RunReport report = lab.run();
            assertThat(report.problems()).as(report.toText()).isEmpty();
            Series sent = lab.ran().getFirst().sent().getFirst();
            double lastUs = sent.timesUs()[sent.timesUs().length - 1];
            assertThat(lastUs).isBetween(0.5e6, 3e6);
        }
        assertThatThrownBy(() -> LabTwin.of(directory)).hasMessageContaining("had a warm-up");
    }

    /**
     * Were ping left alive, frames would be under way whenever the balance is looked at. What the
     * switch itself answers with "time to live exceeded" is one frame, not one that was sent to it
     * and another that it dropped.
     */
    @Test
    void aCommandThatFailsOrDoesNotEndIsAProblemAndNothingOfItLivesOn() throws Exception {
        String text =
                """
                topology: {name: t, mode: routed, builder: {single-switch: {hosts: 2, link: {rate: 50Mbps}}}}
                duration: 3s
                orders: [{at: 0s, link: h1-s1, towards: s1, set: {delay: 100ms}}]
                commands:
                  - {at: h1, run: "echo no such thing; exit 3"}
                  - {at: h1, run: "ping -q -i 0.01 h2; true"}
                  - {at: h2, run: "sleep 12345 & sleep 12346"}
                  - {at: h2, run: "ping -c 1 -t 1 -W 0.5 h1; true"}
                """;
        RunReport report = run(OwnLabReader.read(text, "failing.yaml"));
        assertThat(report.problems())
                .hasSize(3)
                .noneMatch(problem -> problem.contains("accounted") || problem.contains("dropped"))
                .anyMatch(problem -> problem.contains("exit code 3 (no such thing)"))
                .anyMatch(problem -> problem.contains("still ran when the lab's time was over"));
        assertThat(ProcessHandle.allProcesses())
                .noneMatch(process ->
                        process.info().commandLine().orElse("").matches("sleep 1234[56]"));
    }
}
