package io.headgate.control.web;

import io.headgate.control.web.StateLines.Counted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Records the counters of ports at the moments that its caller chooses: first a whole line, then
 * changes. Used by one thread.
 */
public final class StateRecorder implements AutoCloseable {
    private final StateLines lines;
    private final RecordingFile file;
    private boolean isBegun;

    /**
     * Begins a recording; at its end it replaces an existing file.
     *
     * @throws IOException if the file cannot be written
     */
    public StateRecorder(Path file, String title, List<PortView> ports, List<Counted> counters)
            throws IOException {
        this.lines = new StateLines(title, false, ports, counters);
        this.file = new RecordingFile(file, false);
    }

    /**
     * Sets the queues that wait for one another, from the next moment on.
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
        file.write(isBegun ? change : lines.whole());
        isBegun = true;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
