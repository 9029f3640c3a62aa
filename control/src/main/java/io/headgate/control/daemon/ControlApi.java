package io.headgate.control.daemon;

import io.headgate.config.ConfigException;
import io.headgate.config.PortConfig;
import io.headgate.config.Reason;
import io.headgate.config.key.Text;
import io.headgate.config.read.SwitchChange;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.pauses.PauseView;
import io.headgate.control.policy.LoadedPolicy;
import io.headgate.control.report.BuildInfo;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.Json;
import io.headgate.control.run.CaptureRequest;
import io.headgate.control.run.CaptureRequest.Point;
import io.headgate.control.run.RunningCapture;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.show.ShowTables;
import io.headgate.control.show.SwitchAnswer;
import io.headgate.control.trace.DutyTraceFile;
import io.headgate.control.trace.TraceEventWriter;
import io.headgate.dataplane.runner.DutyTrace;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Carries out the requests of clients to a switch. A request is one line {@code {"id": 1, "do":
 * "fdb"}}; its answer is one line with the same id and either {@code result} or {@code error}, one
 * sentence. Called by one thread only.
 */
final class ControlApi {
    static final int VERSION = 1;
    static final int MAX_REQUEST_BYTES = 65_536;
    static final int MAX_CLIENTS = 32;
    private static final int LONGEST_PATH = 4096;

    private final Map<String, Request> requests = new LinkedHashMap<>();
    private final RunningSwitch running;
    private volatile @Nullable Path source;

    /** A request that a client may make; returns the value that is written as JSON. */
    @FunctionalInterface
    private interface Request {
        Object carryOut(Client client, JsonNode request)
                throws RefusedException, CaptureException, DaemonException;
    }

    ControlApi(RunningSwitch running, CountDownLatch stopAsked) {
        this.running = running;
        requests.put("ports", (_, _) -> ports());
        requests.put("policies", (_, _) -> LoadedPolicy.of(running.config()));
        requests.put("set", (_, request) -> set(request));
        requests.put("reload", (_, _) -> reload());
        requests.put("workers", (_, _) -> running.describeWorkers());
        requests.put("margins", (_, _) -> FlowControlSection.margins(running, running.counters()));
        requests.put("pauses", (_, _) -> pauses());
        requests.put("peers", (_, _) -> running.peers());
        requests.put("capture.start", this::startCapture);
        requests.put(
                "capture.status",
                (client, request) -> Answers.Capture.of(capture(client, request)));
        requests.put("capture.stop", ControlApi::stopCapture);
        requests.put("trace.start", this::startTrace);
        requests.put("trace.stop", (client, _) -> stopTrace(client));
        requests.put("clear", (_, _) -> clear());
        requests.put("stop", (client, _) -> stop(client, stopAsked));
        for (SwitchAnswer each : ShowTables.answers()) {
            if (requests.put(each.name(), (_, _) -> answer(each)) != null) {
                throw new IllegalStateException(
                        "%s, table \"%s\": a request of the control API has this name already"
                                .formatted(each.getClass().getName(), each.name()));
            }
        }
    }

    /** Sets the file from which the configuration came and may be read again. */
    void source(Path file) {
        source = file;
    }

    /** The work of one client, which ends with the connection. */
    static final class Client implements AutoCloseable {
        private final Int2ObjectHashMap<RunningCapture> captures = new Int2ObjectHashMap<>();
        private int lastCapture;
        private @Nullable DutyTrace trace;
        private Path traceFile = Path.of("");
        private Runnable onAnswered = () -> {};

        /** Whether a capture or trace of the client runs. */
        boolean isAtWork() {
            return !captures.isEmpty() || trace != null;
        }

        /** The action to run once the client has its answer. */
        Runnable onAnswered() {
            return onAnswered;
        }

        @Override
        public void close() {
            for (RunningCapture capture : captures.values()) {
                try {
                    capture.close();
                } catch (IllegalStateException hanging) {
                    // A worker keeps a tap for now; the other captures end nevertheless.
                }
            }
            captures.clear();
            if (trace != null) {
                trace.close();
            }
        }
    }

