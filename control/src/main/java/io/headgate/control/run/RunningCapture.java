package io.headgate.control.run;

import io.headgate.control.capture.CaptureWriter;
import org.jspecify.annotations.Nullable;

/** A capture in progress. Any thread may query and close it. */
public final class RunningCapture implements AutoCloseable {
    private final RunningSwitch running;
    private final CaptureWriter writer;
    private final CaptureTaps taps;
    private boolean closed;

    RunningCapture(RunningSwitch running, CaptureWriter writer, CaptureTaps taps) {
        this.running = running;
        this.writer = writer;
        this.taps = taps;
    }

    /** Why it ended early (a full disk, a closed pipe), in one sentence; null if it did not. */
    public @Nullable String problem() {
        return writer.problem();
    }

    /** Whether nothing more will be written: it failed, or has reached its number of frames. */
    public boolean isOver() {
        return writer.isOver();
    }

    /** Its numbers of frames; exact once it is closed. */
    public CaptureWriter.Summary summary() {
        return writer.summary();
    }

    /**
     * Ends it: removes the taps, writes the remaining frames, closes the file, frees the memory.
     * Idempotent.
     *
     * @throws IllegalStateException if a port's worker hangs and keeps its tap; all else is done,
     *     and the memory is freed once it is known that the tap is not used any more
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            running.end(this, writer, taps);
        }
    }
}
