package io.headgate.control.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.TestConfigs;
import io.headgate.control.report.Json;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;

final class MetricsTest {
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Pattern LINE =
            Pattern.compile("([a-z_]+)(\\{.*\\}) (-?[0-9.E]+(?:-[0-9]+)?)");

    @FunctionalInterface
    private interface Scraper {
        void scrape(MetricsServer server, HttpClient client) throws Exception;
    }

    private static void serving(Scraper scraper) throws Exception {
        serving(TestConfigs.memory("s1", "a", "b"), scraper);
    }

    private static void serving(SwitchConfig config, Scraper scraper) throws Exception {
        try (RunningSwitch running = RunningSwitch.start(config, SwitchOptions.DEFAULT.cold());
                MetricsServer server =
                        MetricsServer.start(ANY_PORT, () -> RunMetrics.of(List.of(running)));
                HttpClient client = HttpClient.newHttpClient()) {
            scraper.scrape(server, client);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("headgate-metrics"));
    }

    private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }

    @Test
    void everyCounterIsThereOnceUnderANameOfPrometheus() throws Exception {
        serving((server, client) -> {
            HttpResponse<String> answer = get(client, server.url());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("content-type").orElseThrow())
                    .startsWith("text/plain; version=0.0.4");
            Map<String, String> types = new HashMap<>();
            Map<String, Double> values = new HashMap<>();
            for (String line : answer.body().split("\n")) {
                if (line.startsWith("# TYPE ")) {
                    String[] words = line.split(" ");
                    assertThat(types.put(words[2], words[3])).as(line).isNull();
                } else if (!line.startsWith("# HELP ")) {
                    Matcher value = LINE.matcher(line);
                    assertThat(value.matches()).as(line).isTrue();
                    assertThat(types).containsKey(value.group(1));
                    double number = Double.parseDouble(value.group(3));
                    assertThat(values.put(value.group(1) + value.group(2), number))
                            .as(line)
                            .isNull();
                }
            }
            // What promtool looks for in names.
            types.forEach((name, type) -> {
                assertThat(name).startsWith("headgate_").doesNotEndWith("_ns");
                assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
            });
            assertThat(values)
                    .containsEntry(
                            "headgate_ingress_frames_received_total{port=\"a\",switch=\"s1\"}", 0.0)
                    .containsEntry("headgate_ingress_device_up{port=\"b\",switch=\"s1\"}", 1.0)
                    .containsKey("headgate_worker_busy_seconds_total{switch=\"s1\",worker=\"0\"}")
                    .containsKey(
                            "headgate_ingress_dropped_total{port=\"a\",reason=\"NO_SLOT\","
                                    + "switch=\"s1\"}");
        });
    }

    /** One with what the board's queries are about. */
    @Test
    void everyMetricOfTheGrafanaBoardIsServed() throws Exception {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        address: 10.0.0.254/24
                        defaults: {rate: 100Mbps, flow-control: pfc, buffers: {xoff: 200kB, xon: 190kB}}
                        ports:
                          - {name: p1, device: {memory: a}, congestion: {red: {kmin: 100kB, kmax: 400kB}}}
                          - {name: p2, device: {memory: a}, congestion: {tcd: {}}}
                          - {name: p3, device: {memory: b}, congestion: {rocc: {}}}
                          - {name: p4, device: {memory: b}}
                        """,
                        "s1.yaml");
        JsonNode board = Json.COMPACT.readTree(Files.readString(Path.of("grafana/headgate.json")));
        List<String> queries = new ArrayList<>();
        board.findValues("expr").forEach(one -> queries.add(one.asString()));
        assertThat(queries).hasSizeGreaterThan(10);
        board.get("templating")
                .get("list")
                .forEach(one -> queries.add(one.get("query").asString()));
        serving(
                config,
                (server, client) -> {
                    String served = get(client, server.url()).body();
                    for (String query : queries) {
                        for (MatchResult name :
                                Pattern.compile("headgate_[a-z_]+")
                                        .matcher(query)
                                        .results()
                                        .toList()) {
                            assertThat(served).as(query).contains("\n" + name.group() + "{");
                        }
                    }
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // What Prometheus sends if it is configured for native histograms.
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                        + "encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,"
                        + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1 | application/openmetrics-text",
                "application/vnd.google.protobuf, text/plain;q=0.5 | text/plain",
                "application/openmetrics-text;q=0.3, text/plain;q=0.5 | text/plain",
                "Application/OpenMetrics-Text; version=1.0.0; q=0.5, text/plain;q=0.5"
                        + " | application/openmetrics-text",
                "application/openmetrics-text;q=0, */* | text/plain",
                "application/openmetrics-text;q=much, image/png | text/plain",
                "application/vnd.google.protobuf | text/plain",
                ", ;;, | text/plain",
                "image/png,; | text/plain"
            })
    void theFirstFormThatIsServedOfThoseAskedForIsSent(String accept, String type)
            throws Exception {
        serving((server, client) -> {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(URI.create(server.url()))
                                    .header("Accept", accept)
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("content-type").orElseThrow())
                    .startsWith(type + ";");
            assertThat(answer.body()).contains("headgate_ingress_frames_received_total{");
            assertThat(answer.body().endsWith("# EOF\n"))
                    .isEqualTo(type.equals("application/openmetrics-text"));
        });
    }

    @Test
    void connectionsThatAreOnlyHeldOpenKeepNoScrapeOut() throws Exception {
        serving((server, client) -> {
            URI url = URI.create(server.url());
            List<Socket> held = new ArrayList<>();
            try (Socket scraper = new Socket(url.getHost(), url.getPort())) {
                assertThat(scrapedBy(scraper)).startsWith("HTTP/1.1 200 ");
                for (int i = 0; i < 1_000; i++) {
                    Socket socket = new Socket(url.getHost(), url.getPort());
                    held.add(socket);
                    socket.getOutputStream().write("GET /metrics HT".getBytes(UTF_8));
                }
                // One that was there before goes on, and so does one that comes.
                assertThat(scrapedBy(scraper)).startsWith("HTTP/1.1 200 ");
                assertThat(get(client, server.url()).statusCode()).isEqualTo(200);
            } finally {
                for (Socket socket : held) {
                    socket.close();
                }
            }
        });
    }

    private static String scrapedBy(Socket scraper) throws IOException {
        scraper.setSoTimeout(20_000);
        scraper.getOutputStream()
                .write("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = scraper.getInputStream().read();
            if (next < 0) {
                return "the connection was closed after '" + head + "'";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Test
    void aRequestMustBeThereWholeInTime() throws Exception {
        try (MetricsServer server =
                new MetricsServer(ANY_PORT, MetricSnapshots::new, Duration.ofMillis(300))) {
            URI url = URI.create(server.url());
            try (Socket silent = new Socket(url.getHost(), url.getPort());
                    Socket slow = new Socket(url.getHost(), url.getPort());
                    Socket good = new Socket(url.getHost(), url.getPort())) {
                assertThat(scrapedBy(good)).startsWith("HTTP/1.1 200 ");
                silent.setSoTimeout(20_000);
                assertThat(silent.getInputStream().read()).isEqualTo(-1);
                // A client that sends one byte now and then never completes a request either.
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 400; i++) {
                                        slow.getOutputStream().write('G');
                                        Thread.sleep(50);
                                    }
                                })
                        .isInstanceOf(IOException.class);
                // Between two requests there is more time.
                assertThat(scrapedBy(good)).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void whatIsNoScrapeIsAnsweredWithASentence() throws Exception {
        serving((server, client) -> {
            String root = server.url().replace(MetricsServer.PATH, "/");
            assertThat(get(client, root).statusCode()).isEqualTo(404);
            assertThat(get(client, root).body()).isEqualTo("metrics are at /metrics\n");
            HttpResponse<String> posted =
                    client.send(
                            HttpRequest.newBuilder(URI.create(server.url()))
                                    .POST(BodyPublishers.ofString("x"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(posted.statusCode()).isEqualTo(405);
            assertThat(raw(server, "nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ");
            assertThat(raw(server, "GET /" + "x".repeat(70_000) + " HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ");
            assertThat(get(client, server.url()).statusCode()).isEqualTo(200);
        });
    }

    private static String raw(MetricsServer server, String request) throws IOException {
        URI url = URI.create(server.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readNBytes(32), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aPlaceThatIsTakenIsRefused() throws Exception {
        serving((server, _) -> {
            int port = URI.create(server.url()).getPort();
            InetSocketAddress taken = new InetSocketAddress(ANY_PORT.getAddress(), port);
            assertThatThrownBy(() -> MetricsServer.start(taken, MetricSnapshots::new))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        });
    }

    @Test
    void placesAreAPortAloneOrBehindAnAddress() {
        MetricsAddress reader = new MetricsAddress();
        assertThat(reader.convert("9400").getAddress().isLoopbackAddress()).isTrue();
        assertThat(reader.convert("0.0.0.0:9400").getAddress().isAnyLocalAddress()).isTrue();
        assertThat(reader.convert("[::1]:9400").getAddress().isLoopbackAddress()).isTrue();
        assertThat(reader.convert("10.0.0.1:0")).isEqualTo(new InetSocketAddress("10.0.0.1", 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "65536", "10.0.0.1", "::1", "10.0.0.1:", "[::1:80", "-1"})
    void otherPlacesAreRefusedWithASentence(String text) {
        assertThatThrownBy(() -> new MetricsAddress().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("such as 9400, 0.0.0.0:9400 or [::1]:9400");
    }

    @Test
    void aLinkLocalAddressNeedsItsInterface() {
        assertThatThrownBy(() -> new MetricsAddress().convert("[fe80::1]:9400"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageEndingWith("needs its interface, as in [fe80::1%eth0]:9400");
        assertThat(new MetricsAddress().convert("[fe80::1%1]:9400").getPort()).isEqualTo(9400);
    }
}
