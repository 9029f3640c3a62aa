package io.headgate.testbed.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.web.RecordingFile;
import io.headgate.control.web.WebServer;
import io.headgate.control.web.WebSource;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.RunThreads;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.shipped.Scenarios;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run of virtual time, played on the page in a real browser. */
@Tag("netns")
class PlaybackTest {
    @TempDir private Path directory;
    private static Browser browser;

    @BeforeAll
    static void startBrowser() throws Exception {
        browser = Browser.start();
    }

    @AfterAll
    static void endBrowser() throws Exception {
        browser.close();
    }

    /** Written by hand. */
    @Test
    void portsAndLinksAreShownAsTheyAreAndOthersKeysAreLeftAlone() throws Exception {
        Path file = directory.resolve("hand.states.gz");
        try (Writer out =
                new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(file)),
                        StandardCharsets.UTF_8)) {
            out.write(
                    """
                    {"network":{"title":"hand","live":false,"ports":[\
                    {"node":"s1","name":"p1","peer":"","rateBps":1000,"queueLimitBytes":1,"thresholds":[]},\
                    {"node":"s2","name":"p1","peer":"s1:p1","rateBps":1000,"queueLimitBytes":1,"thresholds":[]}]},\
                    "t":0.0,"names":[[1,"in device.up","g"],[1,"out stopped.now.ns.p3","g"]],"deadlock":null,"changes":[0,1,1,1]}
                    {"t":1.0,"changes":[]}
                    {"t":2.0,"changes":[]}
                    """);
        }
        try (WebServer server = WebServer.play(0, List.of(file))) {
            browser.open(server.url(), 1280, 720);
            browser.await("headgate.stages[0]?.history.times.length === 3");
            browser.await("document.querySelectorAll('.cell').length === 2");
            // One end does not know of the other, as without LLDP.
            assertThat(browser.evaluate("document.querySelectorAll('.lane').length").asInt())
                    .isEqualTo(2);
            browser.await("document.querySelectorAll('.cell.down').length === 1");
            assertThat(
                            browser.evaluate(
                                            "headgate.stages[0].states.map((one) => one.up)"
                                                    + ".join()")
                                    .asString())
                    .isEqualTo("false,true");
            browser.evaluate(
                    "document.querySelector('[data-port=\"1\"]')"
                            + ".dispatchEvent(new Event('click'))");
            browser.await("document.querySelector('#detail').innerText.includes('100 %')");
            assertThat(browser.evaluate("document.querySelector('#detail').textContent").asString())
                    .doesNotContain("130 %");
            // The browser's own keys stay the browser's.
            assertThat(browser.evaluate(key("ctrlKey")).asBoolean()).isTrue();
            assertThat(browser.evaluate(key("altKey")).asBoolean()).isTrue();
            assertThat(browser.evaluate(key("shiftKey")).asBoolean()).isFalse();

            browser.open(Browser.origin(server), 1280, 720);
            browser.await(
                    "document.getElementById('state').innerText.includes('whole address is needed')");
        }
    }

    /** Its ports are in several rows, and all are within the picture. */
    @Test
    void aSwitchOfAHundredPortsIsNotOneLongRow() throws Exception {
        Path file = directory.resolve("hundred.states.gz");
        writeSwitch(file, 100);
        try (WebServer server = WebServer.play(0, List.of(file))) {
            browser.open(server.url(), 1280, 720);
            browser.await("headgate.player?.left === 0");
            assertThat(cells()).isEqualTo(100);
            JsonNode box =
                    browser.evaluate(
                            "(({width, height}) => width / height)(document.querySelector('#stages svg').viewBox.baseVal)");
            assertThat(box.asDouble()).isBetween(1.0, 2.5);
            JsonNode places =
                    browser.evaluate(
                            """
                            [...document.querySelectorAll('.cell, circle.host')].map((one) => {
                              const { left, right, top, bottom } = one.getBoundingClientRect();
                              return [left, right, top, bottom];
                            })\
                            """);
            assertThat(places.size()).isEqualTo(200);
            JsonNode picture =
                    browser.evaluate(
                            "(({left, right, top, bottom}) => [left, right, top, bottom])(document.querySelector('#stages svg').getBoundingClientRect())");
            for (int i = 0; i < places.size(); i++) {
                assertThat(isWithin(places.get(i), picture)).as("%s", places.get(i)).isTrue();
                for (int other = 0; other < i; other++) {
                    assertThat(areApart(places.get(i), places.get(other)))
                            .as("%s and %s", places.get(i), places.get(other))
                            .isTrue();
                }
            }
        }
    }

    /** Writes a recording of one switch with hosts. */
    private static void writeSwitch(Path file, int hosts) throws IOException {
        String ports =
                IntStream.rangeClosed(1, hosts)
                        .mapToObj(port ->
                                ("{\"node\":\"s1\",\"name\":\"p%d\",\"peer\":\"h%d\",\"rateBps\":1000,"
                                                + "\"queueLimitBytes\":1,\"thresholds\":[]}")
                                        .formatted(port, port))
                        .collect(Collectors.joining(","));
        try (Writer out =
                new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(file)),
                        StandardCharsets.UTF_8)) {
            out.write(
                    "{\"network\":{\"title\":\"star\",\"live\":false,\"ports\":[%s]},\"t\":0,"
                                    .formatted(ports)
                            + "\"names\":[],\"deadlock\":null,\"changes\":[]}\n{\"end\":true}\n");
        }
    }

    /** Whichever of two was read last. */
    @Test
    void ofTwoNetworksOneIsAboveTheOtherIfBothAreWide() throws Exception {
        Path wide = directory.resolve("wide.states.gz");
        Path high = directory.resolve("high.states.gz");
        writeSwitch(wide, 24);
        writeSwitch(high, 1);
        assertThat(areStacked(wide, high)).isFalse();
        assertThat(areStacked(high, wide)).isFalse();
        assertThat(areStacked(wide, wide)).isTrue();
    }

    private static boolean areStacked(Path first, Path second) throws Exception {
        try (WebServer server = WebServer.play(0, List.of(first, second))) {
            browser.open(server.url(), 1280, 720);
            browser.await("headgate.player?.left === 0");
            return browser.evaluate("document.querySelector('.stacked') !== null").asBoolean();
        }
    }

    private static boolean isWithin(JsonNode box, JsonNode of) {
        return box.get(0).asDouble() >= of.get(0).asDouble()
                && box.get(1).asDouble() <= of.get(1).asDouble()
                && box.get(2).asDouble() >= of.get(2).asDouble()
                && box.get(3).asDouble() <= of.get(3).asDouble();
    }

    private static boolean areApart(JsonNode a, JsonNode b) {
        return a.get(0).asDouble() >= b.get(1).asDouble()
                || b.get(0).asDouble() >= a.get(1).asDouble()
                || a.get(2).asDouble() >= b.get(3).asDouble()
                || b.get(2).asDouble() >= a.get(3).asDouble();
    }

    /** As of a lab whose parts have switches of their own; written by hand. */
    @Test
    void networksThatRanOneAfterTheOtherAreShownAtTheirTimes() throws Exception {
        Path file = directory.resolve("parts.states.gz");
        String network =
                """
                {"network":{"title":"lab","live":true,"ports":[\
                {"node":"s1","name":"p1","peer":"h1","rateBps":1000,"queueLimitBytes":1,"thresholds":[]}%s]},\
                "t":%s,"names":[[0,"in device.up","g"],[0,"out bytes.transmitted","t"]],"deadlock":null,"changes":[0,1,1,5]}
                """;
        String second =
                ",{\"node\":\"s1\",\"name\":\"p2\",\"peer\":\"h2\",\"rateBps\":1000,"
                        + "\"queueLimitBytes\":1,\"thresholds\":[]}";
        try (Writer out =
                new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(file)),
                        StandardCharsets.UTF_8)) {
            out.write(network.formatted("", "1.0"));
            out.write("{\"t\":2.0,\"changes\":[1,105]}\n");
            out.write(network.formatted(second, "5.0"));
            out.write(
                    "{\"t\":6.0,\"names\":[[1,\"out stopped.p3\",\"t\"],"
                            + "[1,\"out drop.QUEUE_FULL\",\"t\"]],\"changes\":[2,1,3,4]}\n");
            out.write("{\"end\":true}\n");
        }
        try (WebServer server = WebServer.play(0, List.of(file))) {
            browser.open(server.url(), 1280, 720);
            browser.await("headgate.player?.left === 0");
            assertThat(browser.evaluate("[headgate.player.start, headgate.player.end].join()"))
                    .hasToString("\"1,6\"");
            browser.evaluate("headgate.player.pause(); headgate.player.go(2)");
            browser.evaluate(
                    "document.querySelector('[data-port=\"0\"]').dispatchEvent(new Event('click'))");
            assertThat(cells()).isEqualTo(1);
            // One that stops while it is played shows what is so at the instant where it stops.
            assertThat(
                            browser.evaluate(
                                            "headgate.player.toggle(); headgate.player.go(5);"
                                                    + " headgate.player.go(6);"
                                                    + " headgate.player.toggle();"
                                                    + " document.querySelector('#drops').innerText")
                                    .asString())
                    .contains("QUEUE_FULL at s1:p2");
            browser.evaluate("headgate.player.go(2)");
            // Neither jumps back nor is the rate of the one before counted on.
            browser.evaluate("document.querySelector('[data-port=\"0\"]').focus()");
            // The drops are those of this instant, however soon it follows another.
            assertThat(
                            browser.evaluate(
                                            "headgate.player.go(2);"
                                                    + " document.getElementById('toPause').click();"
                                                    + " document.querySelector('#drops').innerText")
                                    .asString())
                    .contains("QUEUE_FULL at s1:p2");
            assertThat(browser.evaluate("headgate.player.time").asDouble()).isEqualTo(6);
            assertThat(cells()).isEqualTo(2);
            assertThat(browser.evaluate("headgate.stages[0].states[0].sends").asDouble()).isZero();
            assertThat(browser.evaluate("document.querySelector('#detail h2').innerText"))
                    .hasToString("\"s1:p1 ↔ h1\"");
            // What had the focus is drawn again, and has it.
            assertThat(browser.evaluate("document.activeElement.dataset.id"))
                    .hasToString("\"s1:p1\"");
            // Also if it is made again twice before it is drawn, and comes only with the drawing.
            assertThat(
                            browser.evaluate(
                                    """
                                    document.querySelector('g.pause').focus();
                                    headgate.stages[0].build();
                                    headgate.stages[0].build();
                                    headgate.player.go(6);
                                    document.activeElement.dataset.id\
                                    """))
                    .hasToString("\"s1:p2 false\"");
            browser.press(",");
            browser.press(",");
            assertThat(browser.evaluate("headgate.player.time").asDouble()).isEqualTo(2);
            assertThat(cells()).isEqualTo(1);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** A link at its rate, whose frames take longer than several lines. */
    @Test
    void ratesAreMeasuredOverSeveralFrames() throws Exception {
        Path file = directory.resolve("rates.states.gz");
        try (Writer out =
                new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(file)),
                        StandardCharsets.UTF_8)) {
            out.write(
                    """
                    {"network":{"title":"rates","live":false,"ports":[\
                    {"node":"s1","name":"p1","peer":"h1","rateBps":1000000,"queueLimitBytes":1,"thresholds":[]}]},\
                    "t":0,"names":[[0,"out bytes.transmitted","t"],[0,"out frames.transmitted","t"]],"deadlock":null,"changes":[]}
                    """);
            for (int ms = 1; ms <= 300; ms++) {
                int frames = (int) (ms / 12.304);
                out.write(
                        "{\"t\":%s,\"changes\":[0,%d,1,%d]}\n"
                                .formatted(ms / 1e3, 1514 * frames, frames));
            }
            out.write("{\"end\":true}\n");
        }
        try (WebServer server = WebServer.play(0, List.of(file))) {
            browser.open(server.url(), 1280, 720);
            browser.await("headgate.player?.left === 0");
            JsonNode rates =
                    browser.evaluate(
                            """
                            (headgate.player.pause(), [0.2, 0.205, 0.21, 0.25].map((t) => {
                              headgate.player.go(t);
                              return headgate.stages[0].states[0].sends;
                            }))\
                            """);
            assertThat(rates.size()).isEqualTo(4);
            for (JsonNode rate : rates) {
                assertThat(rate.asDouble()).isBetween(0.85e6, 1.15e6);
            }
        }
    }

    /** Counts a stop in every fifth line. */
    private static final class Stops implements WebSource, WebSource.Lines {
        private int line;

        @Override
        public Lines lines() {
            return this;
        }

        @Override
        public String next() {
            line++;
            return "{\"t\":%s,\"changes\":[%s]}".formatted(line, line % 5 == 0 ? "1," + line : "");
        }

        @Override
        public String whole() {
            return """
            {"network":{"title":"stops","live":true,"ports":[\
            {"node":"s1","name":"p1","peer":"s2:p1","rateBps":1000,"queueLimitBytes":1,"thresholds":[]},\
            {"node":"s2","name":"p1","peer":"s1:p1","rateBps":1000,"queueLimitBytes":1,"thresholds":[]}]},\
            "t":%s,"names":[[1,"in device.up","g"],[1,"out stopped.p3","t"]],"deadlock":null,"changes":[0,1,1,1]}\
            """
                    .formatted(line);
        }

        @Override
        public boolean isEmpty() {
            return false;
        }

        @Override
        public void look() {}

        @Override
        public String explain(String node, String port, int priority, boolean isPausing) {
            return "{\"says\":\"%s:%s\",\"steps\":[],\"ports\":[\"s1:p1\"]}".formatted(node, port);
        }
    }

    /** So it is seen after one line's time, 100 ms, and the way from the server to the page. */
    @Test
    void thePageDrawsAPauseWithTheVeryLineThatCountsIt() throws Exception {
        try (WebServer server = WebServer.start(0, new Stops())) {
            browser.open(server.url(), 1280, 720);
            JsonNode seen =
                    browser.evaluate(
                            """
                            new Promise((resolve) => {
                              const look = () => headgate.stages[0]?.history.ports.length ? begin(headgate.stages[0]) : setTimeout(look, 5);
                              const begin = (stage) => {
                                const seen = [];
                                let taken = performance.now();
                                const take = stage.take.bind(stage);
                                stage.take = (line) => {
                                  // Lines that come together have one picture.
                                  const isAlone = performance.now() - taken > 20;
                                  take(line);
                                  queueMicrotask(() => {
                                    taken = performance.now();
                                    if (!isAlone) return;
                                    seen.push([line.changes.length > 0, document.querySelectorAll('g.pause').length]);
                                    if (seen.length >= 12 && seen.filter(([isPaused]) => isPaused).length >= 2) resolve(seen);
                                  });
                                };
                              };
                              look();
                            })\
                            """);
            for (JsonNode line : seen) {
                assertThat(line.get(1).asInt())
                        .as("%s", seen)
                        .isEqualTo(line.get(0).asBoolean() ? 1 : 0);
            }
            assertThat(picturesOfEightLinesAtOnce()).isBetween(1, 4);
            // A pause that ends while it has the focus stays for the key.
            browser.await(
                    "(document.querySelector('g.pause')?.focus(),"
                            + " document.activeElement.matches('g.pause.over'))");
            browser.press("Enter");
            browser.await("document.querySelector('#detail .root')?.innerText === 's2:p1'");
            browser.await("document.querySelector('g.pause.over') === null");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Behind a second in which the page could not take any. */
    private static int picturesOfEightLinesAtOnce() throws Exception {
        return browser.evaluate(
                        """
                        new Promise((resolve) => {
                          const [stage] = headgate.stages;
                          const { take, draw } = stage;
                          let [lines, pictures] = [0, 0];
                          stage.draw = (...now) => { pictures++; draw.apply(stage, now); };
                          stage.take = (line) => {
                            take(line);
                            if (++lines === 8) requestAnimationFrame(() => setTimeout(() => resolve(pictures)));
                          };
                          const end = performance.now() + 1000;
                          while (performance.now() < end);
                        })\
                        """)
                .asInt();
    }

    private static int cells() throws Exception {
        return browser.evaluate("document.querySelectorAll('.cell').length").asInt();
    }

    private static String key(String held) {
        return "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'l', %s: true,"
                        .formatted(held)
                + " bubbles: true, cancelable: true}))";
    }

    private static CellResult run(Path file) throws Exception {
        Sweep sweep =
                Sweep.of(
                        Scenarios.named("escape-ring"),
                        List.of("tokens=none", "duration=4ms"),
                        "1",
                        Set.of(BedKind.VIRTUAL),
                        0);
        PrintStream nowhere =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new Campaign(
                        sweep,
                        sweep.cells(),
                        new Campaign.Options(
                                1,
                                RunThreads.ONE,
                                false,
                                null,
                                nowhere,
                                false,
                                List.of(),
                                null,
                                file,
                                null))
                .run()
                .getFirst();
    }

    @Test
    void whatARunRecordsIsPlayedAsItIsWrittenAndHasTheValuesOfItsSeries() throws Exception {
        Path file = directory.resolve("ring.states.gz");
        Path unfinished = RecordingFile.unfinished(file);
        try (WebServer server = WebServer.play(0, List.of(unfinished, unfinished))) {
            browser.open(server.url(), 1280, 720);
            browser.await("headgate.player");
            CellResult result = run(file);
            browser.await("headgate.player.left === 0");
            assertThat(Files.size(file)).isLessThan(100_000);

            // Both stages show the deadlock from the instant at which the run says that it began.
            browser.evaluate("document.getElementById('toDeadlock').click()");
            assertThat(browser.evaluate("document.querySelectorAll('.lane.deadlock').length"))
                    .hasToString("6");
            double seenUs = browser.evaluate("headgate.player.time * 1e6").asDouble();
            assertThat(result.outcomeOrThrow().statements())
                    .anyMatch(said -> said.startsWith("deadlock, seen from 440.0 us to the end"));
            assertThat(seenUs).isBetween(440.0, 450.0);
            browser.press(",");
            browser.evaluate("document.getElementById('back').click()");
            assertThat(browser.evaluate("headgate.player.time * 1e6").asDouble())
                    .isLessThan(seenUs);
            browser.evaluate("document.getElementById('toPause').click()");
            assertThat(browser.evaluate("headgate.player.time * 1e6").asDouble()).isLessThan(440);
            assertThat(browser.evaluate("document.querySelectorAll('g.pause').length").asInt())
                    .isPositive();
            assertThat(browser.evaluate("document.getElementById('toDrop').disabled").asBoolean())
                    .isTrue();

            Series buffer =
                    result.outcomeOrThrow().series().stream()
                            .filter(one -> one.name().equals("buffer s1/p3"))
                            .findFirst()
                            .orElseThrow();
            JsonNode shown =
                    browser.evaluate(
                            """
                            (() => {
                              const { history } = headgate.stages[1];
                              const port = history.ports.find((one) => one.id === 's1:p3');
                              return history.times.map((t) => headgate.value(port, 'in buffer.bytes.p3', t));
                            })()\
                            """);
            assertThat(shown.size()).isEqualTo(1001);
            assertThat(buffer.values()).hasSizeGreaterThan(900);
            for (int i = 0; i < buffer.values().length; i++) {
                int at = (int) Math.round(buffer.timesUs()[i] / 4);
                assertThat(shown.get(at).asDouble() / 1e3)
                        .as("at %s us", buffer.timesUs()[i])
                        .isEqualTo(buffer.values()[i]);
            }
            assertThat(browser.complaints())
                    .allMatch(one -> one.contains("404") && one.contains("/recording/"));
            assertThat(browser.requests())
                    .allMatch(url ->
                            url.startsWith(Browser.origin(server)) || url.startsWith("data:"));
        }
    }
}
