package io.headgate.testbed.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.web.LiveNetwork;
import io.headgate.control.web.WebServer;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.OwnLab;
import io.headgate.testbed.lab.ReadyLabs;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of a lab on real frames, in a real browser: one run for all that is looked at. Three
 * switches and a browser that draws without a graphics card share the cores: the links are slow, so
 * that the browser has its time.
 */
@Tag("netns")
class LivePageTest {
    /** Longer than all that is looked at while it stands, also where the machine has much to do. */
    private static final int STANDS_S = 600;

    private static final int SECONDS = 2;

    @TempDir private Path directory;
    private final String prefix = "hgw" + ProcessHandle.current().pid();

    @Test
    void aDeadlockIsSeenWhileItStandsAndTheTokensThatEndIt() throws Exception {
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        "20Mbps",
                        SECONDS,
                        1500,
                        false,
                        false,
                        directory.resolve("report"),
                        directory.resolve("report"),
                        prefix,
                        7,
                        false);
        PrintStream nowhere =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        LabRecords records = new LabRecords(directory.resolve("labs"));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (WebServer server = WebServer.start(0, LiveNetwork.ofThisProcess("lab deadlock"));
                Browser browser = Browser.start();
                OwnLab lab =
                        new OwnLab(
                                ReadyLabs.deadlock(
                                        "escape", options.rate(), STANDS_S, SECONDS, "1"),
                                1,
                                options,
                                records,
                                "test",
                                nowhere)) {
            browser.open(server.url(), 1280, 720);
            browser.await("document.body.innerText.includes('no switch runs now')");
            Thread run =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    lab.run();
                                } catch (Exception | Error e) {
                                    failure.set(e);
                                }
                            });
            try {
                watch(server, browser);
            } catch (Exception | AssertionError e) {
                Throwable why = failure.get();
                if (why != null) {
                    e.addSuppressed(why);
                }
                throw e;
            } finally {
                lab.end("the page has been seen");
                run.join();
            }
        }
    }

    private void watch(WebServer server, Browser browser) throws Exception {
        browser.evaluate(
                "new MutationObserver(() => { window.seenToken ||="
                        + " document.querySelector('g.token') !== null; })"
                        + ".observe(document.body, {subtree: true, childList: true})");
        browser.await("document.querySelectorAll('.cell').length == 9");
        browser.await("document.querySelectorAll('svg circle.host').length == 3");
        keys(browser);

        // The arrow comes with the first line that has the pause, and lines come ten times a
        // second.
        browser.evaluate(
                """
                new Promise((resolve) => {
                  const look = () => headgate.stages[0].states.some((s) => s.isStopped) ? resolve() : setTimeout(look, 5);
                  look();
                })\
                """);
        browser.await("document.querySelectorAll('g.pause').length > 0");

        // The circle, and nothing but it, in red.
        browser.await("document.querySelectorAll('.lane.deadlock').length == 3");
        assertThat(browser.evaluate("document.querySelector('[role=alert]').innerText").asString())
                .contains("deadlock:")
                .contains(prefix + "s1:p2")
                .contains(prefix + "s2:p3")
                .contains(prefix + "s3:p3");
        assertThat(
                        browser.evaluate(
                                        "getComputedStyle(document.querySelector('.lane.deadlock'))"
                                                + ".stroke")
                                .asString())
                .isEqualTo("rgb(204, 0, 0)");
        // Who is behind a pause.
        browser.evaluate("document.querySelector('g.pause').dispatchEvent(new Event('click'))");
        browser.await("document.querySelector('#detail .root')?.innerText.includes('deadlock:')");

        for (int number = 1; number <= 3; number++) {
            String name = prefix + "s" + number;
            try (SwitchClient client = SwitchClient.connect(RunDirectory.base(), name)) {
                List<String> on =
                        Stream.of("p1", "p2", "p3")
                                .map(port -> port + ".detour.escape.enabled=true")
                                .toList();
                client.ask("set", Map.of("assignments", on));
            }
        }
        browser.await("window.seenToken");
        browser.await("document.querySelectorAll('.lane.deadlock').length == 0");
        browser.await("document.querySelector('[role=alert]').hidden");

        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests())
                .isNotEmpty()
                .allMatch(url -> url.startsWith(Browser.origin(server)) || url.startsWith("data:"));
    }

    private void keys(Browser browser) throws Exception {
        browser.press("Tab");
        browser.await(
                "document.activeElement.getAttribute('aria-label')?.startsWith('"
                        + prefix
                        + "s1 p')");
        String first = browser.evaluate("document.activeElement.dataset.id").asString();
        browser.press("ArrowRight");
        String second = browser.evaluate("document.activeElement.dataset.id").asString();
        assertThat(second).startsWith(prefix + "s1:p").isNotEqualTo(first);
        browser.press("Enter");
        browser.await(
                "document.querySelector('#detail h2').innerText.startsWith('" + second + "')");
        browser.press("Escape");
        browser.await("document.querySelector('#detail h2').innerText.startsWith('Choose')");
        assertThat(browser.evaluate("document.activeElement.dataset.id").asString())
                .isEqualTo(second);
    }
}
