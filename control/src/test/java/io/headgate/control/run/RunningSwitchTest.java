package io.headgate.control.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.TestConfigs;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.counters.CounterFile;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.engine.EgressHalf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class RunningSwitchTest {
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final SwitchConfig TWO_PORTS = TestConfigs.memory("s1", "a", "b");

    @TempDir private Path directory;

    @Test
    void carriesFramesCountsThemInAFileAndReports() throws Exception {
        List<String> log = new ArrayList<>();
        Path file = directory.resolve("counters");
        try (RunningSwitch running =
                RunningSwitch.start(
                        TWO_PORTS, SwitchOptions.DEFAULT.withCounterFile(file).withLog(log::add))) {
            assertThat(log).anyMatch(line -> line.startsWith("s1: 1 worker"));
            MemoryWire.FarEnd a = running.devices().wire("a").farEnd(1);
            MemoryWire.FarEnd b = running.devices().wire("b").farEnd(1);
            a.inject(frame(BROADCAST, 0x0200_0000_0001L));
            await(() -> b.collect() != null);
            await(() -> running.fdb().size() == 1);
            assertThat(running.fdb().getFirst().port()).isEqualTo("a");
            assertThat(running.fdb().getFirst().mac()).isEqualTo("02:00:00:00:00:01");

            CounterSnapshot seen = CounterSnapshot.of(CounterFile.open(file));
            assertThat(seen.value(Scope.INGRESS, "a", IngressCounter.FRAMES_RECEIVED)).isEqualTo(1);
            assertThat(seen.value(Scope.EGRESS, "b", EgressCounter.FRAMES_TRANSMITTED))
                    .isEqualTo(1);
            a.inject(frame(BROADCAST, 1));
            a.inject(new byte[13]);
            await(() -> running.counters().dropsAt("a") == 1);
            assertThat(running.counters().since(seen).drops().getFirst().reason())
                    .isEqualTo("RUNT");

            RunReport report = new RunReport("test");
            report.add(SwitchSection.of(running, running.counters(), "it was started"));
            report.add(new RunReport.Section("ping", List.of(1, 2), "two answers"));
            assertThat(report.toText()).contains("RUNT", "two answers", "seed 7");
            assertThat(report.toHtml()).contains("\">busy (%)</th>");
            JsonNode json = JsonMapper.shared().readTree(report.toJson());
            assertThat(json.at("/switches/0/config/ports/1/name").asString()).isEqualTo("b");
            assertThat(json.at("/switches/0/drops/0/frames").asLong()).isEqualTo(1);
            assertThat(json.at("/environment/commit").asString()).isNotEmpty();
            assertThat(json.at("/results/ping/1").asInt()).isEqualTo(2);
        }
    }

    @Test
    void aChangeThatIsReadyTakesNothingBackThatWasSetMeanwhile() throws Exception {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        ports: [{name: a, device: {memory: x}}, {name: b, device: {memory: x}}]
                        """,
                        "s1.yaml");
        try (RunningSwitch running = RunningSwitch.start(config, SwitchOptions.DEFAULT.cold())) {
            Runnable ready = running.ready(Map.of("bridge", Map.of("ageing", "10s")), "test");
            running.set(List.of("a.rate=20Mbps"));
            ready.run();
            assertThat(running.config().bridge().ageingNs()).isEqualTo(10_000_000_000L);
            assertThat(running.config().ports().getFirst().rateBps()).isEqualTo(20_000_000);
        }
    }

    @Test
    void capturesWhatWasAskedForAndEndsAtItsLimit() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        try (RunningSwitch running =
                RunningSwitch.start(TWO_PORTS, SwitchOptions.DEFAULT.cold().withLog(log::add))) {
            MemoryWire.FarEnd a = running.devices().wire("a").farEnd(1);
            Path file = directory.resolve("out.pcapng");
            CaptureRequest request =
                    new CaptureRequest(
                            List.of("b"), Set.of(CaptureRequest.Point.OUT), "", 16_384, 3);
            RunningCapture capture = running.startCapture(request, file);
            assertThatThrownBy(() ->
                            running.startCapture(CaptureRequest.ALL, directory.resolve("second")))
                    .isInstanceOf(CaptureException.class)
                    .hasMessage("port b is being captured already; stop that capture first");
            for (int i = 0; i < 10; i++) {
                a.inject(frame(BROADCAST, 0x0200_0000_0001L));
            }
            await(capture::isOver, () -> log + capture.problem() + " " + describe(running));
            capture.close();
            assertThat(capture.summary().written()).isEqualTo(3);
            assertThat(Files.size(file)).isPositive();
            assertThatThrownBy(() ->
                            running.startCapture(
                                    new CaptureRequest(List.of("c"), Set.of(), "", 100, 0),
                                    directory.resolve("third")))
                    .hasMessage("switch s1 has no port 'c'; its ports are a, b, local");
            running.startCapture(CaptureRequest.ALL, directory.resolve("fourth")).close();
        }
    }

    @Test
    void aPortOfWhichAHalfHasFailedIsNotGuaranteedToBeLossless() throws Exception {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        defaults: {rate: 10Mbps, flow-control: pfc, lossless: [3], link: {own-reaction: 100ms}}
                        ports:
                          - {name: a, device: {memory: m}}
                          - {name: b, device: {memory: m}}
                        """,
                        "test");
        try (RunningSwitch running = RunningSwitch.start(config, SwitchOptions.DEFAULT.cold())) {
            running.realTime()
                    .engine()
                    .egress(0)
                    .order(_ -> {
                        throw new IllegalStateException("planted");
                    });
            await(() -> running.counters().value(Scope.EGRESS, "a", EgressCounter.FAILURES) == 1);
            List<FlowControlSection.Margin> margins =
                    FlowControlSection.margins(running, running.counters());
            assertThat(margins.getFirst().guaranteed()).isFalse();
            assertThat(margins.getFirst().why())
                    .startsWith("not guaranteed: its halves have failed once since the start");
            assertThat(margins.getLast().why()).doesNotContain("failed");
        }
    }

    @Test
    void aCaptureThatIsRefusedTouchesNoFile() throws Exception {
        try (RunningSwitch running = RunningSwitch.start(TWO_PORTS, SwitchOptions.DEFAULT.cold())) {
            Path file = directory.resolve("kept.pcapng");
            RunningCapture capture = running.startCapture(CaptureRequest.ALL, file);
            long bytes = Files.size(file);
            assertThat(bytes).isPositive();
            assertThatThrownBy(() -> running.startCapture(CaptureRequest.ALL, file))
                    .hasMessageContaining("is being captured already");
            assertThat(Files.size(file)).isEqualTo(bytes);
            Path other = directory.resolve("other.pcapng");
            assertThatThrownBy(() -> running.startCapture(CaptureRequest.ALL, other))
                    .hasMessageContaining("is being captured already");
            assertThat(other).doesNotExist();
            assertThat(openFiles()).filteredOn(name -> name.endsWith(".pcapng")).hasSize(1);
            capture.close();
        }
    }

    /** Port b has a worker of its own, which is held. */
    @Test
    void aCaptureThatAPortCannotTakePartInLeavesNothingBehind() throws Exception {
        SwitchConfig config = TestConfigs.withWorkers(TWO_PORTS, 2);
        CountDownLatch release = new CountDownLatch(1);
        try (RunningSwitch running = RunningSwitch.start(config, SwitchOptions.DEFAULT.cold())) {
            hold(running.realTime().engine().egress(1), release);
            Path file = directory.resolve("half.pcapng");
            assertThatThrownBy(() -> running.startCapture(CaptureRequest.ALL, file))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("its worker hangs");
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("headgate-capture"));
            assertThat(openFiles()).noneMatch(name -> name.endsWith("half.pcapng"));

            // The port that had its taps already can be captured, and shows its frames there.
            CaptureRequest ofA = new CaptureRequest(List.of("a"), Set.of(), "", 16_384, 1);
            RunningCapture capture = running.startCapture(ofA, directory.resolve("a.pcapng"));
            running.devices().wire("a").farEnd(1).inject(frame(BROADCAST, 0x0200_0000_0001L));
            await(capture::isOver);
            capture.close();
            assertThat(capture.summary().written()).isEqualTo(1);

            release.countDown();
            await(() -> running.realTime().engine().egress(1).order(half -> {}));
            running.startCapture(CaptureRequest.ALL, file).close();
        } finally {
            release.countDown();
        }
    }

    /** Holds a half's worker, with no room for further orders. */
    private static void hold(EgressHalf half, CountDownLatch release) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        boolean taken =
                half.order(itself -> {
                    held.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertThat(taken).isTrue();
        held.await();
        while (half.order(itself -> {})) {
            // Fills the queue of orders: a refused order does not wait.
        }
    }

    private static List<String> openFiles() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> descriptors =
                Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    names.add(Files.readSymbolicLink(descriptor).toString());
                } catch (IOException closedMeanwhile) {
                    // Then it is not open.
                }
            }
        }
        return names;
    }

    @Test
    void memoryStaysLevelOverAHundredCaptures() throws Exception {
        try (RunningSwitch running = RunningSwitch.start(TWO_PORTS, SwitchOptions.DEFAULT.cold())) {
            MemoryWire.FarEnd a = running.devices().wire("a").farEnd(1);
            capture(running, a, 10);
            long beforeKb = residentKb();
            capture(running, a, 100);
            // Each has six rings of 4 MB.
            assertThat(residentKb() - beforeKb).as("growth in kB").isLessThan(100_000);
        }
    }

    private void capture(RunningSwitch running, MemoryWire.FarEnd a, int times) throws Exception {
        Path file = directory.resolve("again.pcapng");
        CaptureRequest request =
                new CaptureRequest(List.of(), Set.of(), "host 10.0.0.1", 16_384, 0);
        for (int i = 0; i < times; i++) {
            RunningCapture capture = running.startCapture(request, file);
            a.inject(frame(BROADCAST, 0x0200_0000_0001L));
            await(() -> capture.summary().seen() > 0);
            capture.close();
        }
    }

    /** Resident memory of this process without mapped files, in kB. */
    private static long residentKb() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no RssAnon in /proc/self/status");
    }

    @Test
    void aDeviceThatCannotBeOpenedEndsTheStartAndLeavesNoThread() {
        SwitchConfig config =
                SwitchConfigReader.read(
                        "{name: s1, ports: [{name: a, device: {afpacket: hgnone1}},"
                                + " {name: b, device: {afpacket: hgnone0}}]}",
                        "test");
        assertThatThrownBy(() -> RunningSwitch.start(config, SwitchOptions.DEFAULT.cold()))
                .isInstanceOf(DeviceException.class)
                .hasMessageStartingWith("port a: ")
                .hasMessageContaining("hgnone1");
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("headgate-worker"));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        await(condition, () -> "");
    }

    private static void await(BooleanSupplier condition, Supplier<String> state)
            throws InterruptedException {
        long endNs = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("waited 20 s: " + state.get());
            }
            Thread.sleep(1);
        }
    }

    /** Every counter that is not zero. */
    private static String describe(RunningSwitch running) {
        CounterSnapshot counters = running.counters();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < counters.entries().size(); i++) {
            if (counters.value(i) != 0) {
                text.append(counters.entries().get(i).owner() + " ");
                text.append(counters.entries().get(i).label() + " " + counters.value(i) + "\n");
            }
        }
        return text.toString();
    }

    private static byte[] frame(long destination, long source) {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x88B6);
        return frame.array();
    }
}
