package io.headgate.control.cli;

import io.headgate.control.capture.CaptureFilter;
import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.SignalWait;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.Json;
import io.headgate.control.run.CaptureRequest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * {@code headgate capture}: makes a running switch capture frames into a file. The switch itself
 * writes the file, so frames never pass through the control socket.
 */
@Command(
        name = "capture",
        description = {
            "Shows the frames that pass ports of a running switch, one line per frame; with -w,"
                    + " writes them to a pcapng file.",
            "Example: headgate capture p1 p2 udp port 5201 or pfc"
        },
        footer = {
            "",
            "Filters as in tcpdump: [src|dst] host ADDRESS, net ADDRESS/LENGTH, port NUMBER,",
            "portrange FIRST-LAST, ether host MAC, ip, ip6, arp, udp, tcp, icmp,",
            "vlan [NUMBER], less BYTES, greater BYTES; also pause and pfc. They are joined",
            "by and, or, not, and parentheses.",
            "Live in Wireshark: headgate capture all -w - | wireshark -k -i -"
        })
public final class CaptureCommand extends HeadgateCommand implements Callable<Integer> {
    private static final long POLL_MS = 200;
    private static final long QUIET_NS = 2_000_000_000L;
    private static final long STOP_TIMEOUT_SECONDS = 20;

    /** Where frames are seen. */
    enum Direction {
        IN,
        OUT,
        DROPS
    }

    @Parameters(
            arity = "0..*",
            paramLabel = "[PORT…] [FILTER]",
            description = "Names of ports, or all (the default); then the words of a filter.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "-w",
            paramLabel = "FILE",
            description =
                    "Writes pcapng to this file instead of showing lines; - for standard output.")
    private @Nullable String file;

    @Option(
            names = "--direction",
            split = ",",
            paramLabel = "WHERE",
            description =
                    "Only frames seen at these points: ${COMPLETION-CANDIDATES}; several with"
                            + " commas.")
    private List<Direction> directions = List.of();

    @Option(names = "--filter", paramLabel = "EXPR", description = "Only frames that match.")
    private String filter = "";

    @Option(
            names = {"-s", "--snap-length"},
            paramLabel = "BYTES",
            description = "Maximum number of bytes kept per frame (default: all).")
    private int snapBytes = CaptureRequest.WHOLE_FRAMES;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "FRAMES",
            description = "Ends after N frames.")
    private @Nullable Integer count;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Ends after this long.")
    private @Nullable Duration duration;

    @Option(
            names = "--json",
            description =
                    "With -w FILE: prints a summary of the capture at its end, as one line of"
                            + " JSON.")
    private boolean json;

    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Override
    public Integer call() throws DaemonException, CommandFailure, InterruptedException {
        PrintWriter err = err();
        String to = file;
        Integer limit = count;
        if (limit != null && limit < 1) {
            throw CommandFailure.badInput(
                    "--count " + limit + " is not a number of frames; 1 or more");
        }
        if (json && (to == null || to.equals("-"))) {
            throw CommandFailure.badInput(
                    "--json needs -w FILE; for the frames as JSON, use 'tshark -T json -r FILE'");
        }
        try (SignalWait signal = new SignalWait(STOP_TIMEOUT_SECONDS);
                SwitchClient client = choice.connect();
                PrintedCapture printed = to == null ? PrintedCapture.to(out()) : null) {
            JsonNode started =
                    client.ask(
                            "capture.start",
                            Map.of(
                                    "file",
                                    printed == null ? target(String.valueOf(to)) : printed.path(),
                                    "ports",
                                    ports(),
                                    "directions",
                                    directions.stream()
                                            .map(d -> d.name().toLowerCase(Locale.ROOT))
                                            .toList(),
                                    "filter",
                                    filter(),
                                    "snapBytes",
                                    snapBytes,
                                    "limitFrames",
                                    limit == null ? 0 : limit));
            Map<String, Integer> which = Map.of("capture", started.get("capture").asInt());
            awaitOver(client, which, signal, printed == null ? err : null);
            return report(capture(client.ask("capture.stop", which)), err);
        }
    }

    /** The words before those of a filter. */
    private List<String> ports() {
        List<String> ports = words.subList(0, portWords());
        return ports.contains("all") ? List.of() : ports;
    }

    private int portWords() {
        int count = 0;
        while (count < words.size() && !CaptureFilter.isWord(words.get(count))) {
            count++;
        }
        return count;
    }

    private String filter() {
        String behind = String.join(" ", words.subList(portWords(), words.size()));
        return behind.isEmpty() || filter.isEmpty()
                ? behind + filter
                : "(" + filter + ") and (" + behind + ")";
    }

    private String target(String file) throws CommandFailure {
        if (!file.equals("-")) {
            return Path.of(file).toAbsolutePath().normalize().toString();
        }
        if (StandardOutput.isTerminal()) {
            throw CommandFailure.badInput(
                    "-w - writes binary data to standard output, which is a terminal; pipe it, e.g."
                            + " into 'wireshark -k -i -'");
        }
        return StandardOutput.path();
    }

    private void awaitOver(
            SwitchClient client, Map<String, ?> which, SignalWait signal, @Nullable PrintWriter err)
            throws DaemonException, InterruptedException {
        long startNs = System.nanoTime();
        Duration length = duration;
        long saidNs = startNs;
        while (true) {
            long elapsedNs = System.nanoTime() - startNs;
            long leftMs =
                    length == null
                            ? Long.MAX_VALUE
                            : length.toMillis() - TimeUnit.NANOSECONDS.toMillis(elapsedNs);
            if (leftMs <= 0 || signal.await(Math.min(POLL_MS, leftMs))) {
                return;
            }
            Answers.Capture status = capture(client.ask("capture.status", which));
            if (status.over()) {
                return;
            }
            if (err != null
                    && StandardOutput.isTerminal(2)
                    && System.nanoTime() - saidNs > QUIET_NS) {
                saidNs = System.nanoTime();
                err.println("capturing: " + frames(status));
                err.flush();
            }
        }
    }

    private static Answers.Capture capture(JsonNode answer) {
        return Json.COMPACT.treeToValue(answer, Answers.Capture.class);
    }

    private static String frames(Answers.Capture of) {
        return of.writtenFrames() + (of.writtenFrames() == 1 ? " frame" : " frames");
    }

    private int report(Answers.Capture summary, PrintWriter err) {
        if (json) {
            print(Json.COMPACT.writeValueAsString(summary) + "\n");
        }
        StringBuilder text = new StringBuilder();
        text.append(frames(summary)).append(" captured");
        append(text, summary.filteredFrames(), "kept out by the filter");
        append(text, summary.leftOutFrames(), "missed because the writer could not keep up");
        err.println(text);
        String problem = summary.problem();
        if (!problem.isEmpty()) {
            err.println("headgate: " + problem);
        }
        err.flush();
        return problem.isEmpty() ? 0 : 1;
    }

    private static void append(StringBuilder text, long frames, String what) {
        if (frames != 0) {
            text.append(", ").append(frames).append(' ').append(what);
        }
    }
}
