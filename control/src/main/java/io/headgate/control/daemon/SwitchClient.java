package io.headgate.control.daemon;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.Reason;
import io.headgate.control.report.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A connection to a running switch. Used by one thread. */
public final class SwitchClient implements AutoCloseable {
    private final String name;
    private final SocketChannel channel;
    private final BufferedReader lines;
    private int lastId;

    private SwitchClient(String name, SocketChannel channel) {
        this.name = name;
        this.channel = channel;
        this.lines =
                new BufferedReader(
                        new InputStreamReader(
                                Channels.newInputStream(channel), StandardCharsets.UTF_8));
    }

    /**
     * A running switch.
     *
     * @param mayAsk whether this user may send it requests; anybody may read its counters
     */
    public record Running(Path base, String name, boolean mayAsk) {
        public SwitchClient connect() throws DaemonException {
            if (!mayAsk) {
                throw new DaemonException(
                        ("switch %s belongs to another user, and only that user can access its"
                                        + " control socket; run this command as that user or as"
                                        + " root")
                                .formatted(name));
            }
            return SwitchClient.connect(base, name);
        }

        public JsonNode ask(String what, Map<String, ?> arguments) throws DaemonException {
            try (SwitchClient client = connect()) {
                return client.ask(what, arguments);
            }
        }
    }

    /** The switches that run, by {@link RunDirectory#bases}, sorted by name. */
    public static List<Running> running(List<Path> bases) {
        List<Running> running = new ArrayList<>();
        for (Path base : bases) {
            for (String name : RunDirectory.names(base)) {
                if (answers(base, name)) {
                    running.add(new Running(base, name, true));
                } else if (isForeign(base, name)) {
                    running.add(new Running(base, name, false));
                }
            }
        }
        running.sort(Comparator.comparing(Running::name));
        return running;
    }

    private static boolean answers(Path base, String name) {
        try (SocketChannel channel = SocketChannel.open(address(base, name))) {
            return channel.isConnected();
        } catch (IOException dead) {
            return false;
        }
    }

    /** Whether a process runs the switch, with a socket that this user may not use. */
    private static boolean isForeign(Path base, String name) {
        Path socket = RunDirectory.socket(base, name);
        Long pid = RunDirectory.pid(base, name);
        return Files.exists(socket)
                && !Files.isWritable(socket)
                && pid != null
                && ProcessHandle.of(pid).isPresent();
    }

    /**
     * Selects a switch.
     *
     * @param wanted its name; null: the only one that runs, or this user's only one
     * @throws DaemonException if it does not run, or there is a choice
     */
    public static Running choose(List<Path> bases, @Nullable String wanted) throws DaemonException {
        List<Running> running = running(bases);
        if (wanted != null) {
            for (Running one : running) {
                if (one.name.equals(wanted)) {
                    return one;
                }
            }
            throw new DaemonException(
                    "no switch named "
                            + wanted
                            + " runs"
                            + (running.isEmpty() ? "" : "; running: " + join(running)));
        }
        List<Running> own = running.stream().filter(Running::mayAsk).toList();
        List<Running> candidates = own.isEmpty() ? running : own;
        if (candidates.isEmpty()) {
            throw new DaemonException(
                    "no switch runs; start one with 'headgate switch run -c FILE'");
        }
        if (candidates.size() > 1) {
            throw new DaemonException(
                    "several switches run ("
                            + join(candidates)
                            + "); choose one with --switch NAME");
        }
        return candidates.getFirst();
    }

    private static String join(List<Running> running) {
        return running.stream().map(Running::name).collect(Collectors.joining(", "));
    }

    private static UnixDomainSocketAddress address(Path base, String name) {
        return UnixDomainSocketAddress.of(RunDirectory.socket(base, name));
    }

    /**
     * Connects to a switch.
     *
     * @throws DaemonException if it cannot be reached
     */
    public static SwitchClient connect(Path base, String name) throws DaemonException {
        try {
            SwitchClient client = new SwitchClient(name, SocketChannel.open(address(base, name)));
            JsonNode greeting = Json.COMPACT.readTree(client.readLine());
            if (greeting.has("error")) {
                client.close();
                throw new DaemonException(
                        "switch " + name + ": " + greeting.get("error").asString());
            }
            return client;
        } catch (IOException e) {
            throw new DaemonException("switch " + name + " cannot be reached: " + Reason.of(e), e);
        }
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @throws DaemonException if the switch refuses, with its sentence, or has ended
     * @throws ConfigException if it refuses a configuration, with all problems
     */
    public JsonNode ask(String what, Map<String, ?> arguments) throws DaemonException {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("id", ++lastId);
        request.put("do", what);
        request.putAll(arguments);
        try {
            ByteBuffer bytes =
                    ByteBuffer.wrap(
                            (Json.COMPACT.writeValueAsString(request) + "\n")
                                    .getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            JsonNode answer = Json.COMPACT.readTree(readLine());
            if (answer.has("problems")) {
                throw new ConfigException(Json.list(answer.get("problems"), ConfigProblem[].class));
            }
            if (answer.has("error")) {
                throw new DaemonException(answer.get("error").asString());
            }
            return answer.get("result");
        } catch (IOException e) {
            throw new DaemonException("switch " + name + " has gone: " + Reason.of(e), e);
        }
    }

    private String readLine() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("it closed the connection");
        }
        return line;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is lost: answers are read before a request returns.
            return;
        }
    }
}
