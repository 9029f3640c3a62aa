package io.headgate.control.daemon;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A connection to a running switch. One thread's. */
public final class SwitchClient implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

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

    /** Names of the switches that run, by {@link RunDirectory#base}, sorted. */
    public static List<String> running(Path base) {
        List<String> running = new ArrayList<>();
        for (String name : RunDirectory.names(base)) {
            if (answers(base, name)) {
                running.add(name);
            }
        }
        return running;
    }

    private static boolean answers(Path base, String name) {
        try (SocketChannel channel = SocketChannel.open(address(base, name))) {
            return channel.isConnected();
        } catch (IOException dead) {
            return false;
        }
    }

    /**
     * Which switch is meant.
     *
     * @param wanted its name; null: the only one that runs
     * @throws DaemonException if it does not run, or there is a choice
     */
    public static String choose(Path base, @Nullable String wanted) throws DaemonException {
        List<String> running = running(base);
        if (wanted != null) {
            if (!running.contains(wanted)) {
                if (Files.exists(RunDirectory.socket(base, wanted))
                        && !Files.isWritable(RunDirectory.socket(base, wanted))) {
                    throw new DaemonException(
                            "switch "
                                    + wanted
                                    + " belongs to another user; run this as that user or as root");
                }
                throw new DaemonException(
                        "no switch named "
                                + wanted
                                + " runs"
                                + (running.isEmpty() ? "" : "; running: " + join(running)));
            }
            return wanted;
        }
        if (running.isEmpty()) {
            throw new DaemonException(
                    "no switch runs; start one with 'headgate switch run -c FILE'");
        }
        if (running.size() > 1) {
            throw new DaemonException(
                    "several switches run (" + join(running) + "); choose one with --switch NAME");
        }
        return running.getFirst();
    }

    private static String join(List<String> names) {
        return String.join(", ", names);
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
            JsonNode greeting = JSON.readTree(client.readLine());
            if (greeting.has("error")) {
                client.close();
                throw new DaemonException(
                        "switch " + name + ": " + greeting.get("error").asString());
            }
            return client;
        } catch (IOException e) {
            throw new DaemonException(
                    "switch " + name + " cannot be reached: " + e.getMessage(), e);
        }
    }

    /**
     * Asks for something and waits for the answer.
     *
     * @throws DaemonException if the switch refuses, with its sentence, or has gone
     */
    public JsonNode ask(String what, Map<String, ?> arguments) throws DaemonException {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("id", ++lastId);
        request.put("do", what);
        request.putAll(arguments);
        try {
            ByteBuffer bytes =
                    ByteBuffer.wrap(
                            (JSON.writeValueAsString(request) + "\n")
                                    .getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            JsonNode answer = JSON.readTree(readLine());
            if (answer.has("error")) {
                throw new DaemonException(answer.get("error").asString());
            }
            return answer.get("result");
        } catch (IOException e) {
            throw new DaemonException("switch " + name + " has gone: " + e.getMessage(), e);
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
