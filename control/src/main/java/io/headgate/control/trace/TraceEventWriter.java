package io.headgate.control.trace;

import io.headgate.config.Reason;
import io.headgate.control.report.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes events in the Trace Event Format, which Perfetto and Chrome's tracing page open: JSON with
 * times in microseconds, here with six digits behind the point, so whole picoseconds. A process is
 * a node, a thread a line of intervals that do not overlap.
 */
public final class TraceEventWriter implements AutoCloseable {
    private static final long PS_PER_US = 1_000_000;
    private static final int FRACTION_DIGITS = 6;
    private static final String BEGINNING = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";

    private final Path file;
    private final BufferedWriter out;
    private final StringBuilder line = new StringBuilder();
    private boolean isFirst = true;
    private long events;
    private @Nullable IOException failure;

    /**
     * Begins a file; replaces an existing one.
     *
     * @throws IOException in a sentence, if it cannot be written
     */
    public TraceEventWriter(Path file) throws IOException {
        this.file = file;
        try {
            out = Files.newBufferedWriter(file);
            out.write(BEGINNING);
        } catch (IOException e) {
            throw refused(file, e);
        }
    }

    /**
     * Refuses to replace a file of another kind, so that a mistyped name does not destroy it.
     *
     * @throws IOException in a sentence, if events must not be written there
     */
    public static void requireReplaceable(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        byte[] start = {};
        try {
            if (Files.isRegularFile(file)) {
                try (InputStream in = Files.newInputStream(file)) {
                    start = in.readNBytes(BEGINNING.length());
                }
            }
        } catch (IOException e) {
            throw refused(file, e);
        }
        if (!Arrays.equals(start, BEGINNING.getBytes(StandardCharsets.US_ASCII))) {
            throw new IOException(
                    file
                            + ": the existing file is not a trace file; allowed is a new name, or"
                            + " an existing trace file, which is replaced");
        }
    }

    private static IOException refused(Path file, IOException e) {
        return new IOException("cannot write " + file + ": " + Reason.of(e), e);
    }

    public long events() {
        return events;
    }

    private StringBuilder begin(String phase, int node, int thread) {
        line.setLength(0);
        line.append(isFirst ? "\n" : ",\n");
        isFirst = false;
        return line.append("{\"ph\":\"")
                .append(phase)
                .append("\",\"pid\":")
                .append(node)
                .append(",\"tid\":")
                .append(thread);
    }

    private void end() {
        events++;
        line.append('}');
        if (failure == null) {
            try {
                out.append(line);
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    private void time(String key, long ps) {
        line.append(",\"").append(key).append("\":").append(ps / PS_PER_US).append('.');
        String fraction = Long.toString(ps % PS_PER_US);
        line.append("0".repeat(FRACTION_DIGITS - fraction.length())).append(fraction);
    }

    private void text(String key, String value) {
        line.append(",\"").append(key).append("\":").append(Json.COMPACT.writeValueAsString(value));
    }

    /** Names a process. */
    public void nodeName(int node, String name) {
        name(node, 0, "process_name", name);
    }

    /** Names a thread. */
    public void threadName(int node, int thread, String name) {
        name(node, thread, "thread_name", name);
    }

    private void name(int node, int thread, String what, String name) {
        begin("M", node, thread);
        text("name", what);
        line.append(",\"args\":{");
        line.append("\"name\":").append(Json.COMPACT.writeValueAsString(name)).append('}');
        end();
    }

    /** An interval on a line of its own. */
    public void interval(
            int node, int thread, String category, String name, long startPs, long lengthPs) {
        begin("X", node, thread);
        text("cat", category);
        text("name", name);
        time("ts", startPs);
        time("dur", lengthPs);
        end();
    }

    /** An interval of a frame on a link. */
    public void frame(
            int node,
            int thread,
            String name,
            long startPs,
            long lengthPs,
            int bytes,
            boolean isLost) {
        begin("X", node, thread);
        text("cat", "link");
        text("name", name);
        time("ts", startPs);
        time("dur", lengthPs);
        line.append(",\"args\":{\"bytes\":").append(bytes);
        line.append(isLost ? ",\"lost\":true}" : "}");
        end();
    }

    /** An interval that may overlap others of its name. */
    public void overlapping(
            int node, String category, String name, long number, long startPs, long endPs) {
        for (String phase : new String[] {"b", "e"}) {
            begin(phase, node, 0);
            text("cat", category);
            text("name", name);
            line.append(",\"id\":").append(number);
            time("ts", phase.equals("b") ? startPs : endPs);
            end();
        }
    }

    /**
     * A point of an arrow through intervals: {@code s} its start, {@code t} next, {@code f} last.
     */
    public void arrow(String phase, int node, int thread, long number, long ps) {
        begin(phase, node, thread);
        text("cat", "way");
        text("name", "way");
        line.append(",\"id\":").append(number);
        if (phase.equals("f")) {
            text("bp", "e");
        }
        time("ts", ps);
        end();
    }

    /**
     * Closes the file.
     *
     * @throws IOException in a sentence, if not all of it was written
     */
    @Override
    public void close() throws IOException {
        try (out) {
            out.write("\n]}\n");
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw refused(file, failure);
        }
    }
}
