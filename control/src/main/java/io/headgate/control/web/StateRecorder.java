package io.headgate.control.web;

import io.headgate.control.web.StateLines.Counted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Records what ports count at the moments that its caller names: first a whole line, then what
 * changed. One thread.
 */
public final class StateRecorder implements AutoCloseable {
    private final StateLines lines;
    private final RecordingFile file;
    private boolean isBegun;

    /**
     * Begins a recording; a file that is there is replaced at its end.
     *
     * @throws IOException if the file cannot be written
     */
    public StateRecorder(Path file, String title, List<PortView> ports, List<Counted> counters)
            throws IOException {
        this.lines = new StateLines(title, false, ports, counters);
        this.file = new RecordingFile(file, false);
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
        file.write(isBegun ? change : lines.whole());
        isBegun = true;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
