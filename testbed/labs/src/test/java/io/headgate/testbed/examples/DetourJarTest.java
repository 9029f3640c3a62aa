package io.headgate.testbed.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A detour comes in a jar, with nothing of it in the switch: Escape, taken out of this build,
 * compiled against the rest, and added as a jar.
 */
class DetourJarTest {
    private static final Path SOURCES =
            Path.of("../dataplane/src/main/java/io/headgate/dataplane/escape").toAbsolutePath();

    private static final String SERVICES = "META-INF/services/io.headgate.config.Mechanism";

    private static final Pattern DIGEST = Pattern.compile("\"digest\" ?: ?\"([0-9a-f]{16})\"");

    @TempDir private static Path directory;
    private static HeadgateHere rest;
    private static HeadgateHere both;

    /** The jars of this build in {@code tree}, without Escape, and Escape's own in {@code jars}. */
    @BeforeAll
    static void takesEscapeOut() throws Exception {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Path jars = Files.createDirectory(directory.resolve("jars"));
        Path apart = Files.createDirectories(directory.resolve("apart/META-INF/services"));
        List<Path> build;
        try (Stream<Path> files = Files.list(ExampleBuilds.LIBRARY)) {
            build = files.filter(one -> one.toString().endsWith(".jar")).toList();
        }
        List<String> taken = new ArrayList<>();
        for (Path jar : build) {
            Path to = tree.resolve(jar.getFileName() + "");
            if (to.getFileName().toString().startsWith("headgate-dataplane-")) {
                copyWithoutEscape(jar, to, taken);
            } else {
                Files.createSymbolicLink(to, jar);
            }
        }
        assertThat(taken).isNotEmpty();
        Files.write(apart.resolve("io.headgate.config.Mechanism"), taken);
        String classes = directory.resolve("apart").toString();
        List<String> words = new ArrayList<>(List.of("-proc:none", "-d", classes, "-cp"));
        words.add(ExampleBuilds.classPath(tree));
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.map(Path::toString).filter(one -> one.endsWith(".java")).forEach(words::add);
        }
        ExampleBuilds.tool("javac", words);
        ExampleBuilds.tool("jar", List.of("cf", jars + "/escape.jar", "-C", classes, "."));
        rest = HeadgateHere.of(tree);
        both = HeadgateHere.of(tree, jars);
    }

    /**
     * @param taken gets the lines of services that name it
     */
    private static void copyWithoutEscape(Path jar, Path to, List<String> taken)
            throws IOException {
        try (ZipFile from = new ZipFile(jar.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
            for (ZipEntry entry : Collections.list(from.entries())) {
                String name = entry.getName();
                byte[] bytes = from.getInputStream(entry).readAllBytes();
                if (name.equals(SERVICES)) {
                    List<String> all = new String(bytes, UTF_8).lines().toList();
                    taken.addAll(all.stream().filter(one -> one.contains(".escape.")).toList());
                    String others =
                            all.stream()
                                    .filter(one -> !one.contains(".escape."))
                                    .collect(Collectors.joining("\n"));
                    bytes = others.getBytes(UTF_8);
                }
                if (!name.startsWith("io/headgate/dataplane/escape/")) {
                    out.putNextEntry(new ZipEntry(name));
                    out.write(bytes);
                }
            }
        }
    }

    @Test
    void aRingWithEscapeInAJarIsToTheBitTheRingOfTheWholeBuild() throws Exception {
        String ring = "reproduce escape-ring --set tokens=none,16 --set duration=4ms --lines";
        Ended apart = both.headgate(ring.split(" "));
        Ended whole = ExampleJars.without(ring.split(" "));
        assertThat(digests(apart)).hasSize(2).doesNotHaveDuplicates().isEqualTo(digests(whole));
        assertThat(apart.code()).as(apart.said()).isEqualTo(whole.code()).isZero();
    }

    /** Digests of all runs, sorted: the runs happen at the same time, so their order varies. */
    private static List<String> digests(Ended run) {
        return DIGEST.matcher(run.said())
                .results()
                .map((MatchResult one) -> one.group(1))
                .sorted()
                .toList();
    }

    @Test
    void withoutItsJarSwitchesRunAndKnowNothingOfIt() throws Exception {
        String incast = "reproduce lossless-incast --set senders=2 --set duration=1ms --lines";
        Ended run = rest.headgate(incast.split(" "));
        // With pauses and with credits.
        assertThat(digests(run)).as(run.said()).hasSize(2);
        assertThat(run.code()).isZero();
        Path file = directory.resolve("s1.yaml");
        Files.writeString(
                file,
                """
                name: s1
                ports:
                  - {name: p1, device: {tap: t1}, flow-control: pfc, detour: {escape: {tokens: 4}}}
                """);
        // With its jar this would run.
        Ended without = rest.headgate("switch", "run", "-c", file + "", "--no-warm-up");
        assertThat(without.said())
                .contains("ports[0].detour.escape: found the unknown mechanism \"escape\"")
                .hasLineCount(1);
        assertThat(without.code()).isEqualTo(2);
    }
}
