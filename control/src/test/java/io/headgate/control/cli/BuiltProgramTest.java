package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuiltProgramTest {
    private static final Instant COMPILED = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir private Path root;
    private Path classes;
    private Path jar;
    private Path archive;

    /** Classes, then their jar, then the archive: each ten seconds after the one before. */
    @BeforeEach
    void build() throws IOException {
        classes = root.resolve("config/target/classes/io/A.class");
        jar = root.resolve("perf/target/lib/headgate-config-1.jar");
        archive = root.resolve("perf/target/headgate.aot");
        Files.createDirectories(root.resolve("config/target/classes/io"));
        Files.createDirectories(root.resolve("perf/target/lib"));
        Files.createFile(classes);
        Files.createFile(jar);
        Files.createFile(archive);
        Path launcher = Files.createFile(root.resolve("headgate"));
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        try (Stream<Path> all = Files.walk(root.resolve("config/target"))) {
            for (Path path : all.toList()) {
                age(path, 0);
            }
        }
        age(jar, 10);
        age(root.resolve("perf/target/lib"), 10);
        age(archive, 20);
    }

    private static void age(Path path, int seconds) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(COMPILED.plusSeconds(seconds)));
    }

    private boolean isUsed() {
        String classPath = root + "/config/target/classes:/elsewhere/picocli.jar";
        return !BuiltProgram.options(classPath).isEmpty();
    }

    @Test
    void jarsThatAreAsNewAsTheClassesAreUsedWithTheirArchive() throws Exception {
        assertThat(BuiltProgram.options("/x.jar:" + root + "/config/target/classes"))
                .contains("-XX:AOTCache=" + archive, root + "/perf/target/lib/*");
        age(classes, 10);
        assertThat(isUsed()).isTrue();
    }

    @Test
    void aClassThatIsNewerThanItsJarIsTested() throws Exception {
        age(classes, 11);
        assertThat(isUsed()).isFalse();
    }

    @Test
    void aClassThatWasRemovedIsNotTested() throws Exception {
        Files.delete(classes);
        assertThat(isUsed()).isFalse();
    }

    @Test
    void aJarThatIsNewerThanTheOneOfTheBuildIsTested() throws Exception {
        Path made = Files.createFile(root.resolve("config/target/headgate-config-1.jar"));
        String classPath = made + ":" + root + "/config/target/headgate-config-1-tests.jar";
        assertThat(BuiltProgram.options(classPath)).isEmpty();
        age(made, 10);
        assertThat(BuiltProgram.options(classPath)).isNotEmpty();
    }

    @Test
    void withoutAJarOfEachModuleAndANewerArchiveThereIsNoBuild() throws Exception {
        age(jar, 21);
        assertThat(isUsed()).isFalse();
        age(jar, 10);
        assertThat(isUsed()).isTrue();
        Files.delete(archive);
        assertThat(isUsed()).isFalse();
        Files.createFile(archive);
        assertThat(isUsed()).isTrue();
        Files.delete(jar);
        assertThat(isUsed()).isFalse();
    }
}
