package io.headgate.testbed.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When the launcher makes its archive of classes, and how, with a program in place of Java. */
@Timeout(60)
final class LauncherTrainingTest {
    private static final String MAKING = "Making later starts faster";
    private static final String JAVA =
            """
            #!/bin/sh
            for word; do
                case $word in
                    -XX:AOTCacheOutput=*)
                        echo classes >"${word#*=}"
                        echo "run directory: $HEADGATE_RUN_DIR"
                        exit ${FAILING:-0}
                        ;;
                esac
            done
            """;

    @TempDir private Path directory;

    private Path root;
    private Path log;
    private Path archive;

    @BeforeEach
    void makeWhatIsBuilt() throws Exception {
        root = directory.resolve("headgate");
        log = root.resolve("target/aot.log");
        archive = root.resolve("perf/target/headgate.aot");
        for (String module : new String[] {"", "dataplane/", "testbed/labs/"}) {
            Files.createDirectories(root.resolve(module + "src/main"));
            Files.writeString(root.resolve(module + "pom.xml"), "");
        }
        Files.createDirectories(root.resolve("target"));
        Files.createDirectories(root.resolve("perf/target/lib"));
        Files.writeString(root.resolve("perf/target/lib/.built"), "");
        program(root.resolve("headgate"), Files.readString(Path.of("../headgate")));
        Path bin = Files.createDirectories(directory.resolve("jdk/bin"));
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        program(bin.resolve("java"), JAVA);
        program(bin.resolve("javac"), JAVA);
    }

    private static void program(Path file, String text) throws Exception {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Runs a command; answers what was printed. */
    private String start(String failing) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(root.resolve("headgate").toString(), "show")
                        .redirectErrorStream(true);
        builder.environment().remove("HEADGATE_NO_BUILD");
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().put("HEADGATE_RUN_DIR", directory.resolve("of-the-user").toString());
        builder.environment().put("FAILING", failing);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void anArchiveIsMadeOnceForEachBuildAndAgainByANewerLauncher() throws Exception {
        assertThat(start("0")).contains(MAKING);
        assertThat(archive).hasContent("classes");
        assertThat(start("0")).doesNotContain(MAKING);

        Files.setLastModifiedTime(log, FileTime.fromMillis(0));
        assertThat(start("0")).as("the launcher is newer").contains(MAKING);
        assertThat(start("0")).doesNotContain(MAKING);
    }

    @Test
    void whereNoneCanBeMadeItIsTriedOnce() throws Exception {
        assertThat(start("1")).contains(MAKING);
        assertThat(archive).doesNotExist();
        assertThat(start("1")).doesNotContain(MAKING);
    }

    @Test
    void oneThatIsThereStaysUntilThereIsAnother() throws Exception {
        start("0");
        Files.writeString(archive, "of before");
        Files.setLastModifiedTime(log, FileTime.fromMillis(0));
        assertThat(start("1")).contains(MAKING);
        assertThat(archive).hasContent("of before");
        assertThat(start("1")).doesNotContain(MAKING);

        Files.setLastModifiedTime(log, FileTime.fromMillis(0));
        assertThat(start("0")).contains(MAKING);
        assertThat(archive).hasContent("classes");
    }

    @Test
    void aLauncherOfAClockThatIsAheadMakesOneOnceToo() throws Exception {
        Files.setLastModifiedTime(
                root.resolve("headgate"), FileTime.from(Instant.now().plus(Duration.ofDays(1))));
        assertThat(start("0")).contains(MAKING);
        assertThat(start("0")).doesNotContain(MAKING);
    }

    @Test
    void itsSwitchesAreNotAmongThoseOfTheUser() throws Exception {
        start("0");
        assertThat(log).content().contains("run directory: /").doesNotContain("of-the-user");
    }
}
