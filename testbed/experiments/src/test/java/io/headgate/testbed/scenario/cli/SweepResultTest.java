package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.figure.FigureCheck;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a sweep of a scenario file leaves: figures, tables, a report that can be sent. */
class SweepResultTest {
    private static final String SCENARIO =
            """
            name: own
            duration: 400us
            parameters:
              - {name: senders, unit: count, default: 2, min: 1, max: 3}
              - {name: rate, unit: rate, default: 10Gbps, min: 1Gbps, max: 10Gbps}
            topology:
              name: star
              link: {rate: $rate, delay: 1us}
              builder: {single-switch: {hosts: 4}}
            traffic:
              - name: web
                from: all
                to: all
                arrivals: {every: 100us, size: 10kB}
            plot:
              - {y: throughput of web, x: senders, group: rate}
              - {y: p95 completion of web, x: rate, facet: senders, log: [y]}
              - {y: completion of web, ecdf: true}
              - {y: throughput web, x: time, facet: rate}
              - {y: max of throughput web, x: rate}
            expect:
              - {measure: frames dropped, at-most: "0 * $senders"}
              - {measure: throughput of web, at-least: "$rate / 1Gbps / 1000000"}
            """;

    @TempDir private Path directory;
    private final PrintStream realOut = System.out;
    private ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void catchOutput() {
        out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveOutputBack() {
        System.setOut(realOut);
    }

    private int reproduce(Object... arguments) {
        return new CommandLine(new ReproduceCommand())
                .execute(Stream.of(arguments).map(String::valueOf).toArray(String[]::new));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aSweepOfAnOwnScenarioHasItsFiguresAndTables() throws Exception {
        Path file = directory.resolve("own.yaml");
        Files.writeString(file, SCENARIO);
        Path result = directory.resolve("r");
        int code =
                reproduce(
                        file,
                        "--set",
                        "senders=1..3",
                        "--set",
                        "rate=1Gbps,10Gbps",
                        "--seed",
                        "1..3",
                        "--out",
                        result);
        assertThat(printed().replaceAll("\\s+", " "))
                .contains("; all of 3 seeds")
                .contains("; the same in all of 3 seeds")
                .contains("PASS: 36 of 36 as expected.");
        assertThat(code).isZero();
        for (String figure :
                List.of(
                        "sweep-throughput-of-web",
                        "sweep-p95-completion-of-web",
                        "ecdf-completion-web",
                        "time-throughput-web",
                        "sweep-max-of-throughput-web")) {
            String svg = Files.readString(result.resolve("figures/" + figure + ".svg"));
            assertThat(FigureCheck.mistakes(svg)).as(figure).isEmpty();
        }
        // What the file has drawn is not drawn again.
        assertThat(result.resolve("figures/throughput.svg")).doesNotExist();
        assertThat(Files.readString(result.resolve("figures/sweep-p95-completion-of-web.csv")))
                .startsWith("panel,series,rate (Gb/s),p95 completion of web (µs),low,high\n")
                .contains("\nsenders 2,");
        assertThat(Files.readString(result.resolve("measures.csv")))
                .startsWith("run,seed,bed,parameters,measure,of,unit,value\n")
                .contains("\n0,1,virtual,senders=1 rate=1Gbps,throughput,web,Gb/s,")
                .contains(",p95 slowdown,web,,")
                .doesNotContain(",p99")
                .contains(",max,throughput web,Gb/s,");
        assertThat(Files.readString(result.resolve("parameters.csv")))
                .contains("\n0,senders,,1\n0,rate,bit/s,1000000000\n");
        assertThat(Files.readAllLines(result.resolve("flows.csv")))
                .hasSizeGreaterThan(200)
                .startsWith(
                        "run,flows,source,destination,path,start_us,finish_us,size_bytes,"
                                + "completion_us,ideal_us,slowdown")
                .anyMatch(row -> row.matches("0,web,h1,h[234],h1 s1 h[234],.*"));
        assertThat(Files.readString(result.resolve("series.csv"))).doesNotContain("flow size");
        assertThat(Files.size(result.resolve("report.html"))).isLessThan(1_000_000);
        assertThat(Files.readString(result.resolve("report.html")))
                .contains("frames dropped in 6 settings, expected at most 0 frames")
                .contains("throughput of web in 6 settings, each as expected");
    }

    /** Senders behind pauses, with all that can be recorded of them. */
    private static final String PAUSES =
            """
            name: pauses
            duration: 1ms
            parameters:
              - {name: senders, unit: count, default: 2, min: 2, max: 3}
            topology:
              name: star
              link: {rate: 10Gbps, delay: 1us}
              builder: {single-switch: {hosts: 4}}
              ports:
                flow-control: pfc
                classify: {trust: port, default: 3}
                buffers: {xoff: 100kB, xon: 40kB}
            traffic:
              - {name: bulk, from: [h1, h2], to: h4}
            record:
              interval: 1us
              queues: [s1/p4]
              buffers: [s1/p1]
              headroom: [s1/p1]
              stopped: [h1, s1/p1]
            plot:
              - {y: pauses sent of s1/p1, x: senders}
              - {y: buffer s1/p1, x: time}
            expect:
              - {measure: pauses sent of s1/p1, at-least: 2}
              - {measure: pauses received of h1, at-least: 2}
              - {measure: time stopped of h1, at-least: 100}
              - {measure: time stopped of s1/p1, at-most: 0}
              - {measure: headroom used of s1/p1, at-least: 1514}
            """;

    @Test
    void whatPausesDoIsMeasuredRecordedAndDrawnWithItsLimits() throws Exception {
        Path file = directory.resolve("pauses.yaml");
        Files.writeString(file, PAUSES);
        Path result = directory.resolve("p");
        assertThat(reproduce(file, "--out", result)).as(printed()).isZero();
        // Lossless frames are not held by the queue's limit.
        assertThat(printed())
                .contains("; highest queue at s1/p4, ")
                .doesNotContain("of its limit")
                .contains(
                        "pauses sent of s1/p1 is not drawn: senders has one value here, and --set"
                                + " senders=A,B gives it several");
        assertThat(result.resolve("figures/sweep-pauses-sent-of-s1-p1.svg")).doesNotExist();
        for (String figure : List.of("time-buffer-s1-p1", "headroom", "stopped")) {
            String svg = Files.readString(result.resolve("figures/" + figure + ".svg"));
            assertThat(FigureCheck.mistakes(svg)).as(figure).isEmpty();
            assertThat(svg.contains("xoff 100 kB") && svg.contains("xon 40 kB"))
                    .as(figure)
                    .isEqualTo(figure.contains("buffer"));
        }
        assertThat(Files.readString(result.resolve("figures/throughput.svg")))
                .contains("link full: 9.84 Gb/s of frames");
        assertThat(Files.readString(result.resolve("figures/queue.svg"))).doesNotContain("limit");
        assertThat(Files.readAllLines(result.resolve("figures/headroom.csv")))
                .anyMatch(row -> row.matches(",.*,[0-9.]+,[1-9][0-9.]*,,"));
        assertThat(Files.readAllLines(result.resolve("figures/stopped.csv")))
                .anyMatch(row -> row.matches(",h1,[0-9.]+,[1-9][0-9.]*,,"))
                .noneMatch(row -> row.matches(",s1/p1,[0-9.]+,[1-9][0-9.]*,,"));
    }

    /**
     * The first frame is made in the nanosecond in which it is due, and so early by parts of it.
     */
    @Test
    void noFlowIsFasterThanAlone() throws Exception {
        Path file = directory.resolve("random.yaml");
        Files.writeString(
                file,
                SCENARIO.replace(
                        "arrivals: {every: 100us, size: 10kB}",
                        "arrivals: {load: 0.3, workload: googlerpc2008_hpcc}"));
        Path result = directory.resolve("f");
        reproduce(file, "--set", "rate=3Gbps,10Gbps", "--out", result);
        List<Double> slowdowns =
                Files.readAllLines(result.resolve("flows.csv")).stream()
                        .skip(1)
                        .map(row -> row.substring(row.lastIndexOf(',') + 1))
                        .filter(slowdown -> !slowdown.isEmpty())
                        .map(Double::valueOf)
                        .toList();
        assertThat(slowdowns).hasSizeGreaterThan(100).allMatch(slowdown -> slowdown >= 1);
    }

    @Test
    void whatAPlotNamesMustBeThere() throws Exception {
        Path file = directory.resolve("wrong.yaml");
        Files.writeString(
                file,
                SCENARIO.replace("x: senders, group: rate", "x: sender, group: rate")
                        .replace("y: p95 completion of web", "y: p98 completion of web")
                        .replace("\"0 * $senders\"", "\"0 * (\""));
        StringBuilder refusal = new StringBuilder();
        new CommandLine(new ReproduceCommand())
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    refusal.append(failure.getMessage());
                    return 2;
                })
                .execute(file.toString(), "--out", directory.resolve("r").toString());
        assertThat(refusal)
                .contains("the unknown parameter \"sender\"")
                .contains("p95 completion of web?")
                .contains("\"0 * (\"");
    }

