package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds of all examples of jars, each of which has a test of its own, and of bad jars. */
class PluginsTest {
    private static final int MOST_LINES = 80;
    private static final Path TESTS = Path.of("labs/src/test/java/io/headgate/testbed/examples");

    /** The examples that a test has built, as it names them. */
    private static final Pattern BUILT = Pattern.compile("new ExampleJars\\(([^)]*)\\)");

    @TempDir private static Path directory;

    private static Ended bash(String script) throws IOException, InterruptedException {
        return Shell.bash(directory, script);
    }

    @Test
    void aJarThatNamesNoClassIsToldInASentence() throws Exception {
        Path services = Files.createDirectories(directory.resolve("broken/META-INF/services"));
        Files.writeString(services.resolve("io.headgate.config.Mechanism"), "example.Missing\n");
        Ended told =
                bash(
                        """
                        mkdir -p wrong-jars
                        "$JAVA_HOME/bin/jar" cf wrong-jars/broken.jar -C broken META-INF
                        "$HEADGATE" reproduce list --plugins wrong-jars
                        """);
        assertThat(told.said())
                .startsWith("headgate: a mechanism in a jar cannot be used: ")
                .contains("example.Missing")
                .hasLineCount(1);
        assertThat(told.code()).isEqualTo(2);
        Path tables = Files.createDirectories(directory.resolve("no-table/META-INF/services"));
        Files.writeString(
                tables.resolve("io.headgate.control.show.ShowTable"),
                "io.headgate.control.show.PortsTable\nexample.Missing\n");
        told =
                bash(
                        """
                        mkdir -p no-tables
                        "$JAVA_HOME/bin/jar" cf no-tables/broken.jar -C no-table META-INF
                        "$HEADGATE" reproduce list --plugins no-tables
                        """);
        assertThat(told.said())
                .startsWith("headgate: a table in a jar cannot be used: ")
                .contains("example.Missing")
                .hasLineCount(1);
        assertThat(told.code()).isEqualTo(2);
    }

    @Test
    void aDirectoryWithoutJarsIsToldInASentence() throws Exception {
        Ended told = bash("mkdir -p empty; \"$HEADGATE\" reproduce list --plugins empty");
        assertThat(told)
                .isEqualTo(
                        new Ended(
                                2,
                                "headgate: --plugins 'empty' is not a directory with jars; its path"
                                        + " must not have a colon.\n"));
    }

    /** The page's lines, on a machine whose own javac and jar are too old. */
    @Test
    void theLinesOfThePageBuildAnExampleAndRunIt() throws Exception {
        MatchResult block = ExampleBuilds.block("threshold");
        String ready =
                """
                mkdir -p testbed/examples old
                cp -r "$1" testbed/examples/plugins
                printf '#!/bin/sh\nexec "%s" "$@"\n' "$HEADGATE" >headgate
                printf '#!/bin/sh\necho "$0 is too old"\nexit 1\n' >old/javac
                chmod +x headgate old/javac
                cp old/javac old/jar
                PATH=$PWD/old:$PATH
                """;
        Path there = Files.createDirectory(directory.resolve("page"));
        Ended built =
                Shell.bash(
                        there,
                        ready + block.group("build").stripIndent(),
                        ExampleBuilds.EXAMPLES.toString());
        assertThat(built).isEqualTo(new Ended(0, ""));
        Ended run =
                Shell.bash(
                        there.resolve("testbed/examples/plugins/threshold"),
                        block.group("run").strip());
        assertThat(run.said()).contains("PASS: 1 of 1 as expected.");
        assertThat(run.code()).isZero();
    }

    @Test
    void everyExampleIsShortHasLinesThatBuildItAndATestThatRunsIt() throws IOException {
        try (Stream<Path> files = Files.walk(ExampleBuilds.EXAMPLES)) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(sources).hasSizeGreaterThan(40);
            for (Path source : sources) {
                assertThat(Files.readAllLines(source)).hasSizeLessThan(MOST_LINES);
            }
        }
        List<String> examples =
                namesIn(ExampleBuilds.EXAMPLES, file -> Files.isDirectory(file.resolve("src")));
        assertThat(examples).hasSize(14).containsExactlyElementsOf(ExampleBuilds.blocks().keySet());
        StringBuilder tests = new StringBuilder();
        for (String name : namesIn(TESTS, file -> file.toString().endsWith("ExampleTest.java"))) {
            tests.append(Files.readString(TESTS.resolve(name)));
        }
        Set<String> built =
                BUILT.matcher(tests)
                        .results()
                        .flatMap(names -> Stream.of(names.group(1).split("[\", ]+")))
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toSet());
        assertThat(built).containsExactlyInAnyOrderElementsOf(examples);
    }

    private static List<String> namesIn(Path place, Predicate<Path> which) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(which).map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