    /** Reports a request that cannot be carried out. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String sentence) {
            super(sentence);
        }
    }

    /** The first line on every connection. */
    String greeting() {
        Map<String, Object> greeting = new LinkedHashMap<>();
        greeting.put("headgate", BuildInfo.read().version());
        greeting.put("api", VERSION);
        greeting.put("switch", running.config().name());
        greeting.put("pid", ProcessHandle.current().pid());
        greeting.put("maxRequestBytes", MAX_REQUEST_BYTES);
        greeting.put("maxClients", MAX_CLIENTS);
        return Json.COMPACT.writeValueAsString(greeting);
    }

    /** Answers a line that is not a valid request. */
    static String refusal(String sentence) {
        return Json.COMPACT.writeValueAsString(Map.of("error", sentence));
    }

    /** Carries out a request. Never throws because of a client's input. */
    String answer(Client client, String line) {
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            JsonNode request = Json.COMPACT.readTree(line);
            JsonNode id = request.get("id");
            if (id != null) {
                answer.put("id", id);
            }
            answer.put("result", carryOut(client, request));
        } catch (JacksonException notJson) {
            answer.put("error", "a request is one line of JSON, such as {\"do\": \"fdb\"}");
        } catch (ConfigException e) {
            answer.put("error", e.getMessage());
            answer.put("problems", e.problems());
        } catch (RefusedException | CaptureException | DaemonException refused) {
            answer.put("error", refused.getMessage());
        } catch (IllegalStateException e) {
            answer.put("error", "the switch could not do it: " + e.getMessage());
        }
        return Json.COMPACT.writeValueAsString(answer);
    }

    private Object carryOut(Client client, JsonNode request)
            throws RefusedException, CaptureException, DaemonException {
        String what = text(request, "do", "");
        Request known = requests.get(what);
        if (known == null) {
            throw new RefusedException(
                    "there is no request '%s'; allowed are %s"
                            .formatted(shorten(what), String.join(", ", requests.keySet())));
        }
        return known.carryOut(client, request);
    }

    private PauseView pauses() {
        RealTimeSwitch realTime = running.realTime();
        return PauseView.of(realTime.engine(), realTime.nowNs(), running.peers());
    }

    private String clear() {
        running.clearWatermarks();
        return "cleared";
    }

    private static String stop(Client client, CountDownLatch stopAsked) {
        client.onAnswered = stopAsked::countDown;
        return "stopping";
    }

    /** Makes a table, which may come from a jar: an exception from it ends only this request. */
    private JsonNode answer(SwitchAnswer table) throws DaemonException {
        try {
            return Json.COMPACT.valueToTree(table.answer(running));
        } catch (RuntimeException e) {
            throw new IllegalStateException("table %s failed: %s".formatted(table.name(), e), e);
        }
    }

    /** The answer lists the errors line by line, each a sentence. */
    private List<Answers.Change> set(JsonNode request) throws RefusedException {
        List<String> assignments = texts(request, "assignments");
        String yaml = text(request, "yaml", "");
        if (assignments.isEmpty() == yaml.isEmpty()) {
            throw new RefusedException(
                    "'set' needs either 'assignments', a list of texts such as \"p1.rate=1Gbps\","
                            + " or 'yaml', a text such as \"p1: {rate: 1Gbps}\"");
        }
        List<SwitchChange> changes =
                yaml.isEmpty()
                        ? running.set(assignments)
                        : running.set(
                                yaml, Text.shorten(text(request, "name", "patch"), LONGEST_PATH));
        return described(changes);
    }

    private List<Answers.Change> reload() throws RefusedException {
        Path file = source;
        if (file == null) {
            throw new RefusedException(
                    "switch "
                            + running.config().name()
                            + " was not started from a file; use 'headgate set' to change it");
        }
        return described(running.reload(file));
    }

    private List<Answers.Change> described(List<SwitchChange> changes) {
        running.changedFromOutside(changes);
        return changes.stream().map(Answers.Change::of).toList();
    }

    private static String shorten(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    private List<Answers.Port> ports() {
        List<PortConfig> configs = running.config().ports();
        Map<String, String> peers = running.peers();
        return running.ports().stream()
                .map(port ->
                        Answers.Port.of(
                                port,
                                configs.get(port.number()),
                                peers.getOrDefault(port.name(), "")))
                .toList();
    }

    private Object startCapture(Client client, JsonNode request)
            throws RefusedException, CaptureException {
        Path file = file(request);
        CaptureRequest capture =
                new CaptureRequest(
                        texts(request, "ports"),
                        points(request),
                        text(request, "filter", ""),
                        (int) number(request, "snapBytes", CaptureRequest.WHOLE_FRAMES),
                        number(request, "limitFrames", 0));
        RunningCapture started = running.startCapture(capture, file);
        int number = ++client.lastCapture;
        client.captures.put(number, started);
        return Map.of("capture", number);
    }

    private static Path file(JsonNode request) throws RefusedException {
        Path file;
        try {
            file = Path.of(text(request, "file", ""));
        } catch (InvalidPathException e) {
            throw new RefusedException("'file' is not a path: " + e.getReason());
        }
        if (!file.isAbsolute()) {
            throw new RefusedException("'file' must be an absolute path, and is '" + file + "'");
        }
        return file;
    }

    private Object startTrace(Client client, JsonNode request) throws RefusedException {
        Path file = file(request);
        try {
            TraceEventWriter.requireReplaceable(file);
        } catch (IOException e) {
            throw new RefusedException(Reason.of(e));
        }
        client.trace = running.realTime().trace(DutyTraceFile.MOST_INTERVALS);
        client.traceFile = file;
        return "tracing";
    }

    private DutyTraceFile.Summary stopTrace(Client client) throws RefusedException {
        DutyTrace trace = client.trace;
        if (trace == null) {
            throw new RefusedException("no trace is running on this connection");
        }
        client.trace = null;
        trace.close();
        try (DutyTraceFile file = new DutyTraceFile(client.traceFile, trace.beganNs())) {
            file.add(running.config().name(), trace);
            return file.summary();
        } catch (IOException e) {
            throw new RefusedException(Reason.of(e));
        }
    }

    private static Set<Point> points(JsonNode request) throws RefusedException {
        Set<Point> points = EnumSet.noneOf(Point.class);
        for (String word : texts(request, "directions")) {
            points.add(
                    switch (word.toLowerCase(Locale.ROOT)) {
                        case "in" -> Point.IN;
                        case "out" -> Point.OUT;
                        case "drops" -> Point.DROPS;
                        default ->
                                throw new RefusedException(
                                        "direction '"
                                                + shorten(word)
                                                + "' is not in, out or drops");
                    });
        }
        return points;
    }

    private static RunningCapture capture(Client client, JsonNode request) throws RefusedException {
        RunningCapture capture = client.captures.get((int) number(request, "capture", -1));
        if (capture == null) {
            throw new RefusedException("no such capture is running on this connection");
        }
        return capture;
    }

    private static Answers.Capture stopCapture(Client client, JsonNode request)
            throws RefusedException {
        RunningCapture capture = capture(client, request);
        capture.close();
        client.captures.remove((int) number(request, "capture", -1));
        return Answers.Capture.of(capture);
    }

    private static String text(JsonNode request, String key, String absent)
            throws RefusedException {
        JsonNode value = request.get(key);
        if (value == null || value.isNull()) {
            return absent;
        }
        if (!value.isString()) {
            throw new RefusedException("'" + key + "' must be a text");
        }
        return value.stringValue();
    }

    private static long number(JsonNode request, String key, long absent) throws RefusedException {
        JsonNode value = request.get(key);
        if (value == null || value.isNull()) {
            return absent;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0) {
            throw new RefusedException("'" + key + "' must be a whole number from 0 to 2147483647");
        }
        return value.longValue();
    }

    private static List<String> texts(JsonNode request, String key) throws RefusedException {
        List<String> texts = new ArrayList<>();
        JsonNode value = request.get(key);
        if (value == null || value.isNull()) {
            return texts;
        }
        if (!value.isArray()) {
            throw new RefusedException("'" + key + "' must be a list of texts");
        }
        for (JsonNode element : value) {
            if (!element.isString()) {
                throw new RefusedException("'" + key + "' must be a list of texts");
            }
            texts.add(element.stringValue());
        }
        return texts;
    }
}
