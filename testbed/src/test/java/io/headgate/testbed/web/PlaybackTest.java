package io.headgate.testbed.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.web.WebServer;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.shipped.Scenarios;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run of virtual time, played on the page in a real browser. */
@Tag("netns")
class PlaybackTest {
    @TempDir private Path directory;

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
                        new Campaign.Options(1, false, null, nowhere, false, List.of(), null, file))
                .run()
                .getFirst();
    }

    @Test
    void whatARunRecordsIsPlayedAsItIsWrittenAndHasTheValuesOfItsSeries() throws Exception {
        Path file = directory.resolve("ring.states.gz");
        try (WebServer server = WebServer.play(0, List.of(file, file));
                Browser browser = new Browser()) {
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
            assertThat(browser.evaluate("document.querySelectorAll('.pause').length").asInt())
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
                    .allMatch(url -> url.startsWith(server.url()) || url.startsWith("data:"));
        }
    }
}
