package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The jars of some examples, made as their page says, and a directory in which what has them runs,
 * by the launcher of this build. {@code jars} is where they are.
 */
final class ExampleJars implements BeforeAllCallback, AfterAllCallback {
    static final Path EXAMPLES = Path.of("examples/plugins").toAbsolutePath();

    /** A block of the page up to its jar; the line after it runs what was built. */
    private static final Pattern BUILD =
            Pattern.compile(" {4}cd testbed/examples/plugins/(.*)\n(?: {4}.*\n)*? {4}mkdir .*\n");

    private final List<String> examples;
    private Path directory = Path.of("");

    ExampleJars(String... examples) {
        this.examples = List.of(examples);
    }

    /** The lines that build each of the page's examples, by its directory. */
    static SortedMap<String, String> builds() throws IOException {
        SortedMap<String, String> builds = new TreeMap<>();
        BUILD.matcher(Files.readString(EXAMPLES.resolve("README.md")))
                .results()
                .forEach(block -> builds.put(block.group(1), block.group().stripIndent()));
        return builds;
    }

    /** Runs the page's own lines, on a machine whose own javac and jar are too old. */
    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        directory = Files.createTempDirectory("examples");
        Ended ready =
                bash(
                        """
                        mkdir -p testbed/examples old
                        cp -r "$1" testbed/examples/plugins
                        printf '#!/bin/sh\nexec "%s" "$@"\n' "$HEADGATE" >headgate
                        printf '#!/bin/sh\necho "$0 is too old"\nexit 1\n' >old/javac
                        chmod +x headgate old/javac
                        cp old/javac old/jar
                        """,
                        EXAMPLES.toString());
        assertThat(ready).isEqualTo(new Ended(0, ""));
        Map<String, String> builds = builds();
        for (String example : examples) {
            assertThat(builds).containsKey(example);
            assertThat(bash("PATH=$PWD/old:$PATH\n" + builds.get(example)))
                    .isEqualTo(new Ended(0, ""));
        }
        assertThat(bash("mv testbed/examples/plugins/target jars")).isEqualTo(new Ended(0, ""));
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    Path directory() {
        return directory;
    }

    Ended bash(String script, String... arguments) throws IOException, InterruptedException {
        return Shell.bash(directory, script, arguments);
    }

    /** Runs commands while a switch $NAME of that configuration runs, with the jars. */
    Ended atSwitch(String yaml, String commands) throws IOException, InterruptedException {
        return bash(
                """
                NAME=jars$$
                { echo "name: $NAME"; echo "$1"; } >$NAME.yaml
                "$HEADGATE" --plugins jars switch run -c $NAME.yaml --no-warm-up >$NAME.log &
                trap "kill $!" EXIT
                for try in $(seq 600); do
                    ! grep -q running $NAME.log || break
                    sleep 0.1
                done
                """
                        + commands,
                yaml);
    }

    /** A measure of a result's only run. */
    double measure(String result, String name) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(result + "/runs.csv"));
        int column = List.of(lines.getFirst().split(",")).indexOf(name);
        return Double.parseDouble(lines.get(1).split(",")[column]);
    }

    /** The last value of each series of a result whose name has a text in it, by name. */
    Map<String, Double> lastOfSeries(String result, String named) throws IOException {
        Map<String, Double> last = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve(result + "/series.csv"))) {
            String[] cells = line.split(",");
            if (cells[1].contains(named)) {
                last.put(cells[1], Double.parseDouble(cells[4]));
            }
        }
        return last;
    }

    /** Makes a file of frames, of one length, 1 ms apart. */
    void capture(String file, String header, int frames, int bytes) throws IOException {
        ByteBuffer out =
                ByteBuffer.allocate(24 + frames * (16 + bytes)).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
        out.putInt(1 << 16).putInt(1);
        for (int frame = 0; frame < frames; frame++) {
            out.putInt(0).putInt(1000 * frame).putInt(bytes).putInt(bytes);
            out.put(HexFormat.of().parseHex(header));
            out.position(out.position() + bytes - 14);
        }
        Files.write(directory.resolve(file), out.array());
    }
}
