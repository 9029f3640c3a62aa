package io.headgate.control.web;

import io.headgate.control.daemon.DaemonException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --record} of commands that run switches on real frames. */
public final class RecordOption {
    @Option(
            names = "--record",
            paramLabel = "FILE",
            description =
                    "Records what the switches' ports count, 50 times a second, for 'headgate web"
                            + " --play FILE'.")
    private @Nullable Path file;

    private @Nullable LiveRecorder recorder;

    /**
     * Where to; null: it was not asked for.
     *
     * @throws DaemonException if something else is there, in a sentence
     */
    public @Nullable Path file() throws DaemonException {
        Path path = file;
        if (path != null) {
            RecordingFile.requireReplaceable(path);
        }
        return path;
    }

    /**
     * Starts it if it was asked for.
     *
     * @throws DaemonException if it cannot be written
     */
    public void start(Supplier<WebSource> source) throws DaemonException {
        Path path = file;
        if (path != null) {
            recorder = LiveRecorder.start(path, source.get());
        }
    }

    /** Ends it; answers where it is and how to see it, or why it is not; empty if none runs. */
    public String end() {
        LiveRecorder running = recorder;
        recorder = null;
        return running == null ? "" : running.end();
    }
}
