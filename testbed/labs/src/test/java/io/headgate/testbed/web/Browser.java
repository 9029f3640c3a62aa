package io.headgate.testbed.web;

import io.headgate.control.report.Json;
import io.headgate.control.web.WebServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A page in Debian's chromium, driven by the Chrome DevTools protocol over the JDK's own WebSocket:
 * a test of the page evaluates, presses keys and looks, for which Selenium or Playwright would
 * bring a driver process and many megabytes.
 */
final class Browser implements AutoCloseable {
    /** On a busy machine a browser may get no core for a minute: labs' workers go before it. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final long POLL_NS = 10_000_000;
    private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");

    private final Path profile;
    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private @Nullable String session;

    private Browser(Path profile, Process process) {
        this.profile = profile;
        this.process = process;
    }

    /** Starts it; it resolves no name, so that nothing can come from elsewhere. */
    static Browser start() throws Exception {
        Path profile = Files.createTempDirectory("headgate-browser");
        Process process;
        try {
            process = process(profile);
        } catch (IOException e) {
            Files.delete(profile);
            throw new IllegalStateException(
                    "chromium cannot be started, which tests of the page need: apt-get install"
                            + " chromium",
                    e);
        }
        Browser browser = new Browser(profile, process);
        try {
            browser.connect();
        } catch (Exception | Error e) {
            browser.close();
            throw e;
        }
        return browser;
    }

    private static Process process(Path profile) throws IOException {
        return new ProcessBuilder(
                        "chromium",
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--force-prefers-reduced-motion",
                        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void connect() throws Exception {
        socket =
                client.newWebSocketBuilder()
                        .buildAsync(address(process), new Listener())
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        String target =
                call("Target.createTarget", Map.of("url", "about:blank"))
                        .get("targetId")
                        .asString();
        session =
                call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                        .get("sessionId")
                        .asString();
        call("Inspector.enable", Map.of());
        call("Page.enable", Map.of());
        call("Network.enable", Map.of());
        call("Runtime.enable", Map.of());
        call("Log.enable", Map.of());
    }

    private static URI address(Process process) throws IOException {
        BufferedReader errors = process.errorReader();
        StringBuilder all = new StringBuilder();
        for (String line = errors.readLine(); line != null; line = errors.readLine()) {
            all.append(line).append('\n');
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.find()) {
                Thread.ofVirtual().start(() -> errors.lines().forEach(_ -> {}));
                return URI.create(matcher.group(1));
            }
        }
        throw new IOException("chromium did not start: " + all);
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                take(Json.COMPACT.readTree(text.toString()));
                text.setLength(0);
            }
            webSocket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
            end(new IOException("chromium has ended the connection: " + code + " " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket webSocket, Throwable error) {
            end(error);
        }
    }

    /** What cannot be answered any more is not waited for. */
    private void end(Throwable why) {
        answers.values().forEach(answer -> answer.completeExceptionally(why));
    }

    private void take(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> answer = answers.remove(message.get("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        JsonNode of = message.get("params");
        switch (message.get("method").asString()) {
            case "Network.requestWillBeSent" ->
                    requests.add(of.get("request").get("url").asString());
            case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(of.toString());
            case "Inspector.targetCrashed" ->
                    end(new IllegalStateException("the page's process has crashed"));
            default -> {}
        }
    }

    private JsonNode call(String method, Map<String, ?> parameters)
            throws InterruptedException, ExecutionException, TimeoutException {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        String own = session;
        String message =
                Json.COMPACT.writeValueAsString(
                        own == null
                                ? Map.of("id", id, "method", method, "params", parameters)
                                : Map.of(
                                        "id", id,
                                        "method", method,
                                        "params", parameters,
                                        "sessionId", own));
        Objects.requireNonNull(socket)
                .sendText(message, true)
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        JsonNode result;
        try {
            result = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    "no answer within %s: %s %s".formatted(PATIENCE, method, parameters), e);
        }
        if (result.has("error")) {
            throw new IllegalStateException(method + ": " + result.get("error"));
        }
        return result.get("result");
    }

    /** Opens a page at a size of window; what the one before asked and said is forgotten. */
    void open(String url, int width, int height) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        requests.clear();
        complaints.clear();
        call("Page.navigate", Map.of("url", url));
        await("document.readyState == 'complete' && location.href == '" + url + "'");
    }

    /** The value of an expression; of a promise, what it comes to. */
    JsonNode evaluate(String expression) throws Exception {
        JsonNode result =
                call(
                        "Runtime.evaluate",
                        Map.of(
                                "expression", expression,
                                "returnByValue", true,
                                "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
        }
        JsonNode value = result.get("result").get("value");
        return value == null ? Json.COMPACT.nullNode() : value;
    }

    /** Waits until an expression is true. */
    void await(String expression) throws Exception {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (!evaluate("Boolean(" + expression + ")").asBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError(
                        "not within %s: %s; the page says: %s; %s"
                                .formatted(
                                        PATIENCE,
                                        expression,
                                        evaluate("document.body.innerText"),
                                        complaints));
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Presses a key, by its name. */
    void press(String key) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type", type,
                            "key", key,
                            "code", key,
                            "windowsVirtualKeyCode", key.equals("Tab") ? 9 : 0));
        }
    }

    /** Every address that the page has asked for. */
    List<String> requests() {
        return requests;
    }

    /** With what the addresses of a server's page begin. */
    static String origin(WebServer server) {
        return server.url().replaceFirst("#.*", "");
    }

    /** Exceptions of the page's script, and what the browser refused it. */
    List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() throws IOException {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
        client.shutdownNow();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
