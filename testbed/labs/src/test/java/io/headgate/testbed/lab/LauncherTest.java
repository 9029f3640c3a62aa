package io.headgate.testbed.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher where it was copied to, and under limits that Java bears badly. */
@Tag("netns")
@Tag("programs")
@Timeout(600)
final class LauncherTest {
    private static final int REFUSED = 2;
    private static final String UID = "61002";

    @TempDir private Path directory;

    private String said = "";

    private int run(ProcessBuilder builder) throws Exception {
        Process process = builder.start();
        process.getOutputStream().close();
        said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** The same under a limit of the shell's, such as {@code ulimit -v 1000}. */
    private static ProcessBuilder under(String limit, ProcessBuilder builder) {
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", limit + " && exec \"$@\"", "sh"));
        command.addAll(builder.command());
        return builder.command(command);
    }

    /**
     * The class archive belongs to the original's jars and cannot be used here; the launcher must
     * not mention it.
     */
    @Test
    void aCopySaysNothingOfItsOwnAndAnswersUnderLimits() throws Exception {
        Installed copy = new Installed(directory);
        copy.addArchive();
        assertThat(run(copy.asRoot("--version"))).isZero();
        assertThat(said).startsWith("headgate ").hasLineCount(3);

        assertThat(run(under("ulimit -v 2500000", copy.asRoot("--version")))).isEqualTo(REFUSED);
        assertThat(said)
                .startsWith("headgate: a process may have 2500000 kB of address space here (ulimit")
                .hasLineCount(1);
        assertThat(run(under("ulimit -v 4000000", copy.asRoot("reproduce", "list")))).isZero();

        assertThat(run(under("ulimit -n 64", copy.asRoot("--version")))).isEqualTo(REFUSED);
        assertThat(said)
                .startsWith("headgate: a process may have 64 files open here (ulimit -n)")
                .hasLineCount(1);
        assertThat(run(under("ulimit -n 512", copy.asRoot("reproduce", "list")))).isZero();
    }

    /** {@code list} is a command of {@code reproduce}, too. */
    @Test
    void aDirectoryMayBeCalledAsACommandIs() throws Exception {
        Installed copy = Installed.withArchive(directory);
        Files.writeString(
                directory.resolve("tiny.yaml"),
                """
                name: tiny
                duration: 10us
                topology: {name: star, builder: {single-switch: {hosts: 2}}}
                traffic: [{name: t, from: h1, to: h2}]
                """);
        ProcessBuilder builder = copy.asRoot("reproduce", "tiny.yaml", "--out", "list");
        assertThat(run(builder.directory(directory.toFile()))).as(said).isZero();
        assertThat(directory.resolve("list/report.html")).isNotEmptyFile();
    }

    @Test
    void aPathWithAColonIsRefusedInASentence() throws Exception {
        Installed copy = new Installed(Files.createDirectory(directory.resolve("a:b")));
        assertThat(run(copy.asRoot("--version"))).isEqualTo(REFUSED);
        assertThat(said).startsWith("headgate: the path '").contains("has a colon").hasLineCount(1);
    }

    /** In a user namespace whose root may forbid others what the machine's has not. */
    @Test
    void theSysctlThatForbidsNamespacesIsNamed() throws Exception {
        Installed copy = Installed.withArchive(directory);
        Process holder = new ProcessBuilder("unshare", "--user", "cat").start();
        try {
            Path proc = Path.of("/proc", Long.toString(holder.pid()));
            while (Files.readSymbolicLink(proc.resolve("ns/user"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/user")))) {
                assertThat(holder.isAlive()).isTrue();
                Thread.sleep(1);
            }
            for (String map : List.of("uid_map", "gid_map")) {
                Files.writeString(proc.resolve(map), "0 0 70000\n", StandardOpenOption.WRITE);
            }
            ProcessBuilder builder = copy.asRoot("lab", "four-port");
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "nsenter",
                                    "--user=" + proc.resolve("ns/user"),
                                    "sh",
                                    "-ec",
                                    "echo 0 >/proc/sys/user/max_user_namespaces; exec \"$@\"",
                                    "sh"));
            command.addAll(
                    List.of("setpriv", "--reuid", UID, "--regid", UID, "--clear-groups", "--"));
            command.addAll(builder.command());
            assertThat(run(builder.command(command))).as(said).isEqualTo(1);
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(said)
                .contains("here a sysctl forbids it: user.max_user_namespaces = 0")
                .hasLineCount(1);
    }
}
