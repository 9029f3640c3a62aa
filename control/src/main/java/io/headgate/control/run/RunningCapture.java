package io.headgate.control.run;

import io.headgate.control.capture.CaptureWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A capture under way. Any thread may ask and close it. */
public final class RunningCapture implements AutoCloseable {
    private final CaptureWriter writer;
    private final Consumer<RunningCapture> detachTaps;
    private boolean closed;

    RunningCapture(CaptureWriter writer, Consumer<RunningCapture> detachTaps) {
        this.writer = writer;
        this.detachTaps = detachTaps;
    }

    /** Why it ended early (a full disk, a closed pipe), in one sentence; null while all is well. */
    public @Nullable String problem() {
        return writer.problem();
    }

    /** Whether nothing more will be written: it failed, or has all the frames it was to take. */
    public boolean isOver() {
        return writer.isOver();
    }

    /** What it did; exact once it is closed. */
    public CaptureWriter.Summary summary() {
        return writer.summary();
    }

    /** Ends it: takes the taps away, writes what they saw, closes the file. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            detachTaps.accept(this);
            writer.close();
        }
    }
}
