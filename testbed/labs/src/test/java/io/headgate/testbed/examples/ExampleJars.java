package io.headgate.testbed.examples;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The jars of some examples, and a directory in which what has them runs: by the launcher, with
 * {@code --plugins jars}, or in this process, with those of all other examples.
 */
final class ExampleJars implements BeforeAllCallback, AfterAllCallback {
    private final List<String> examples;
    private Path directory = Path.of("");

    ExampleJars(String... examples) {
        this.examples = List.of(examples);
    }

    /** A file of an example. */
    static Path file(String name) {
        return ExampleBuilds.EXAMPLES.resolve(name);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        directory = Files.createTempDirectory("examples");
        Path jars = Files.createDirectory(directory.resolve("jars"));
        for (String example : examples) {
            Path jar = ExampleBuilds.jar(example);
            Files.copy(jar, jars.resolve(jar.getFileName() + ""));
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        ExampleBuilds.delete(directory);
    }

    Path directory() {
        return directory;
    }

    /** Runs a script, whose launcher is {@code $HEADGATE}. */
    Ended bash(String script, String... arguments) throws IOException, InterruptedException {
        return Shell.bash(directory, script, arguments);
    }

    /** Makes a file in the directory. */
    Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /**
     * An example's file with a change, in the directory.
     *
     * @param change must change it
     */
    Path changed(Path file, UnaryOperator<String> change) throws IOException {
        String before = Files.readString(file);
        String after = change.apply(before);
        if (after.equals(before)) {
            throw new IllegalArgumentException(file + " has nothing to change");
        }
        return Files.writeString(Files.createTempFile(directory, "changed", ".yaml"), after);
    }

    /** Runs a scenario with the jars; its result has that name. */
    Ended reproduce(Path file, String result, String... more) throws Exception {
        return reproduce(file.toString(), result, more);
    }

    Ended reproduce(String scenario, String result, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("reproduce", scenario, "--out"));
        words.add(directory.resolve(result).toString());
        words.addAll(List.of(more));
        return headgate(words.toArray(String[]::new));
    }

    /**
     * The same on real frames, which are slower by a hundred times: a part of the file's duration
     * is enough.
     *
     * @param duration in place of the file's
     */
    Ended reproduceReally(Path file, String duration, String result) throws Exception {
        Path brief =
                changed(file, text -> text.replaceFirst("duration: .*", "duration: " + duration));
        return reproduce(brief, result, "--bed", "netns");
    }

    /** Runs a command in this process, with the jars. A path among the words is absolute. */
    static Ended headgate(String... words) throws Exception {
        return HeadgateHere.withExamples().headgate(words);
    }

    /** Runs a command until it says something of a pattern, half a minute at most. */
    static Ended until(String pattern, String... words) throws Exception {
        Ended said = headgate(words);
        for (int i = 0; i < 300 && !Pattern.compile(pattern).matcher(said.said()).find(); i++) {
            Thread.sleep(100);
            said = headgate(words);
        }
        return said;
    }

    /** As {@link #headgate}, without any of the jars. */
    static Ended without(String... words) {
        Map.Entry<Integer, String> ended = CommandHere.run(words);
        return new Ended(ended.getKey(), ended.getValue());
    }

    /** What is done while a switch of that name runs. */
    interface AtSwitch {
        Ended runs(String name) throws Exception;
    }

    /** Does something while a switch of that configuration runs in this process, with the jars. */
    Ended atSwitchHere(String yaml, AtSwitch does) throws Exception {
        String name = "jars" + ProcessHandle.current().pid();
        Path file = write(name + ".yaml", "name: " + name + "\n" + yaml);
        Object running =
                HeadgateHere.withExamples().call(CommandHere.class, "startSwitch", file.toString());
        try (AutoCloseable _ = (AutoCloseable) running) {
            return does.runs(name);
        }
    }

    /**
     * The same of one that runs as a process, as users start it.
     *
     * @return what was answered
     */
    Ended atSwitch(String yaml, AtSwitch does) throws Exception {
        String name = "jars" + ProcessHandle.current().pid();
        write(name + ".yaml", "name: " + name + "\n" + yaml);
        Process running =
                Shell.process(
                        directory,
                        "exec \"$HEADGATE\" --plugins jars switch run -c $1.yaml --no-warm-up",
                        name);
        try {
            StringBuilder said = new StringBuilder();
            BufferedReader lines = running.inputReader(StandardCharsets.UTF_8);
            while (said.indexOf("running") < 0) {
                String line = lines.readLine();
                if (line == null) {
                    return new Ended(running.waitFor(), said.toString());
                }
                said.append(line).append('\n');
            }
            return does.runs(name);
        } finally {
            running.destroy();
            running.waitFor();
        }
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
