package io.headgate.control.web;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.ServerThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Records the data of the live page, several times as often. As for the page, counters are read
 * where {@code show} reads them, and no worker takes part. When the set of running switches
 * changes, the recording gets a whole line again; while none runs, it gets no lines.
 */
final class LiveRecorder {
    private static final long LINE_MS = 20;
    private static final long LOOK_MS = 1_000;

    /**
     * Interval of looking until a switch is found: the recorded run may end within a second of its
     * start.
     */
    private static final long FIRST_LOOKS_MS = 100;

    private static final long STOP_TIMEOUT_MS = 15_000;

    private final WebSource source;
    private final long stopTimeoutMs;
    private final Path path;
    private final RecordingFile file;
    private final ServerThreads threads = new ServerThreads("headgate-recording");
    private final ScheduledExecutorService writer =
            Executors.newSingleThreadScheduledExecutor(threads);
    private final ScheduledExecutorService asker =
            Executors.newSingleThreadScheduledExecutor(threads);

    // Used by the writer's thread, and by the one that closes once that has ended.
    private WebSource.@Nullable Lines last;
    private @Nullable IOException failure;

    // The asker's.
    private long lookedNs;

    private LiveRecorder(Path path, WebSource source, RecordingFile file, long stopTimeoutMs) {
        this.path = path;
        this.stopTimeoutMs = stopTimeoutMs;
        this.source = source;
        this.file = file;
        var _ =
                writer.scheduleAtFixedRate(
                        WebServer.guarded("the recording", this::line),
                        0,
                        LINE_MS,
                        TimeUnit.MILLISECONDS);
        var _ =
                asker.scheduleWithFixedDelay(
                        WebServer.guarded("the recording", this::look),
                        0,
                        FIRST_LOOKS_MS,
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Starts recording; the file gets its name at the end.
     *
     * @throws DaemonException if it cannot be written
     */
    static LiveRecorder start(Path path, WebSource source) throws DaemonException {
        return start(path, source, STOP_TIMEOUT_MS);
    }

    /** The same, with a time after which {@link #end} gives up. */
    static LiveRecorder start(Path path, WebSource source, long stopTimeoutMs)
            throws DaemonException {
        RecordingFile.begin(path);
        try {
            return new LiveRecorder(path, source, new RecordingFile(path, true), stopTimeoutMs);
        } catch (IOException e) {
            throw RecordingFile.refused(path, e);
        }
    }

    private void look() {
        if (source.lines().isEmpty() || System.nanoTime() - lookedNs >= LOOK_MS * 1_000_000) {
            lookedNs = System.nanoTime();
            source.look();
        }
    }

    private void line() {
        WebSource.Lines lines = source.lines();
        if (failure != null || lines.isEmpty()) {
            return;
        }
        boolean isNew = !lines.equals(last);
        last = lines;
        String next = lines.next();
        try {
            file.write(isNew ? lines.whole() : next);
        } catch (UncheckedIOException e) {
            failure = e.getCause();
        }
    }

    /** Ends the recording; returns where it is and how to see it, or why there is none. */
    String end() {
        asker.shutdownNow();
        // An interrupt would end the file's channel.
        writer.shutdown();
        boolean isOver = threads.awaitGone(stopTimeoutMs);
        try {
            if (!isOver) {
                // It may be in the middle of a line.
                throw new IOException(
                        "its threads did not end; the recording so far is in "
                                + RecordingFile.unfinished(path));
            }
            if (failure != null) {
                throw failure;
            }
            file.close();
            return RecordingFile.describe(path);
        } catch (IOException e) {
            return Reason.of(RecordingFile.refused(path, e));
        }
    }
}
