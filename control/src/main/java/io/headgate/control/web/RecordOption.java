package io.headgate.control.web;

import io.headgate.control.daemon.DaemonException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --record} of commands that run switches on real frames. */
public final class RecordOption {
    @Option(
            names = "--record",
            paramLabel = "FILE",
            description =
                    "Records the counters of the switches' ports, 50 times a second, for 'headgate"
                            + " web --play FILE'.")
    private @Nullable Path file;

    private @Nullable LiveRecorder recorder;

    /**
     * The file to write; null: the option is not given.
     *
     * @throws DaemonException in a sentence, if there is a file of another kind
     */
    public @Nullable Path file() throws DaemonException {
        Path path = file;
        if (path != null) {
            RecordingFile.requireReplaceable(path);
        }
        return path;
    }

    /**
     * Starts recording if the option is given.
     *
     * @throws DaemonException if it cannot be written
     */
    public void start(Supplier<WebSource> source) throws DaemonException {
        Path path = file;
        if (path != null) {
            recorder = LiveRecorder.start(path, source.get());
        }
    }

    /**
     * Ends the recording; returns where it is and how to see it, or why there is none; empty if
     * none runs.
     */
    public String end() {
        LiveRecorder running = recorder;
        recorder = null;
        return running == null ? "" : running.end();
    }
}
