package io.headgate.testbed.lab.capture;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs tshark to read captures. */
public final class Tshark {
    private static final long TIMEOUT_MS = 180_000;

    /** How tshark ends where a file does not end behind a frame. */
    private static final int CUT_SHORT = 2;

    private Tshark() {}

    /**
     * Reads a capture, without the preferences of the calling user.
     *
     * @param options such as a filter
     * @return the wanted fields of each frame
     * @throws BedException if tshark cannot be started, or does not read the file to its end
     */
    public static List<String[]> read(
            Programs programs, Path file, List<String> options, List<String> fields)
            throws BedException {
        List<String[]> frames = new ArrayList<>();
        String cut = read(programs, file, options, fields, frames);
        if (cut != null) {
            throw new BedException(cut);
        }
        return frames;
    }

    /**
     * The same of a file that may be cut short: the frames before that, if there are any.
     *
     * @param ifCut takes a sentence if it is cut short
     * @throws BedException if tshark cannot be started, or reads none of a file that it cannot read
     *     to its end
     */
    static List<String[]> readPart(
            Programs programs,
            Path file,
            List<String> options,
            List<String> fields,
            Consumer<String> ifCut)
            throws BedException {
        List<String[]> frames = new ArrayList<>();
        String cut = read(programs, file, options, fields, frames);
        if (cut != null) {
            ifCut.accept(cut);
        }
        return frames;
    }

    /** Returns a sentence if the file is cut short behind some frames, otherwise null. */
    private static @Nullable String read(
            Programs programs,
            Path file,
            List<String> options,
            List<String> fields,
            List<String[]> frames)
            throws BedException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("env", "WIRESHARK_CONFIG_DIR=/nonexistent", "HOME=/nonexistent"));
        command.addAll(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(options);
        command.addAll(List.of("-T", "fields"));
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        Programs.Result result = programs.run(null, TIMEOUT_MS, command);
        frames.addAll(parse(result.output(), fields.size()));
        if (result.ok()) {
            return null;
        }
        String problem = "tshark cannot read " + file + ": " + result.lastLine();
        if (result.exitCode() != CUT_SHORT || frames.isEmpty()) {
            throw new BedException(problem);
        }
        return problem;
    }

    /** What tshark said: a line a frame, its fields behind tabs. */
    public static List<String[]> parse(String output, int fields) {
        return output.lines()
                .map(line -> line.split("\t", -1))
                // tshark's warnings come in between.
                .filter(found -> found.length == fields)
                .toList();
    }
}
