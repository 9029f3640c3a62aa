package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.figure.FigureCheck;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Mechanisms side by side: words and truths as parameters, several results in one figure. */
class SideBySideTest {
    private static final String SCENARIO =
            """
            name: side-by-side
            duration: 100us
            parameters:
              - {name: control, words: [rocc, dcqcn, none], default: [dcqcn, none]}
              - {name: marks, words: [true, false], default: true}
            topology:
              name: star
              mode: routed
              link: {rate: 10Gbps, delay: 1us}
              builder: {single-switch: {hosts: 3}}
              ports: {congestion: {red: {kmin: 5kB, kmax: 50kB, pmax: 0.2, enabled: $marks}}}
            traffic:
              - for: {i: 1..2}
                name: all
                from: h$i
                to: h3
                start: "$(round(random($seed, $i) * 20000))ns"
                ecn: ect0
                control: $control
              - {when: $marks, name: marked, from: h1, to: h2, size: 10kB}
            record: {interval: 10us, queues: [s1/p3], throughput: []}
            plot:
              - {y: highest queue, x: control, group: marks}
              - y: highest queue
                x: control
                name: words
                label: at most
                unit: MB
                width: 2
                points: true
                legend: {dcqcn: DCQCN, marks true: with marks, "false": no}
              - {y: queue s1/p3, facet: control}
            compare:
              - {by: control, to: none}
            """;

    @TempDir private static Path shared;
    @TempDir private Path directory;
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void catchOutput() {
        PrintStream caught = new PrintStream(out, true, StandardCharsets.UTF_8);
        System.setOut(caught);
        System.setErr(caught);
    }

    @AfterEach
    void giveOutputBack() {
        System.setOut(realOut);
        System.setErr(realErr);
    }

    private int execute(Object command, Object... arguments) {
        out.reset();
        return new CommandLine(command)
                .setExecutionExceptionHandler((e, _, _) -> {
                    System.out.println(e.getMessage());
                    return 2;
                })
                .execute(Stream.of(arguments).map(String::valueOf).toArray(String[]::new));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
    }

    /** One sweep for all tests. */
    private Path reproduced() throws Exception {
        Path result = shared.resolve("all");
        if (!Files.exists(result)) {
            Path file = shared.resolve("s.yaml");
            Files.writeString(file, SCENARIO);
            Object[] arguments = {
                file, "--seed", "1..3", "--set", "marks=true,false", "--out", result
            };
            assertThat(execute(new ReproduceCommand(), arguments)).as(printed()).isZero();
        }
        return result;
    }