    @Test
    void failuresStandFirstAndSeedsInOneLine() throws Exception {
        Path file = directory.resolve("own.yaml");
        Files.writeString(
                file, SCENARIO.replace("at-least: \"$rate", "at-least: \"100000000 * $rate"));
        Path result = directory.resolve("r");
        assertThat(reproduce(file, "--seed", "1..3", "--out", result, "--json")).isEqualTo(1);
        JsonNode json = JsonMapper.builder().build().readTree(printed());
        assertThat(json.path("verdict").asString()).isEqualTo("FAIL");
        String page = Files.readString(result.resolve("report.html"));
        assertThat(page).contains("<p class=\"verdict fail\">FAIL", "class=\"headline\"");
        assertThat(page.indexOf(">FAIL<")).isLessThan(page.indexOf(">pass<"));
        assertThat(page).contains("<h1>headgate ");
    }

    /** Runs a script with a pandas that refuses, as its version 3 does, what 2.2 deprecated. */
    private static final String AS_PANDAS_3 =
            """
            import pandas, runpy, sys
            lenient = pandas.to_numeric
            def strict(arg, errors="raise", **rest):
                if errors not in ("raise", "coerce"):
                    raise ValueError("invalid error value specified")
                return lenient(arg, errors=errors, **rest)
            pandas.to_numeric = strict
            sys.argv = sys.argv[1:]
            runpy.run_path(sys.argv[0], run_name="__main__")
            """;

    /** The example notebook, as a script, by the python that has pandas. */
    @Test
    void theNotebookReadsTheTables() throws Exception {
        Path result = directory.resolve("r");
        assertThat(
                        reproduce(
                                "incast",
                                "--set",
                                "senders=3,5",
                                "--set",
                                "duration=300us",
                                "--seed",
                                "1..2",
                                "--out",
                                result))
                .isZero();
        Process python =
                new ProcessBuilder(
                                "/usr/bin/python3",
                                "-c",
                                AS_PANDAS_3,
                                Path.of("examples/notebook/sweep.py").toAbsolutePath().toString(),
                                result.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(python.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("frames dropped, by senders (frames)")
                .containsPattern("\n3 +[0-9.]+ +0.0 +2\n")
                .contains("highest queue, by run (kB)");
    }
}
