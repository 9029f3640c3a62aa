package io.headgate.control.web;

import io.headgate.control.web.StateLines.Counted;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what ports count over time into a file that the page plays: the lines that viewers get,
 * first a whole one, then what changed, in gzip; the last line is {@code {"end":true}}. What is
 * written can be read at once, in a file next to it, which gets its name at the end: a recording
 * that is there stays until then. One thread.
 */
public final class StateRecorder implements AutoCloseable {
    private static final String PART = ".part";
    private static final int BUFFER_BYTES = 65_536;
    private static final long FLUSH_NS = 200_000_000;

    private final Path file;
    private final StateLines lines;
    private final BufferedWriter out;
    private long flushedNs = System.nanoTime();
    private boolean isBegun;

    /**
     * Begins a recording; a file that is there is replaced at its end.
     *
     * @param counters of the switches whose ports these are
     * @throws IOException if the file cannot be written
     */
    public StateRecorder(Path file, String title, List<PortView> ports, List<Counted> counters)
            throws IOException {
        this.file = file;
        this.lines = new StateLines(title, false, ports, counters);
        this.out =
                new BufferedWriter(
                        new OutputStreamWriter(
                                new GZIPOutputStream(
                                        Files.newOutputStream(unfinished(file)),
                                        BUFFER_BYTES,
                                        true),
                                StandardCharsets.UTF_8));
    }

    /** Where a recording is until its end. */
    public static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + PART);
    }

    /** Where what is being written to a file will be; the file itself if it is at its place. */
    static Path finished(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(PART)
                ? file.resolveSibling(name.substring(0, name.length() - PART.length()))
                : file;
    }

    /**
     * The queues that wait for one another, from the next moment on.
     *
     * @param json a mapping with {@code cycle} and {@code says}, or {@code null}
     */
    public void deadlock(String json) {
        lines.deadlock(json);
    }

    /**
     * Records this moment.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public void record(double seconds) {
        String change = lines.next(seconds);
        write(isBegun ? change : lines.whole());
        isBegun = true;
    }

    private void write(String line) {
        try {
            out.write(line);
            out.write('\n');
            long nowNs = System.nanoTime();
            if (nowNs - flushedNs > FLUSH_NS) {
                out.flush();
                flushedNs = nowNs;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (out) {
            out.write("{\"end\":true}\n");
        }
        Files.move(unfinished(file), file, StandardCopyOption.ATOMIC_MOVE);
    }
}
