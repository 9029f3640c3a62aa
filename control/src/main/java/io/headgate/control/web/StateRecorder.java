package io.headgate.control.web;

import io.headgate.control.web.StateLines.Counted;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what ports count over time into a file that the page plays: the lines that viewers get,
 * first a whole one, then what changed, in gzip; the last line is {@code {"end":true}}. What is
 * written can be read at once. One thread.
 */
public final class StateRecorder implements AutoCloseable {
    private static final int BUFFER_BYTES = 65_536;
    private static final long FLUSH_NS = 200_000_000;

    private final StateLines lines;
    private final BufferedWriter out;
    private long flushedNs = System.nanoTime();
    private boolean isBegun;

    /**
     * Begins a recording; a file that is there is replaced.
     *
     * @param counters of the switches whose ports these are
     * @throws IOException if the file cannot be written
     */
    public StateRecorder(Path file, String title, List<PortView> ports, List<Counted> counters)
            throws IOException {
        this.lines = new StateLines(title, false, ports, counters);
        this.out =
                new BufferedWriter(
                        new OutputStreamWriter(
                                new GZIPOutputStream(
                                        Files.newOutputStream(file), BUFFER_BYTES, true),
                                StandardCharsets.UTF_8));
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
    }
}
