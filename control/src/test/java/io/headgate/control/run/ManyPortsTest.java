package io.headgate.control.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.WorkerCounter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large switches in the heap that the launcher gives them, and what else they take. */
class ManyPortsTest {
    private static final int WIRE_FRAMES = 1024;
    private static final long MAX_BESIDE_KB = 200 * 1024;

    /** A switch of in-memory ports in a process of its own: {@code ports layout}. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws Exception {
            SwitchConfig config = config(Integer.parseInt(args[0]), args[1]);
            RunningSwitch running = RunningSwitch.start(config, SwitchOptions.DEFAULT.cold());
            long ports = config.ports().size();
            while (running.counters().total(Scope.INGRESS, IngressCounter.DEVICE_UP) < ports) {
                Thread.sleep(10);
            }
            int workers = running.counters().owners(Scope.WORKER).size();
            while (!allHaveRun(running.counters())) {
                Thread.sleep(10);
            }
            // A wire for each two ports: its memory is the devices'.
            long wires = ports * WIRE_FRAMES * 1792L / 1024;
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
            long beside = residentKb() - heap / 1024 - wires;
            System.out.println("workers " + workers + " kB " + beside);
            running.close();
        }

        private static boolean allHaveRun(CounterSnapshot counters) {
            return counters.owners(Scope.WORKER).stream()
                    .allMatch(worker ->
                            counters.value(Scope.WORKER, worker, WorkerCounter.CYCLES) > 0);
        }

        private static long residentKb() throws Exception {
            for (String line : Files.readAllLines(Path.of("/proc/self/smaps_rollup"))) {
                if (line.startsWith("Rss:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
            throw new AssertionError("no Rss");
        }

        private static SwitchConfig config(int ports, String layout) {
            String list =
                    IntStream.range(0, ports)
                            .mapToObj(p -> "{name: p%d, device: {memory: w%d}}".formatted(p, p / 2))
                            .collect(Collectors.joining(", "));
            return SwitchConfigReader.read(
                    "{name: s1, workers: {layout: " + layout + "}, ports: [" + list + "]}", "test");
        }
    }

    private static Process start(int ports, String layout, String... more) throws IOException {
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "-Xms512m",
                                "-Xmx512m",
                                "-XX:MaxDirectMemorySize=64g",
                                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(more));
        command.addAll(List.of("-cp", classPath, Child.class.getName(), ports + "", layout));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    @ParameterizedTest
    @CsvSource({
        "128, auto, 0, -XX:TieredStopAtLevel=4",
        "64, per-half, 129, -XX:TieredStopAtLevel=1"
    })
    void startInTheDefaultHeapAndTakeLittleBesideItAndTheirDevices(
            int ports, String layout, int workers, String compilers) throws Exception {
        Process process = start(ports, layout, "-XX:+AlwaysPreTouch", compilers);
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        String[] said = output.substring(output.indexOf("workers ")).strip().split(" ", -1);
        if (workers > 0) {
            assertThat(Integer.parseInt(said[1])).isEqualTo(workers);
        }
        assertThat(Long.parseLong(said[3]))
                .as("kB without heap and devices, and slots in use: 0")
                .isBetween(1L, MAX_BESIDE_KB);
    }

    @Test
    void oneTooLargeForItsHeapSaysSo() throws Exception {
        Process process = start(128, "per-half", "-XX:TieredStopAtLevel=1");
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output)
                .contains(
                        "DeviceException: s1: not enough memory for 128 ports with 4096 slots each"
                                + " in this layout of workers (Java heap space); choose fewer");
    }
}