    @Test
    void controlsOfOneSweepHaveOneFigureAndSeedsTellThemApart() throws Exception {
        Path result = reproduced();
        Path figures = result.resolve("figures");
        String report = Files.readString(result.resolve("report.html"));
        // Frames are not marked where marks are off, so nothing slows DCQCN down.
        assertThat(report.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " "))
                .contains("Means compared with control none; paired t-test over 3 seeds")
                .containsPattern("marks true dcqcn highest queue \\(byte\\).{1,70} yes ")
                .containsPattern(
                        "marks false dcqcn highest queue \\(byte\\).{1,30} 0 0 - - the same");
        String bars = Files.readString(figures.resolve("sweep-highest-queue.svg"));
        assertThat(FigureCheck.mistakes(bars)).isEmpty();
        // Of seeds there is a mean in each panel, and what is drawn is not drawn again.
        assertThat(Files.readString(figures.resolve("time-queue-s1-p3.csv")))
                .contains("control none,marks false,")
                .doesNotContain("seed");
        assertThat(figures.resolve("queue.svg")).doesNotExist();
    }

    @Test
    void resultsAreDrawnInOneFigureAndCompared() throws Exception {
        Path all = reproduced();
        Path drawn = directory.resolve("drawn");
        Object[] both = {
            "before=" + all,
            all,
            "--y",
            "highest queue",
            "--x",
            "control",
            "--name",
            "both",
            "--group",
            "result",
            "--out",
            drawn
        };
        assertThat(execute(new PlotCommand(), both)).as(printed()).isZero();
        assertThat(printed())
                .contains("Figure " + drawn.resolve("both.svg"), "24 runs")
                .contains("compared with result before", "control none, marks true all highest");
        assertThat(Files.readString(drawn.resolve("both.csv")))
                .startsWith("panel,series,control,highest queue (kB),low,high\n")
                .contains(
                        "\"result before, marks true\",none,",
                        "\"result all, marks false\",dcqcn,");
        assertThat(execute(new PlotCommand(), all)).isZero();
        assertThat(printed())
                .contains(
                        "Varied (--x, --group, --facet): control marks Measures (--y): frames sent")
                .contains("Series over time (--y): queue s1/p3");
        Object[] series = {all, "--y", "queue s1/p3", "--facet", "control", "--out", drawn};
        assertThat(execute(new PlotCommand(), series)).isZero();
        assertThat(drawn.resolve("time-queue-s1-p3.svg")).exists();
        String words =
                "--y|highest queue|--x|control|--title|Who waits|--label|at most|--unit|MB"
                        + "|--legend|none=nothing|--name|worded";
        List<Object> worded = new ArrayList<>(List.of(all, "--out", drawn));
        worded.addAll(List.of(words.split("\\|")));
        assertThat(execute(new PlotCommand(), worded.toArray())).as(printed()).isZero();
        assertThat(printed()).contains("Who waits.");
        assertThat(Files.readString(drawn.resolve("worded.svg")))
                .contains(">at most (MB)<", ">nothing<")
                .doesNotContain(">none<");
    }

    @Test
    void whatCannotBeDrawnIsRefusedWithWhatCan() throws Exception {
        Path all = reproduced();
        refuses(all, "--y|hihest queue", "--y cannot be 'hihest queue': highest queue?");
        refuses(all, "--y|highest queue|--x|controls", "--x cannot be 'controls': control?");
        refuses(all, "--y|queue s1/p3|--x|control", "--x control: queue s1/p3 is a series");
        refuses(all, "--y|completion of all|--ecdf", "allowed is one of completion of marked");
        refuses(all, "--y|highest queue|--log|z", "--log z: x, y or x,y is allowed");
        refuses(all, "--y|highest queue|--name|A b", "--name cannot be 'A b'");
        refuses(all, "--y|highest queue|--unit|ms", "--unit ms: 'highest queue' is in byte");
        refuses(all, "--y|highest queue|--legend|a=b|--legend|c=b", "shows two names alike");
        refuses(all, all + "|--y|highest queue", "two results are called all: NAME=DIR");
        refuses(directory.resolve("no"), "--y|highest queue", "there is no result");
    }

    private static final String STEADY =
            """
            name: steady
            duration: 1ms
            measure: {from: 200us, until: 600us}
            topology:
              {name: star, link: {rate: 10Gbps, delay: 1us}, builder: {single-switch: {hosts: 3}}}
            traffic:
              - {name: web, from: [h1, h2], to: h3, arrivals: {every: 100us, jitter: 20us, size: 10kB}}
              - {name: late, from: h1, to: h2, start: 400us, send: {rate: 1Gbps}}
            record: {interval: 20us}
            plot:
              - {y: completion of web, ecdf: true}
              - {y: throughput late, x: time}
            expect:
              - {measure: flows begun of web, near: 8, tolerance: 0}
              # Half of the window, and none of what follows it.
              - {measure: throughput of late, near: "0.5 * 1514 / 1538", tolerance: 0.05}
              - {measure: bytes received of late, near: "0.5 * 1514 / 1538 * 400 * 125", tolerance: 0.05}
            """;

    @Test
    void whatIsMeasuredIsOfTheWindowAndTheRestIsShaded() throws Exception {
        Path file = Files.writeString(directory.resolve("s.yaml"), STEADY);
        Path result = directory.resolve("r");
        assertThat(execute(new ReproduceCommand(), file, "--seed", "1..3", "--out", result))
                .as(printed())
                .isZero();
        assertThat(printed()).contains("PASS: 9 of 9 as expected.");
        String report = Files.readString(result.resolve("report.html"));
        assertThat(report)
                .contains("Measured from 200 µs until 600 µs; the rest is shaded.")
                .contains("24 flows of all seeds together, with the 95 % t-interval");
        String ecdf = Files.readString(result.resolve("figures/ecdf-completion-web.csv"));
        assertThat(ecdf.lines().skip(1).limit(200))
                .allMatch(row -> row.matches(",[^,]*(,[0-9.e-]+){4}"));
        for (String figure : new String[] {"time-throughput-late", "ecdf-completion-web"}) {
            String svg = Files.readString(result.resolve("figures/" + figure + ".svg"));
            assertThat(FigureCheck.mistakes(svg)).as(figure).isEmpty();
        }
    }

    private static final String DRAINED =
            """
            name: drained
            duration: 1ms
            measure: {from: 200us, until: 600us, drain: 5ms}
            topology:
              {name: star, link: {rate: 10Gbps, delay: 1us}, builder: {single-switch: {hosts: 3}}}
            traffic:
              # It takes 1.7 ms.
              - {name: big, from: h1, to: h2, start: 400us, size: 2MB}
              - {name: big, from: h3, to: h1, start: 400us, size: 10kB}
              - {name: after, from: h2, to: h3, start: 700us, size: 20MB}
            record: {interval: 20us}
            expect:
              - {measure: flows unfinished of big, near: OPEN, tolerance: 0}
              - {measure: throughput of big, near: "0.5 * 10 * 1514 / 1538", tolerance: 0.05}
            """;

    @Test
    void aRunGoesOnForTheFlowsThatAreMeasuredAndForNothingElse() throws Exception {
        for (boolean isLong : new boolean[] {true, false}) {
            String text = DRAINED.replace("OPEN", isLong ? "0" : "1");
            Path file =
                    Files.writeString(
                            directory.resolve("s.yaml"),
                            isLong ? text : text.replace("5ms", "100us"));
            Path result = directory.resolve("drained-" + isLong);
            assertThat(execute(new ReproduceCommand(), file, "--out", result))
                    .as(printed())
                    .isZero();
            assertThat(printed().contains("percentiles count them as slower")).isNotEqualTo(isLong);
            String measures = Files.readString(result.resolve("measures.csv"));
            assertThat(measures).contains("p50 completion,big");
            assertThat(measures.contains("p95 completion,big")).isEqualTo(isLong);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    from: 200us | from: 210us | measure: found 210.0 us; allowed: multiples of the interval of 'record', which is 20us
                    until: 600us | until: 2ms | measure: found 200.0 us to 2000.0 us; allowed: from a time until a later one, at most the run's end
                    from: 200us | from: 600us | measure: found 600.0 us to 600.0 us
                    interval: 20us | interval: 20us, throughput: [web] | measure: found traffic late whose throughput is not recorded
                    from: 200us | form: 200us | measure.form: found the unknown key
                    """)
    void aWindowThatDoesNotFitIsRefused(String was, String is, String sentence) throws Exception {
        assertThat(STEADY).contains(was);
        Path file = Files.writeString(directory.resolve("s.yaml"), STEADY.replace(was, is));
        assertThat(execute(new ReproduceCommand(), file)).isEqualTo(2);
        assertThat(printed()).contains(sentence);
    }

    @Test
    void aFigureHasTheWordsOfItsFile() throws Exception {
        Path figures = reproduced().resolve("figures");
        String svg = Files.readString(figures.resolve("words.svg"));
        assertThat(svg)
                .contains("width=\"504pt\"", ">DCQCN<", ">with marks<", ">no<", "at most (MB)")
                .doesNotContain("dcqcn");
        assertThat(FigureCheck.mistakes(svg)).isEmpty();
        assertThat(Files.readString(figures.resolve("words.csv")))
                .startsWith("panel,series,control,at most (MB),low,high\n,with marks,DCQCN,");
    }

    private void refuses(Path result, String arguments, String sentence) {
        Object[] all =
                Stream.concat(Stream.of(result), Stream.of(arguments.split("\\|"))).toArray();
        assertThat(execute(new PlotCommand(), all)).isEqualTo(2);
        assertThat(printed()).contains(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    by: control, to: none | by: controls | compare[0].by: found the unknown parameter "controls"
                    by: control, to: none | by: control, to: pcn | compare[0].to: found "pcn"; allowed: one value of control: rocc, dcqcn, none
                    by: control, to: none | by: control, measures: [queue] | compare[0].measures: found the unknown measure "queue"
                    by: control, to: none | to: none | compare[0].by: found nothing
                    control: $control | control: nothing | control: found "nothing"; allowed: one of
                    default: [dcqcn, none] | default: [dcqcn, other] | parameters[0].default: found "dcqcn,other"; allowed: one of words, or a list
                    {when: $marks, | {when: $control, | traffic[1].when: found
                    width: 2 | width: 3 | plot[1].width: found 3; allowed: 1 or 2
                    points: true | points: 7 | plot[1].points: found 7; allowed: true or false
                    label: at most | label: [a] | plot[1].label: found a list
                    unit: MB | unit: apples | plot[1].unit: found
                    "false": no | "false": DCQCN | plot[1].legend: found two names with the same text
                    """)
    void mistakesAreSaidWithTheirPlaces(String was, String is, String sentence) throws Exception {
        assertThat(SCENARIO).contains(was);
        Path file = directory.resolve("s.yaml");
        Files.writeString(file, SCENARIO.replace(was, is));
        assertThat(execute(new ReproduceCommand(), file)).isEqualTo(2);
        assertThat(printed()).contains(sentence);
    }
}
