package io.headgate.control.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.daemon.DaemonException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WebServerTest {
    private static final int TIMEOUT_MS = 10_000;

    @TempDir private Path directory;

    private final AtomicInteger reads = new AtomicInteger();
    private final Source source = new Source();
    private WebServer server;
    private int port;
    private String token = "";

    /** Lines with numbers; each is long, so that what a viewer leaves unread soon fills sockets. */
    private final class Source implements WebSource {
        private volatile int padding;
        private final CountDownLatch isAnswering = new CountDownLatch(1);

        @Override
        public Lines lines() {
            return lines;
        }

        private final Lines lines =
                new Lines() {
                    @Override
                    public String next() {
                        return "{\"t\":%s,\"x\":\"%s\"}"
                                .formatted(reads.incrementAndGet(), "x".repeat(padding));
                    }

                    @Override
                    public String whole() {
                        return "{\"network\":1,\"t\":%s}".formatted(reads.get());
                    }

                    @Override
                    public boolean isEmpty() {
                        return false;
                    }
                };

        @Override
        public void look() {}

        @Override
        public String explain(String node, String port, int priority, boolean isPausing)
                throws DaemonException {
            if (node.equals("slow")) {
                try {
                    isAnswering.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            if (node.equals("broken")) {
                throw new IllegalStateException("no sense in it");
            }
            if (node.equals("s9")) {
                throw new DaemonException("no switch with this name runs here");
            }
            return "{\"says\":\"%s %s %s %s\"}".formatted(node, port, priority, isPausing);
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = WebServer.start(0, source);
        at(server);
    }

    @AfterEach
    void stop() {
        server.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("headgate-page"));
    }

    private void at(WebServer started) {
        URI url = URI.create(started.url());
        port = url.getPort();
        token = url.getFragment();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(8_192);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static void send(Socket socket, String line, String... headers) throws IOException {
        socket.getOutputStream()
                .write(
                        (line + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
    }

    /** The answer to one request, headers and body. */
    private String ask(String line, String... headers) throws IOException {
        try (Socket socket = connect()) {
            List<String> all = new ArrayList<>(List.of(headers));
            all.add("Connection: close");
            send(socket, line, all.toArray(String[]::new));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String host() {
        return "Host: 127.0.0.1:" + port;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/page.html",
                "/page.css",
                "/page.js",
                "/explain?at=s1:p1&priority=3",
                "/none"
            })
    void everyAnswerForbidsWhatDoesNotComeFromHere(String path) throws IOException {
        String answer = ask("GET " + path, host());
        assertThat(answer)
                .contains("content-security-policy: default-src 'none'; script-src 'self';")
                .contains("frame-ancestors 'none'")
                .contains("x-content-type-options: nosniff")
                .contains("cross-origin-resource-policy: same-origin")
                .contains("cache-control: no-store");
    }

    @ParameterizedTest
    @ValueSource(strings = {"page.html", "page.css", "page.js"})
    void thePageNamesNothingElsewhere(String file) throws IOException {
        try (InputStream in = WebServer.class.getResourceAsStream(file)) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .doesNotContain("https:", "//cdn", "@import", "eval(", "innerHTML")
                    .satisfies(text ->
                            assertThat(text.replace("http://www.w3.org/2000/svg", ""))
                                    .doesNotContain("http:"));
        }
    }

    @Test
    void anotherHostIsRefusedAsANameOfAnotherSiteMayLeadHere() throws IOException {
        assertThat(ask("GET /", host())).startsWith("HTTP/1.1 200").contains("<title>Headgate");
        assertThat(ask("GET /", "Host: localhost:" + port)).startsWith("HTTP/1.1 200");
        for (String other :
                List.of(
                        "evil.example:" + port,
                        "127.0.0.1",
                        "127.0.0.1:1",
                        "127.0.0.1.evil:" + port)) {
            assertThat(ask("GET /", "Host: " + other))
                    .as(other)
                    .startsWith("HTTP/1.1 403")
                    .contains("http://127.0.0.1:" + port + "/ ")
                    .doesNotContain(token);
        }
        assertThat(WebServer.hosts(80)).contains("127.0.0.1", "localhost", "127.0.0.1:80");
        assertThat(WebServer.hosts(8080)).doesNotContain("127.0.0.1").hasSize(3);
        assertThat(ask("GET /")).startsWith("HTTP/1.1 403");
        assertThat(ask("GET /", host(), "Host: evil.example")).doesNotStartWith("HTTP/1.1 200");
    }

    @Test
    void requestsOfOtherSitesAreRefusedButALinkToThePage() throws IOException {
        String own = "Origin: http://127.0.0.1:" + port;
        assertThat(ask("GET /page.js", host(), own)).startsWith("HTTP/1.1 200");
        for (String origin :
                List.of(
                        "http://evil.example",
                        "null",
                        "https://127.0.0.1:" + port,
                        "http://127.0.0.1:1")) {
            assertThat(ask("GET /page.js", host(), "Origin: " + origin))
                    .as(origin)
                    .startsWith("HTTP/1.1 403");
        }
        for (String site : List.of("cross-site", "same-site")) {
            String sent = "Sec-Fetch-Site: " + site;
            String link = "Sec-Fetch-Mode: navigate";
            assertThat(ask("GET /live?token=" + token, host(), sent)).startsWith("HTTP/1.1 403");
            assertThat(
                            ask(
                                    "GET /explain?token=" + token + "&at=s1:p1&priority=3",
                                    host(),
                                    sent,
                                    link))
                    .startsWith("HTTP/1.1 403");
            assertThat(ask("GET /", host(), sent)).startsWith("HTTP/1.1 403");
            assertThat(ask("GET /", host(), sent, link)).startsWith("HTTP/1.1 200");
        }
        assertThat(ask("GET /page.js", host(), "Sec-Fetch-Site: same-origin"))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD", "OPTIONS"})
    void nothingCanBeWritten(String method) throws IOException {
        assertThat(ask(method + " /explain?at=s1:p1&priority=3", host()))
                .startsWith("HTTP/1.1 405");
    }

    /** Others of this machine reach the port, but have not seen the address. */
    @Test
    void withoutTheWholeAddressOnlyThePageItselfIsSent() throws IOException {
        for (String path : List.of("live", "explain", "about", "recording/0")) {
            for (String wrong : List.of("", "?token=", "?token=" + "0".repeat(32))) {
                assertThat(ask("GET /" + path + wrong, host()))
                        .startsWith("HTTP/1.1 403")
                        .contains("the whole address is needed")
                        .contains("http://127.0.0.1:" + port + "/#...");
            }
        }
        assertThat(token).matches("[0-9a-f]{32}");
        try (WebServer other = WebServer.start(0, source)) {
            assertThat(other.url()).doesNotEndWith(token);
        }
    }

    @Test
    void questionsDoNotPileUpAndAFailureIsAnAnswer() throws Exception {
        String slow = "GET /explain?token=" + token + "&at=slow:p1&priority=3";
        List<Socket> asking = new ArrayList<>();
        try {
            int tooMany = 3;
            for (int i = 0; i < WebServer.MAX_QUESTIONS + tooMany; i++) {
                asking.add(connect());
                send(asking.getLast(), slow, host());
            }
            // None that waits is answered yet, whichever of them the server took first.
            List<Socket> refused = List.of();
            for (int i = 0; i < 1000 && refused.size() < tooMany; i++) {
                refused = new ArrayList<>();
                for (Socket one : asking) {
                    if (one.getInputStream().available() > 0) {
                        refused.add(one);
                    }
                }
                Thread.sleep(10);
            }
            assertThat(refused).hasSize(tooMany);
            for (Socket one : refused) {
                assertThat(readTo(one.getInputStream(), "4 requests already wait"))
                        .startsWith("HTTP/1.1 503");
            }
            asking.removeAll(refused);
            source.isAnswering.countDown();
            for (Socket one : asking) {
                assertThat(readTo(one.getInputStream(), "slow p1 3 false\"}"))
                        .startsWith("HTTP/1.1 200");
            }
            asking.addAll(refused);
        } finally {
            source.isAnswering.countDown();
            for (Socket one : asking) {
                one.close();
            }
        }
        for (int i = 0; i <= WebServer.MAX_QUESTIONS; i++) {
            assertThat(ask("GET /explain?token=" + token + "&at=broken:p1&priority=3", host()))
                    .startsWith("HTTP/1.1 500")
                    .contains("no sense in it");
        }
    }

    @Test
    void aPauseIsExplainedAndAMistakeIsASentence() throws IOException {
        assertThat(ask("GET /explain?token=" + token + "&at=s1:p1&priority=3", host()))
                .startsWith("HTTP/1.1 200")
                .contains("{\"says\":\"s1 p1 3 false\"}");
        assertThat(ask("GET /explain?token=" + token + "&at=s1:p1&priority=3&pausing=1", host()))
                .contains("{\"says\":\"s1 p1 3 true\"}");
        assertThat(ask("GET /explain?token=" + token + "&at=s9:p1&priority=3", host()))
                .startsWith("HTTP/1.1 404")
                .contains("no switch with this name runs here");
        for (String wrong : List.of("at=p1&priority=3", "at=s1:p1&priority=8", "at=s1:p1", "")) {
            assertThat(ask("GET /explain?token=" + token + "&" + wrong, host()))
                    .startsWith("HTTP/1.1 400")
                    .contains("at=SWITCH:PORT and priority=0 to 7");
        }
    }

    /** A connection that watches. */
    private final class Viewer implements AutoCloseable {
        private final Socket socket = connect();
        private final BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));

        Viewer() throws IOException {
            send(socket, "GET /live?token=" + token, host());
        }

        /** The next line of data. */
        String next() throws IOException {
            String line = lines.readLine();
            while (line != null && !line.startsWith("data: ")) {
                line = lines.readLine();
            }
            return line == null ? "" : line.substring(6);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static int number(String line) {
        return Integer.parseInt(line.replaceFirst(".*\"t\":(\\d+).*", "$1"));
    }

    @Test
    void theCountersAreReadOnceForAllViewersAndNotWithoutAny() throws Exception {
        server.sendLine();
        assertThat(reads).hasValue(0);
        List<Viewer> viewers = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                viewers.add(new Viewer());
            }
            List<List<Integer>> seen = new ArrayList<>();
            for (Viewer viewer : viewers) {
                List<Integer> numbers = new ArrayList<>();
                String first = viewer.next();
                assertThat(first).contains("network");
                numbers.add(number(first));
                for (int i = 0; i < 5; i++) {
                    numbers.add(number(viewer.next()));
                }
                seen.add(numbers);
            }
            // Were there a read for each viewer, one of them would not see the others' numbers.
            assertThat(seen)
                    .allSatisfy(numbers -> {
                        for (int i = 1; i < numbers.size(); i++) {
                            assertThat(numbers.get(i)).isEqualTo(numbers.get(i - 1) + 1);
                        }
                    });
        } finally {
            for (Viewer viewer : viewers) {
                viewer.close();
            }
        }
        long endNs = System.nanoTime() + TIMEOUT_MS * 1_000_000L;
        int before;
        do {
            assertThat(System.nanoTime() - endNs).isNegative();
            LockSupport.parkNanos(1_000_000);
            before = reads.get();
            server.sendLine();
        } while (reads.get() != before);
    }

    @Test
    void oneViewerTooManyIsRefused() throws Exception {
        List<Viewer> viewers = new ArrayList<>();
        try {
            for (int i = 0; i < WebServer.MAX_VIEWERS; i++) {
                viewers.add(new Viewer());
            }
            for (Viewer viewer : viewers) {
                assertThat(viewer.lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
            }
            assertThat(ask("GET /live?token=" + token, host()))
                    .startsWith("HTTP/1.1 503")
                    .contains("64 viewers watch already");
            assertThat(ask("GET /", host())).startsWith("HTTP/1.1 200");
            viewers.removeLast().close();
            String again = "503";
            while (again.contains("503")) {
                try (Viewer viewer = new Viewer()) {
                    again = viewer.lines.readLine();
                }
            }
            assertThat(again).contains("200");
        } finally {
            for (Viewer viewer : viewers) {
                viewer.close();
            }
        }
    }

    @Test
    void aViewerThatReadsNothingIsSkippedAndThenGetsAll() throws Exception {
        source.padding = 2_000_000;
        try (Viewer slow = new Viewer();
                Viewer fast = new Viewer()) {
            assertThat(slow.next()).contains("network");
            assertThat(fast.next()).contains("network");
            int last = 0;
            for (int i = 0; i < 8; i++) {
                last = number(fast.next());
            }
            source.padding = 0;
            int lines = 0;
            String line = slow.next();
            int before = number(line);
            while (!line.contains("network")) {
                lines++;
                before = number(line);
                line = slow.next();
            }
            // One of the eight, of which the socket holds a part.
            assertThat(lines).isEqualTo(1);
            assertThat(number(line)).isGreaterThan(before + 1).isGreaterThanOrEqualTo(last);
            assertThat(number(slow.next())).isEqualTo(number(line) + 1);
        }
    }

    @Test
    void aRecordingIsSentAsItGrowsAndNothingElseRuns() throws Exception {
        Path file = directory.resolve("a.states.gz");
        List<PortView> ports = List.of(new PortView("s1", "p1", "h1", 1, 1, List.of()));
        try (WebServer playing = WebServer.play(0, List.of(file))) {
            at(playing);
            assertThat(ask("GET /about?token=" + token, host()))
                    .contains("\"live\":false")
                    .contains("\"recordings\":[\"a.states.gz\"]");
            assertThat(ask("GET /live?token=" + token, host())).startsWith("HTTP/1.1 404");
            assertThat(ask("GET /explain?token=" + token + "&at=s1:p1&priority=3", host()))
                    .startsWith("HTTP/1.1 404");
            assertThat(ask("GET /recording/1?token=" + token, host())).startsWith("HTTP/1.1 404");
            assertThat(ask("GET /recording/0?token=" + token, host())).startsWith("HTTP/1.1 404");
            StateRecorder recorder = new StateRecorder(file, "test", ports, List.of());
            recorder.record(0);
            recorder.close();
            byte[] whole = Files.readAllBytes(file);
            try (InputStream lines = new GZIPInputStream(new ByteArrayInputStream(whole))) {
                assertThat(new String(lines.readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("{\"network\":{")
                        .endsWith(
                                "\"t\":0.0,\"names\":[],\"deadlock\":null,\"changes\":[]}\n{\"end\":true}\n");
            }
            Files.write(file, Arrays.copyOf(whole, 20));
            try (Socket reader = connect()) {
                send(reader, "GET /recording/0?token=" + token, host());
                BufferedInputStream in = new BufferedInputStream(reader.getInputStream());
                assertThat(readTo(in, "\r\n\r\n")).startsWith("HTTP/1.1 200");
                assertThat(readTo(in, "\r\n")).isEqualTo("14\r\n");
                assertThat(in.readNBytes(22)).startsWith(Arrays.copyOf(whole, 20));
                Files.write(
                        file,
                        Arrays.copyOfRange(whole, 20, whole.length),
                        StandardOpenOption.APPEND);
                assertThat(readTo(in, "\r\n"))
                        .isEqualTo(Integer.toHexString(whole.length - 20) + "\r\n");
                assertThat(in.readNBytes(whole.length - 20))
                        .isEqualTo(Arrays.copyOfRange(whole, 20, whole.length));
            }
        }
    }

    /** What a killed writer leaves has no end; playing it must not wait without limit. */
    @Test
    void aRecordingThatNoLongerGrowsEndsAndOneThatIsFinishedIsFoundAtItsPlace() throws Exception {
        Path file = directory.resolve("a.states.gz");
        Path unfinished = RecordingFile.unfinished(file);
        Files.write(file, new byte[] {9});
        try (WebServer playing = new WebServer(0, null, List.of(unfinished), 1)) {
            at(playing);
            String asked = "GET /recording/0?token=" + token;
            Files.write(unfinished, new byte[0]);
            assertThat(ask(asked, host())).startsWith("HTTP/1.1 404");
            Files.writeString(unfinished, "beginning");
            assertThat(ask(asked, host())).startsWith("HTTP/1.1 200").contains("9\r\nbeginning");
            List<PortView> ports = List.of(new PortView("s1", "p1", "h1", 1, 1, List.of()));
            StateRecorder recorder = new StateRecorder(file, "test", ports, List.of());
            recorder.record(0);
            assertThat(file).hasBinaryContent(new byte[] {9});
            recorder.close();
            assertThat(unfinished).doesNotExist();
            assertThat(ask(asked, host())).startsWith("HTTP/1.1 200").doesNotContain("beginning");
            assertThat(ask("GET /about?token=" + token, host())).contains("[\"a.states.gz\"]");
        }
    }

    private static String readTo(InputStream in, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (!text.toString().endsWith(end)) {
            int next = in.read();
            assertThat(next).as(text.toString()).isNotNegative();
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void aPortThatIsTakenIsRefused() {
        assertThatThrownBy(() -> WebServer.start(port, source)).isInstanceOf(IOException.class);
    }
}
