package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("netns")
class FourPortLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir private Path directory;
    private final String prefix =
            "hgt" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    private LabOptions options(DeviceKind kind, String workers, boolean ipv6) {
        return new LabOptions(
                kind,
                workers,
                "backoff",
                "100Mbps",
                1,
                1500,
                ipv6,
                false,
                directory.resolve("report"),
                directory.resolve("report"),
                prefix,
                7,
                false);
    }

    private OwnLab lab(LabOptions options) {
        OwnLabSpec spec = ReadyLabs.fourPort("100Mbps", 1);
        return new OwnLab(List.of(spec), 1, options, records(), "test", nowhere);
    }

    private LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    private static List<String> links() throws DeviceException {
        return LinuxInterface.all(null).stream().map(LinuxInterface::name).toList();
    }

    private List<String> ourNamespaces() {
        return NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)).toList();
    }

    @AfterEach
    void nothingIsLeft() throws BedException {
        assertThat(ourNamespaces()).isEmpty();
        assertThat(records().all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"AFPACKET, single, true", "AFXDP, per-half, true", "TAP, auto, false"})
    void carriesPingAndIperfAndAccountsForEveryFrame(DeviceKind kind, String workers, boolean ipv6)
            throws Exception {
        RunReport report = carriesAll(options(kind, workers, ipv6), "frame.len == 1514");
        if (workers.equals("single")) {
            ReportColumnsTest.columnsOfFourPortAreWhatThePortsCounted(
                    report, directory.resolve("report"), report.doubts().isEmpty());
        }
    }

    @ParameterizedTest
    @CsvSource({"AFPACKET, single", "TAP, per-half"})
    @Tag("long")
    void segmentsOfHostsWithTheirOffloadsOnPassWhole(DeviceKind kind, String workers)
            throws Exception {
        carriesAll(options(kind, workers, true).withGso(true), "frame.len > 1514");
    }

    @ParameterizedTest
    @CsvSource({"AFPACKET, per-half, false", "TAP, auto, true", "TAP, per-half, false"})
    @Tag("long")
    void soDoOtherDevicesAndWorkers(DeviceKind kind, String workers, boolean ipv6)
            throws Exception {
        carriesAll(options(kind, workers, ipv6), "frame.len == 1514");
    }

    private RunReport carriesAll(LabOptions options, String lengths) throws Exception {
        List<String> linksBefore = links();
        RunReport report;
        try (OwnLab lab = lab(options)) {
            report = lab.run();
        }
        Verdicts.isFair(report);
        assertThat(report.problems()).as(report.toText()).isEmpty();
        assertThat(report.toText())
                .contains("12 of 12 pairs reachable")
                .contains("tshark finds 0 malformed or with a wrong checksum")
                .contains("UDP pairs: share received: ")
                .doesNotContain("failed");
        assertThat(report.toJson())
                .contains("\"verdict\" : \"", "\"options\" : {", "\"headline\" : {")
                .contains("\"seed\" : 7", "\"kernel\" : \"Linux", "\"commit\" : ");
        Path reports = directory.resolve("report");
        assertThat(reports.resolve("report.html"))
                .content()
                .contains(
                        "font-family=\"Liberation Sans, Arial, Helvetica, sans-serif\">",
                        "id=\"network-udp-incast\"",
                        "<b>0 frames</b>not accounted for",
                        "href=\"capture.pcapng\"",
                        "href=\"switch-s1.yaml\"",
                        "href=\"throughput.csv\"");
        assertThat(reports.resolve("iperf3-tcp-incast-h3-h4.json")).content().contains("sum_sent");
        assertThat(links()).isEqualTo(linksBefore);
        assertThat(hasTcp(reports.resolve("capture.pcapng"), lengths)).isTrue();
        return report;
    }

    private boolean hasTcp(Path capture, String lengths) throws BedException {
        try (Programs programs = new Programs(directory)) {
            String filter = "tcp && " + lengths;
            return programs.run(
                            null,
                            60_000,
                            List.of(
                                    "tshark",
                                    "-n",
                                    "-r",
                                    capture.toString(),
                                    "-Y",
                                    filter,
                                    "-T",
                                    "fields",
                                    "-e",
                                    "frame.len"))
                    .output()
                    .matches("(?s).*[0-9]{4}.*");
        }
    }

    private NetnsNetwork network() throws BedException {
        return NetnsNetwork.of(
                Topologies.singleSwitch(2, LinkSpec.DEFAULT),
                NetnsNetwork.Options.of(prefix, 1),
                records(),
                line -> {});
    }

    @Test
    void refusesNamesThatAreTakenAndNamesTheOption() throws Exception {
        try (NetnsNetwork first = network()) {
            first.build();
            assertThatThrownBy(this::network)
                    .isInstanceOf(BedException.class)
                    .hasMessageContaining("'" + prefix + "h1'")
                    .hasMessageContaining("process " + ProcessHandle.current().pid())
                    .hasMessageContaining("--prefix");
        }
    }

    @Test
    void canBeClosedWhileItRuns() throws Exception {
        LabOptions options = options(DeviceKind.AFPACKET, "single", false);
        OwnLab lab = lab(options);
        Thread closer =
                Thread.ofPlatform()
                        .start(() -> {
                            while (ourNamespaces().size() < 5) {
                                LockSupport.parkNanos(500_000);
                            }
                            lab.close();
                        });
        assertThatThrownBy(lab::run).isInstanceOf(BedException.class);
        closer.join();
        lab.close();
        assertThat(lab.isClosed()).isTrue();
    }

    @Test
    void doesNotTouchANamespaceThatOnlyHasTheNameOfADeadLabs() throws Exception {
        try (Programs programs = new Programs(directory)) {
            String name = prefix + "h1";
            programs.run(null, 10_000, List.of("ip", "netns", "add", name));
            try {
                long inode = LabRecords.inodeOf(name).orElseThrow();
                LabRecords records = records();
                LabRecords.Namespace another = new LabRecords.Namespace(name, inode + 1);
                // No process has this id: it is above the most that the kernel gives.
                records.write(new LabRecords.Lab("dead", 1L << 40, 1, List.of(another)));
                NetnsNetwork.sweep(records, line -> {});
                assertThat(LabRecords.inodeOf(name)).contains(inode);
                records.write(
                        new LabRecords.Lab(
                                "dead",
                                1L << 40,
                                1,
                                List.of(new LabRecords.Namespace(name, inode))));
                NetnsNetwork.sweep(records, line -> {});
                assertThat(LabRecords.inodeOf(name)).isEmpty();
            } finally {
                programs.run(null, 10_000, List.of("ip", "netns", "del", name));
            }
        }
        assertThat(Files.exists(directory)).isTrue();
    }
}
