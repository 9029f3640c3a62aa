package io.headgate.control.web;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --web} of commands that run something. */
public final class WebOption {
    /** Reads a TCP port; 0: any that is free. */
    public static final class Port implements ITypeConverter<Integer> {
        private static final int LARGEST = 65_535;

        @Override
        public Integer convert(String text) {
            if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > LARGEST) {
                throw new TypeConversionException(
                        "'" + text + "' is not a port; allowed are 0 (any free port) to 65535");
            }
            return Integer.valueOf(text);
        }
    }

    @Option(
            names = "--web",
            arity = "0..1",
            fallbackValue = "0",
            paramLabel = "PORT",
            converter = Port.class,
            description =
                    "Serves a live page for browsers of this machine and prints its address: on any"
                            + " free port, or --web=8080.")
    private @Nullable Integer port;

    /** Starts serving if the option is given; returns the action that ends it. */
    public Runnable start(Supplier<WebSource> source, String what, Consumer<String> log)
            throws DaemonException {
        Integer chosen = port;
        return chosen == null ? () -> {} : serve(chosen, source.get(), what, log)::close;
    }

    /** Whether the option is given. */
    public boolean isGiven() {
        return port != null;
    }

    /** Serves a recording that is being written, or soon will be, at the port that was given. */
    public WebServer play(Path recording, Consumer<String> log) throws DaemonException {
        return play(port == null ? 0 : port, List.of(RecordingFile.unfinished(recording)), log);
    }

    public static WebServer play(int port, List<Path> recordings, Consumer<String> log)
            throws DaemonException {
        try {
            WebServer server = WebServer.play(port, recordings);
            log.accept("Recording: played at " + server.url());
            return server;
        } catch (IOException e) {
            throw refused(port, e);
        }
    }

    private static DaemonException refused(int port, IOException e) {
        return new DaemonException(
                "cannot serve the page at port %s of this machine: %s"
                        .formatted(port, Reason.of(e)),
                e);
    }

    public static WebServer serve(int port, WebSource source, String what, Consumer<String> log)
            throws DaemonException {
        try {
            WebServer server = WebServer.start(port, source);
            log.accept(what + ": live page at " + server.url());
            return server;
        } catch (IOException e) {
            throw refused(port, e);
        }
    }
}
