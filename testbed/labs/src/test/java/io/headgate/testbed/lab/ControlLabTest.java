package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.IcrcOracle;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rate controls on real frames, between endpoints that speak RoCEv2. How fast they are depends on
 * the machine; here it is that rates come down under congestion and come back, that nothing is
 * lost, and that tshark reads what ports write.
 */
@Tag("netns")
class ControlLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final double LINE_MBPS = 100;
    private static final int SECONDS = 3;

    /** When the third sender stops, as a part of the time. */
    private static final double STOPS_AT = 0.6;

    /** The last byte of an IPv4 address, then of the base transport header behind IPv4 and UDP. */
    private static final int FROM_HOST = 29;

    private static final int TO_HOST = 33;
    private static final int OPCODE = 42;
    private static final int CONGESTION = 46;
    private static final int PSN = 51;

    private static final int ACKNOWLEDGE = 0x11;

    /** Of messages that make connections: a slow machine still sends some while it is captured. */
    private static final int UD_SEND_ONLY = 0x64;

    /** Marks at a capture's end: their acknowledgements are behind it. */
    private static final int MARKED_IN_VAIN = 20;

    private static final int FECN = 0x80;
    private static final int BECN = 0x40;

    @TempDir private Path directory;
    private final String prefix =
            "hgc" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    @AfterEach
    void nothingIsLeft() throws Exception {
        assertThat(NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)))
                .isEmpty();
    }

    /**
     * Over credits, by which ports tell roots of congestion: what they mark, receivers send back.
     * Takes some ten seconds: two runs on real frames.
     */
    @Test
    void withInfiniBandsMarksComeBackAndRatesComeDownAndComeBack() throws Exception {
        // Rates come back in some milliseconds, so that there are marks again and again.
        boolean isWhole =
                run(
                        "ib-cc",
                        "{shift: 2, ccti-limit: 16, ccti-timer: 10us}",
                        "{fecn: {threshold: 5kB}}",
                        "eth.type == 0x88b5");
        // Whether a packet was marked as it came to the switch, and as it left.
        Map<Byte, TreeMap<Integer, List<Boolean>>> fecn = new HashMap<>();
        List<byte[]> acknowledgements = new ArrayList<>();
        for (byte[] frame : IcrcOracle.frames(directory.resolve("report/capture-ib-cc.pcapng"))) {
            if (!IcrcOracle.isRoce(frame)) {
                continue;
            }
            assertThat(IcrcOracle.carried(frame)).isEqualTo(IcrcOracle.expected(frame));
            if (frame[OPCODE] == ACKNOWLEDGE) {
                acknowledgements.add(frame);
            } else if (frame[OPCODE] != UD_SEND_ONLY) {
                assertThat(frame[CONGESTION] & BECN).isZero();
                fecn.computeIfAbsent(frame[FROM_HOST], _ -> new TreeMap<>())
                        .computeIfAbsent(number(frame), _ -> new ArrayList<>())
                        .add(has(frame, FECN));
            }
        }
        // A sender that the machine holds up meanwhile is not in the capture.
        assertThat(fecn).hasSizeBetween(1, 3);
        Map<Byte, Integer> last = new HashMap<>();
        int reported = 0;
        int unsaid = 0;
        for (byte[] frame : acknowledgements) {
            assertThat(frame[CONGESTION] & FECN).isZero();
            int number = number(frame);
            Integer before = last.put(frame[TO_HOST], number);
            if (before == null || before >= number) {
                continue; // the first, or that which left as it had come
            }
            Collection<List<Boolean>> packets =
                    fecn.getOrDefault(frame[TO_HOST], new TreeMap<>())
                            .subMap(before, false, number, true)
                            .values();
            // Ports are captured from different moments on.
            if (packets.size() == number - before
                    && packets.stream().allMatch(copies -> copies.size() == 2)) {
                boolean isMarked = packets.stream().anyMatch(copies -> copies.contains(true));
                if (has(frame, BECN)) {
                    assertThat(isMarked).as("packets to %s", number).isTrue();
                    reported++;
                } else if (isMarked) {
                    unsaid++; // unless one between said it, which a slow machine's capture misses
                }
            }
        }
        // Nothing is marked while the machine leaves the port idle.
        long marked =
                fecn.values().stream()
                        .flatMap(packets -> packets.values().stream())
                        .filter(copies -> copies.contains(true))
                        .count();
        if (isWhole && marked > MARKED_IN_VAIN) {
            assertThat(reported).isPositive();
            assertThat(unsaid).isLessThanOrEqualTo(1 + reported / 10);
        }
    }

    private static int number(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(PSN - 1) & 0xFF_FFFF;
    }

    private static boolean has(byte[] frame, int bit) {
        return (frame[CONGESTION] & bit) != 0;
    }

    @Test
    @Tag("long")
    void withIccRatesComeDownAndComeBack() throws Exception {
        run("icc", "", "", "headgate.icc.time");
    }

    @Test
    @Tag("long")
    void withHpccRatesComeDownAndComeBack() throws Exception {
        run("hpcc", "", "", "headgate.int.node");
    }

    @Test
    @Tag("long")
    void withDcqcnRatesComeDownAndComeBack() throws Exception {
        run("dcqcn", "", "", "infiniband.bth");
    }

    /**
     * Runs the lab.
     *
     * @return whether the capture has every frame that passed while it was open
     */
    private boolean run(String control, String keys, String ports, String written)
            throws Exception {
        Path reports = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        (int) LINE_MBPS + "Mbps",
                        SECONDS,
                        1500,
                        false,
                        false,
                        reports,
                        reports,
                        prefix,
                        7,
                        false);
        LabRecords records = new LabRecords(directory.resolve("labs"));
        List<OwnLabSpec> runs = ReadyLabs.control(control, keys, ports, options.rate(), SECONDS);
        try (OwnLab lab = new OwnLab(runs, 1, options, records, "test", nowhere)) {
            RunReport report = lab.run();
            // What was lost or stopped while the machine held a worker says nothing.
            boolean isFair = report.doubts().stream().noneMatch(Doubt::ofMachine);
            ReportPage page = ReportPage.of(report);
            Shown measures = page.table(Of.MEASURES);
            for (String run : List.of("none", control)) {
                double losses = value(measures, "lost", run) + value(measures, "sent again", run);
                assertThat(isFair ? losses : 0).as(report.toText()).isZero();
            }
            assertThat(!isFair || value(measures, "pauses", "none") > 0)
                    .as(report.toText())
                    .isTrue();
            columns(page, control, isFair);
            assertThat(reports.resolve("series-1-" + control + ".csv")).isNotEmptyFile();
            rises(measures, control, reports);
            dissected(reports.resolve("capture-" + control + ".pcapng"), written);
            assertThat(FigureCheck.mistakesIn(reports)).isEmpty();
            assertThat(records.all()).isEmpty();
            Path twin = reports.resolve("twin-" + control + ".yaml");
            assertThat(ScenarioReader.read(Files.readString(twin), "twin").about().name())
                    .isEqualTo("twin");
            return !Pattern.compile("[1-9][0-9]* left out").matcher(report.toText()).find();
        }
    }

    private static String virtual(String run) {
        return run + ", virtual time";
    }

    private static double value(Shown measures, String name, String run) {
        int row = measures.row("measure", name + ", " + run);
        assertThat(measures.text(row, "unit")).isNotBlank();
        return measures.number(row, "value");
    }

    private static List<Double> values(Shown measures, String of, int senders, String run) {
        return IntStream.rangeClosed(1, senders)
                .mapToObj(host -> value(measures, "h" + host + " of " + of, run))
                .toList();
    }

    /** Compares measures with the ports' counters, and with the sums of their own numbers. */
    private static void columns(ReportPage page, String control, boolean isFair) {
        Shown measures = page.table(Of.MEASURES);
        List<String> real = List.of("none", control);
        boolean overCredits = control.equals("ib-cc");
        for (int number = 0; number < real.size(); number++) {
            for (String run : List.of(real.get(number), virtual(real.get(number)))) {
                List<Double> three = values(measures, "three", 3, run);
                List<Double> two = values(measures, "two", 2, run);
                boolean isVirtual = run.endsWith("virtual time");
                // On real frames buffers fill while some sender is late, and then it is more.
                double least = isVirtual ? 0.7 * LINE_MBPS : 0;
                double most = isVirtual ? LINE_MBPS + 1 : 3 * LINE_MBPS;
                assertThat(sum(three)).isBetween(least, most);
                assertThat(sum(two)).isBetween(least, most);
                assertThat(value(measures, "three together", run))
                        .isCloseTo(sum(three), within(0.1));
                assertThat(value(measures, "two together", run)).isCloseTo(sum(two), within(0.1));
                assertThat(value(measures, "fastest of three", run))
                        .isEqualTo(Collections.max(three));
                assertThat(value(measures, "slowest of three", run))
                        .isEqualTo(Collections.min(three));
                double squares = three.stream().mapToDouble(mbps -> mbps * mbps).sum();
                if (sum(three) > LINE_MBPS / 2) {
                    assertThat(value(measures, "Jain's index", run))
                            .isCloseTo(sum(three) * sum(three) / (3 * squares), within(0.01));
                }
                double stopped = value(measures, "senders stopped", run);
                double lost = value(measures, "sent again", run) + value(measures, "lost", run);
                if (isVirtual || isFair) {
                    assertThat(lost).isZero();
                }
                assertThat(value(measures, "comparable", run))
                        .isEqualTo(lost == 0 && stopped > 0 ? 1 : 0);
            }
            String run = real.get(number);
            double pauses = 0;
            for (int port = 1; port <= 3; port++) {
                pauses += page.counter(number, "EGRESS", "p" + port, "link.control.transmitted");
            }
            double counted = value(measures, "pauses", run);
            // Credits are sent without traffic, too.
            assertThat(counted).isBetween(overCredits ? pauses / 2 : pauses, pauses);
            assertThat(value(measures, "pauses", virtual(run))).isNotNegative();
            assertThat(value(measures, "queue", run) * 1e3)
                    .isBetween(0.0, page.counter(number, "EGRESS", "p4", "queue.max.bytes") + 50);
            assertThat(value(measures, "queue", virtual(run))).isNotNegative();
            assertThat(value(measures, "senders stopped", run)).isNotNegative();
        }
        // With a third of the link a sender is stopped for two thirds of the time, with half for a
        // half; a card is also paused while it has nothing to send.
        double stoppedMs = 1e3 * SECONDS * (STOPS_AT * 3 * 2 / 3 + (1 - STOPS_AT) * 2 / 2);
        double part = 0.5;
        if (overCredits) {
            // Without credits for the next frame, also while one is on the wire, and while a
            // worker that would give some is held.
            part = 1;
            stoppedMs = 1e3 * SECONDS * (STOPS_AT * 3 + (1 - STOPS_AT) * 2);
        }
        double alone = value(measures, "senders stopped", virtual("none"));
        assertThat(alone).isCloseTo(stoppedMs, withinPercentage(15));
        assertThat(value(measures, "senders stopped", virtual(control))).isLessThan(part * alone);
        assertThat(value(measures, "queue", virtual(control)))
                .isLessThan(value(measures, "queue", virtual("none")));
        // Each began at the line's rate.
        assertThat(values(measures, "three", 3, virtual(control)))
                .allMatch(mbps -> mbps > 0 && mbps < 0.6 * LINE_MBPS);
        page.everyColumnIsHeld(page.others(Of.MEASURES));
    }

    private static double sum(List<Double> mbps) {
        return mbps.stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Once the third has stopped, the two others take what it leaves. */
    private static void rises(Shown measures, String control, Path reports) throws Exception {
        List<Double> three = values(measures, "three", 3, virtual(control));
        List<List<Double>> hosts = new ArrayList<>();
        List<String> lines = Files.readAllLines(reports.resolve("series-1-" + control + ".csv"));
        for (int host = 1; host <= 3; host++) {
            String name = "h" + host + " virtual";
            hosts.add(
                    lines.stream()
                            .map(line -> line.split(","))
                            .filter(cells -> cells[1].equals(name))
                            .map(cells -> Double.parseDouble(cells[3]))
                            .toList());
        }
        assertThat(hosts).allMatch(samples -> samples.size() > 50 * SECONDS);
        double most = 0;
        for (int sample = 0; sample < hosts.getLast().size(); sample++) {
            most =
                    hosts.getLast().get(sample) > 0
                            ? 0
                            : Math.max(most, hosts.get(0).get(sample) + hosts.get(1).get(sample));
        }
        assertThat(most).isGreaterThan(1.1 * (three.get(0) + three.get(1)));
    }

    private void dissected(Path capture, String written) throws Exception {
        Programs.Result read =
                new Programs(directory)
                        .run(
                                null,
                                60_000,
                                List.of(
                                        "tshark",
                                        "-n",
                                        "-X",
                                        "lua_script:"
                                                + Path.of("../config/wireshark/headgate.lua")
                                                        .toAbsolutePath(),
                                        "-r",
                                        capture.toString(),
                                        "-Y",
                                        written + " || _ws.malformed",
                                        "-T",
                                        "fields",
                                        "-E",
                                        "separator=;",
                                        "-e",
                                        "_ws.malformed",
                                        "-e",
                                        "frame.number"));
        List<String> lines = read.output().lines().filter(line -> line.contains(";")).toList();
        assertThat(lines)
                .as(read.output())
                .hasSizeGreaterThan(50)
                .allMatch(line -> line.startsWith(";"));
    }
}
