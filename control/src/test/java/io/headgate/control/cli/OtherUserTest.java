package io.headgate.control.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.TestConfigs;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.run.SwitchOptions;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user without rights sees of root's switch: its counters, and why no more. */
@Tag("netns")
final class OtherUserTest {
    private static final String NOBODY = "65534";
    private static final String ARCHIVE = "-XX:AOTCache=";

    @TempDir private Path directory;

    private String output = "";
    private int copied;

    /** Our classes where anybody may read them: who runs the tests may keep them to himself. */
    private List<String> readableClasses() throws IOException {
        List<String> options = new ArrayList<>();
        for (String option : OwnProgram.classes()) {
            if (option.startsWith(ARCHIVE)) {
                options.add(ARCHIVE + copy(Path.of(option.substring(ARCHIVE.length()))));
            } else if (option.startsWith("-")) {
                options.add(option);
            } else if (option.endsWith("/*")) {
                options.add(copy(Path.of(option.substring(0, option.length() - 2))) + "/*");
            } else {
                List<String> copies = new ArrayList<>();
                for (String entry : option.split(":")) {
                    copies.add(copy(Path.of(entry)).toString());
                }
                options.add(String.join(":", copies));
            }
        }
        return options;
    }

    /** A copy of a file or directory, which need not be there; as old, or no archive fits it. */
    private Path copy(Path from) throws IOException {
        Path to = directory.resolve("lib" + ++copied + "-" + from.getFileName());
        if (Files.isRegularFile(from)) {
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
        } else if (Files.isDirectory(from)) {
            copyAll(from, to);
        }
        return to;
    }

    private static void copyAll(Path from, Path to) throws IOException {
        Files.walkFileTree(
                from,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes of)
                            throws IOException {
                        Files.createDirectories(to.resolve(from.relativize(dir)));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes of)
                            throws IOException {
                        Files.copy(
                                file,
                                to.resolve(from.relativize(file)),
                                StandardCopyOption.COPY_ATTRIBUTES);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private int asNobody(List<String> classes, String... args) throws Exception {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "setpriv",
                                "--reuid=" + NOBODY,
                                "--regid=" + NOBODY,
                                "--clear-groups"));
        words.addAll(OwnProgram.command(List.of(), classes, args));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().remove("XDG_RUNTIME_DIR");
        builder.environment().remove("HEADGATE_RUN_DIR");
        Process process = builder.start();
        output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void showReadsTheCountersOfRootsSwitchAndSaysWhyNotMore() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> classes = readableClasses();
        // The default directory of root's switches, where another user finds them without an
        // option.
        String name = "hgtest" + ProcessHandle.current().pid();
        Path base = Path.of("/run/headgate/switches");
        assertThat(RunDirectory.base()).isEqualTo(base);
        try (SwitchDaemon _ =
                SwitchDaemon.start(
                        TestConfigs.memory(name, "a", "b"),
                        base,
                        new SwitchOptions(false, true, null, line -> {}))) {
            assertThat(asNobody(classes, "show", "ports", "--switch", name)).as(output).isZero();
            assertThat(output).contains("a ", "b ", "local");
            assertThat(asNobody(classes, "show", "fdb", "--switch", name)).isEqualTo(1);
            assertThat(output)
                    .isEqualTo(
                            ("headgate: switch %s belongs to another user, and only that user can"
                                                    + " access its control")
                                            .formatted(name)
                                    + " socket; run this command as that user or as root\n");
            assertThat(asNobody(classes, "switch", "stop", "--switch", name)).isEqualTo(1);
            assertThat(output).contains("belongs to another user");
            assertThat(asNobody(classes, "show", "ports", "--switch", "x")).isEqualTo(1);
            assertThat(output).contains("no switch named x runs; running: ").contains(name);
        }
        assertThat(asNobody(classes, "show", "ports", "--switch", name)).isEqualTo(1);
        assertThat(output).contains("no switch named " + name + " runs");
    }
}
