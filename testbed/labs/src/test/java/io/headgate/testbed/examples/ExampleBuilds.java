package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.jspecify.annotations.Nullable;

/**
 * How the page of the examples says to build each, and their jars, made once in this process by
 * Java's compiler, with the page's options, and by jar.
 */
final class ExampleBuilds {
    static final Path EXAMPLES = Path.of("examples/plugins").toAbsolutePath();

    /** The jars of this build, which the launcher runs. */
    static final Path LIBRARY = Path.of("../perf/target/lib").toAbsolutePath().normalize();

    /** A block of the page: what makes the jar, and what runs it. */
    private static final Pattern BLOCK =
            Pattern.compile(
                    """
                    (?<build> {4}cd testbed/examples/plugins/(?<example>.*)
                     {4}"\\$JAVA_HOME/bin/javac" -cp "\\$\\(../../../../headgate class-path\\)" \
                    -d target/classes src/example/\\*.java
                     {4}mkdir -p ../target && "\\$JAVA_HOME/bin/jar" cf ../target/(?<jar>.*)\\.jar \
                    -C target/classes . -C src META-INF
                    )(?<run>( {4}.*
                    )*)\
                    """);

    private static final JavaCompiler COMPILER = javax.tools.ToolProvider.getSystemJavaCompiler();
    private static final StandardJavaFileManager FILES =
            COMPILER.getStandardFileManager(null, null, null);

    private static @Nullable Path made;

    private ExampleBuilds() {}

    /** The block of each of the page's examples, by its directory. */
    static SortedMap<String, MatchResult> blocks() throws IOException {
        SortedMap<String, MatchResult> blocks = new TreeMap<>();
        BLOCK.matcher(Files.readString(EXAMPLES.resolve("README.md")))
                .results()
                .forEach(block -> blocks.put(block.group("example"), block));
        return blocks;
    }

    /** The block of one of them. */
    static MatchResult block(String example) throws IOException {
        return Objects.requireNonNull(blocks().get(example), example);
    }

    /** A directory with the jars of all examples, in this process's lifetime. */
    static Path all() throws IOException {
        for (String example : blocks().keySet()) {
            jar(example);
        }
        return directory().resolve("jars");
    }

    /** The jar of an example, in this process's lifetime. */
    static synchronized Path jar(String example) throws IOException {
        Path jar = directory().resolve("jars/" + block(example).group("jar") + ".jar");
        if (!Files.exists(jar)) {
            Path from = EXAMPLES.resolve(example + "/src");
            Path classes = Files.createDirectory(directory().resolve(example));
            try (Stream<Path> sources = Files.list(from.resolve("example"))) {
                compile(sources.filter(one -> one.toString().endsWith(".java")).toList(), classes);
            }
            tool(
                    "jar",
                    List.of("cf", jar + "", "-C", classes + "", ".", "-C", from + "", "META-INF"));
        }
        return jar;
    }

    /** As javac does, which would read the class path for each example. */
    private static void compile(List<Path> sources, Path classes) throws IOException {
        StringWriter said = new StringWriter();
        boolean isDone =
                COMPILER.getTask(
                                said,
                                FILES,
                                null,
                                List.of("-cp", classPath(LIBRARY), "-d", classes.toString()),
                                null,
                                FILES.getJavaFileObjectsFromPaths(sources))
                        .call();
        assertThat(said.toString()).isEmpty();
        assertThat(isDone).isTrue();
    }

    /** Calls one of the JDK's programs, which has nothing to say. */
    static void tool(String tool, List<String> words) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
        int code =
                ToolProvider.findFirst(tool)
                        .orElseThrow()
                        .run(to, to, words.toArray(String[]::new));
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
    }

    /** The jars of a directory. */
    static String classPath(Path directory) throws IOException {
        try (Stream<Path> jars = Files.list(directory)) {
            return jars.map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .collect(Collectors.joining(":"));
        }
    }

    private static Path directory() throws IOException {
        Path there = made;
        if (there == null) {
            there = Files.createTempDirectory("examples");
            Files.createDirectories(there.resolve("jars"));
            Path mine = there;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(mine)));
            made = there;
        }
        return there;
    }

    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
