package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.headgate.control.cli.OwnProgram;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lab as a process of its own, which others may kill. */
@Tag("netns")
@Timeout(600)
class LabProcessTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir private Path directory;
    private final String prefix =
            "hgp" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private final List<Process> started = new ArrayList<>();

    /** A lab of two hosts and a flow of one second, the least that has every moment. */
    private Path two() throws IOException {
        return two(1);
    }

    private Path two(int seconds) throws IOException {
        return Files.writeString(
                directory.resolve("two.yaml"),
                """
                duration: %ds
                topology: {name: two, builder: {single-switch: {hosts: 2, link: {rate: 50Mbps}}}}
                traffic: [{from: h1, to: h2}]
                """
                        .formatted(seconds));
    }

    private static List<String> java(Path lab) {
        return OwnProgram.command("lab", lab.toString());
    }

    private Process start(List<String> before, List<String> java, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(java);
        command.addAll(List.of("--prefix", prefix));
        command.addAll(List.of("--report", directory.resolve("report").toString()));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().remove("XDG_RUNTIME_DIR");
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** Reads what a process says until a line holds a text; all of it if none does. */
    private static String readUntil(BufferedReader output, String text) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            if (line.contains(text)) {
                break;
            }
        }
        return said.toString();
    }

    private static BufferedReader outputOf(Process process) {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    private static String unzipped(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<String> ourNamespaces() {
        return NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)).toList();
    }

    private List<LabRecords.Lab> ourRecords() {
        return new LabRecords(LabRecords.DIRECTORY)
                .all().stream().filter(lab -> lab.id().startsWith(prefix)).toList();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        NetnsNetwork.sweep(new LabRecords(LabRecords.DIRECTORY), line -> {});
        assertThat(ourNamespaces()).isEmpty();
        assertThat(ourRecords()).isEmpty();
    }

    /** During set-up, during traffic, and after the capture has been read, before the figures. */
    @ParameterizedTest
    @CsvSource({"Namespaces, TERM, 143", "'Traffic: ', INT, 130", "Capture: tshark, TERM, 143"})
    void endedAtAnyMomentItLeavesAReportAndNothingElse(String moment, String signal, int exitCode)
            throws Exception {
        // As from a terminal: in a group of its own, and not deaf to INT as what '&' started is.
        List<String> asFromATerminal = List.of("setsid", "env", "--default-signal=INT");
        Path recording = directory.resolve("lab.states.gz");
        String[] options = {"--workers", "single", "--record", recording.toString()};
        // Traffic would last for longer than an end is waited for; what was captured takes a
        // moment to read.
        int seconds = signal.equals("INT") ? 90 : moment.startsWith("Capture") ? 3 : 1;
        Process lab = start(asFromATerminal, java(two(seconds)), options);
        BufferedReader output = outputOf(lab);
        String said = readUntil(output, moment);
        List<ProcessHandle> children = lab.descendants().toList();
        if (signal.equals("INT")) {
            // ^C is for all of the group: a program that the lab has started may hear it first.
            signal(signal, Long.toString(awaitProgram(lab, "iperf3").pid()));
            Thread.sleep(100);
        }
        signal(signal, (signal.equals("INT") ? "-" : "") + lab.pid());
        String rest = readUntil(output, "no line has this");
        assertThat(lab.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(lab.exitValue()).as(said + rest).isEqualTo(exitCode);
        assertThat(rest.lines().filter(line -> !line.startsWith("[")).toList())
                .as(rest)
                .singleElement(STRING)
                .startsWith("headgate: ending the lab early, and removing its namespaces;");
        Path report = directory.resolve("report");
        assertThat(report.resolve("report.html")).isNotEmptyFile();
        assertThat(report.resolve("report.txt"))
                .content(StandardCharsets.UTF_8)
                .contains("ended early by a signal (" + signal + ") after");
        if (!moment.equals("Namespaces")) {
            assertThat(report.resolve("report.txt"))
                    .content(StandardCharsets.UTF_8)
                    .contains("2 of 2 pairs reachable")
                    .matches(text -> moment.startsWith("Traffic") || text.contains("h1→h2"));
            assertThat(report.resolve("throughput.pdf")).isNotEmptyFile();
            assertThat(report.resolve("report.html"))
                    .content()
                    .contains("href=\"" + recording + "\"");
            assertThat(unzipped(recording))
                    .contains("\"peer\":\"" + prefix + "h1\"", "bytes.transmitted")
                    .endsWith("{\"end\":true}\n");
        }
        assertThat(ourNamespaces()).isEmpty();
        assertThat(ourRecords()).isEmpty();
        assertThat(children).noneMatch(ProcessHandle::isAlive);
    }

    /** Switch and lab are one process; iperf3 and the file's command go on meanwhile. */
    @Test
    void aLabWhoseWorkerWasHeldForTooLongIsInvalidAndEndsWithThree() throws Exception {
        Path file = directory.resolve("held.yaml");
        Files.writeString(
                file,
                """
                duration: 3s
                topology: {name: held, builder: {single-switch: {hosts: 2, link: {rate: 50Mbps}}}}
                traffic: [{from: h1, to: h2, protocol: udp, rate: 20Mbps}]
                """);
        List<String> command = new ArrayList<>(OwnProgram.command("lab", file.toString()));
        command.addAll(List.of("--workers", "single", "--prefix", prefix, "--report"));
        command.add(directory.resolve("report").toString());
        Process lab = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(lab);
        BufferedReader output = outputOf(lab);
        String said = readUntil(output, "Traffic: ");
        Thread.sleep(1000);
        signal("STOP", Long.toString(lab.pid()));
        Thread.sleep(900);
        signal("CONT", Long.toString(lab.pid()));
        String rest = readUntil(output, "no line has this");
        assertThat(lab.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(lab.exitValue()).as(said + rest).isEqualTo(3);
        // A busy machine may be doubted for more reasons.
        assertThat(unwrapped(rest))
                .containsPattern(
                        "INVALID: .*1 worker wants [0-9]+ cores?; the longest was held for [0-9.]+ m?s, more"
                                + " than a tenth of the 3 s over which what each flow got is"
                                + " averaged");
    }

    /** The first program of a name that a process has started, as soon as there is one. */
    private static ProcessHandle awaitProgram(Process process, String name) {
        long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() - deadlineNs < 0) {
            Optional<ProcessHandle> found =
                    process.descendants()
                            .filter(one -> one.info().command().orElse("").endsWith(name))
                            .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            // All processes of the machine are looked through: not too often.
            LockSupport.parkNanos(2_000_000);
        }
        throw new AssertionError("no " + name + " was started");
    }

    /** Signals a process or, with a minus before its id, a group. */
    private static void signal(String name, String pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, "--", pid).start().waitFor()).isZero();
    }

    /** Any other lab of the same /run that starts meanwhile would do it. */
    @Test
    void killedItIsSweptUpByTheNext() throws Exception {
        Process killed = start(List.of(), java(two()), "--shell");
        readUntil(outputOf(killed), "'exit' ends the shell");
        assertThat(ourNamespaces()).hasSize(3);
        killed.destroyForcibly().waitFor();
        assertThat(ourNamespaces()).hasSize(3);

        Process next = start(List.of(), java(two()), "--shell");
        String said = readUntil(outputOf(next), "'exit' ends the shell");
        assertThat(unwrapped(said))
                .contains("Removed the rest of a lab that was killed", prefix + "h1");
        next.outputWriter().close();
        String rest = readUntil(outputOf(next), "no line has this");
        // Where the machine held its worker it says so.
        int code = next.waitFor();
        assertThat(code).as(said + rest).isIn(0, 3);
        assertThat(rest).contains(code == 0 ? "PASS" : "INVALID");
        assertThat(ourNamespaces()).isEmpty();
    }

    /** That it works there is OrdinaryUserTest's matter. */
    @Test
    void anOrdinaryUserIsToldWhatNeedsRootWithAndWithoutAUserNamespace() throws Exception {
        // The original may lie where only its owner can read.
        Installed installed = Installed.withArchive(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> asNobody =
                List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--");
        List<String> inNamespaces =
                List.of(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--net",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t tmpfs tmpfs /run && exec \"$@\"",
                        "sh");
        List<String> both = Stream.concat(asNobody.stream(), inNamespaces.stream()).toList();
        List<String> java = installed.withoutLauncher("lab", two().toString());

        Process refused = start(both, java, "--device", "afxdp");
        assertThat(readUntil(outputOf(refused), "no line has this"))
                .contains("AF_XDP needs the machine's own root user")
                .hasLineCount(1);
        assertThat(refused.waitFor()).isEqualTo(1);

        Process plain = start(asNobody, java);
        assertThat(readUntil(outputOf(plain), "no line has this"))
                .contains("needs root, or a user namespace")
                .hasLineCount(1);
        assertThat(plain.waitFor()).isEqualTo(1);
    }

    /** What was said, in one line: where it was folded depends on the length of the prefix. */
    private static String unwrapped(String said) {
        return said.replaceAll("\\s+", " ");
    }
}
