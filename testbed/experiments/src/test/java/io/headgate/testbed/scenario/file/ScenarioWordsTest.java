package io.headgate.testbed.scenario.file;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.Mechanisms;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words with which one file says what many entries, runs and series do. */
class ScenarioWordsTest {
    private static final String SHORT =
            """
            name: s
            duration: 1ms
            parameters:
              - {name: senders, unit: count, default: 3, min: 1, max: 9}
              - {name: detect, words: [tcd, red], default: "tcd,red"}
            let:
              - {name: share, unit: rate, value: 9Gbps / $senders}
              - {name: other, unit: word, value: "if($detect = tcd, red, tcd)"}
            require:
              - {that: $senders != 8, else: "$senders of $share each are $(8 * (9 / 8)) Gb/s"}
            topology:
              name: star
              builder: {single-switch: {hosts: $($senders + 1)}}
              ports:
                flow-control: pfc
                classify: {trust: port, default: 3}
                buffers: {xoff: 50kB, xon: 20kB}
                congestion:
                  tcd: {when: $detect = tcd, kmin: 5kB, kmax: 20kB, max-on: 97us}
                  red: {when: $detect = red, kmin: 5kB, kmax: 20kB}
            traffic:
              - for: {i: 1..$senders, late: [0, 10, 20]}
                name: f$i
                from: h$i
                stop: {when: $bed = netns, then: "$(500 + round(100 * random($seed, $i)))us"}
                to: h$($senders + 1)
                start: $(2 * $late * ($bed = virtual))us
                send: {rate: $share, late: forgone}
              - {when: $senders > 5, name: many, from: h1, to: h2}
            record: {queues: [s1/p$($senders + 1)], stopped: [h*], marks: [{when: $detect != x, then: f1}]}
            series:
              - {name: in all, of: throughput, per: 2, unit: Gb/s}
              - {name: unmarked, value: "[arrived f1] - [congested f1]", while: arrived f1, each: 20us, as: sum}
            measures:
              - {name: late, value: "[mean of in all from 0.5ms] + [frames dropped]", unit: Gb/s}
              - {name: at three, value: "sum([frames sent of f*], [frames dropped]) - max([frames sent of *], 1)"}
              - {name: together, value: "sum([mean of throughput f*])"}
              - {name: first, reaches: queue s1/p4, level: 1}
              - {name: quiet, settles: queue s1/p4, level: 10, over: 50us, from: 0.2ms}
              - {name: high, last: queue s1/p4, above: "[max of queue s1/p4] / 2"}
            expect:
              - {for: {i: 1..$senders}, measure: frames received of f$i, at-least: "[late] - 100"}
              - {measure: late, near: 4, within: 1, than: {detect: $other}, if: "[late] > 1"}
            say:
              - {text: "{late} of half, {sum of arrived f1} of f1"}
              - {text: "{mean of throughput f1} of f1"}
            plot:
              - {y: [queue s1/p4, in all], title: Both, most: 10, limits: [{name: ten, value: 10}]}
              - {y: frames received of f*, along: flow, expected: true, name: stopped}
              - {y: [throughput f1, throughput f2], mean: true, name: band}
            table: [{title: All, columns: [at three, quiet]}]
            """;

    private static final String LONG =
            """
            name: s
            duration: 1ms
            topology:
              name: star
              builder: {single-switch: {hosts: 4}}
              ports:
                flow-control: pfc
                classify: {trust: port, default: 3}
                buffers: {xoff: 50kB, xon: 20kB}
                congestion: {red: {kmin: 5kB, kmax: 20kB}}
            traffic:
              - {name: f1, from: h1, to: h4, start: 0us, send: {rate: 3Gbps, late: forgone}}
              - {name: f2, from: h2, to: h4, start: 20us, send: {rate: 3Gbps, late: forgone}}
              - {name: f3, from: h3, to: h4, start: 40us, send: {rate: 3Gbps, late: forgone}}
            record: {queues: [s1/p4], stopped: [h1, h2, h3, h4], marks: [f1]}
            """;

    private static Values values(FileScenario scenario, String detect) {
        List<Parameter> parameters = scenario.parameters();
        return parameters.isEmpty()
                ? new Values(List.of(), List.of())
                : new Values(parameters, List.of(3.0, detect));
    }

    private static Definition define(String text, String detect) {
        FileScenario scenario = (FileScenario) ScenarioReader.read(text, "s.yaml");
        return scenario.with(values(scenario, detect), BedKind.VIRTUAL, 1);
    }

    @Test
    void aShortFileSaysWhatALongOneDoes() {
        Experiment made = define(SHORT, "red").experiment();
        assertThat(made).isEqualTo(define(LONG, "").experiment());
        assertThat(made.flows().getFirst().pattern())
                .isEqualTo(
                        new SendPattern.ConstantRate(3_000_000_000L, SendPattern.Lateness.FORGONE));
        assertThat(define(SHORT, "tcd").experiment().topology().ports())
                .isNotEqualTo(made.topology().ports());
    }

    @Test
    void aFileMaySayOtherThingsOfEachBedAndSeed() {
        FileScenario scenario = (FileScenario) ScenarioReader.read(SHORT, "s.yaml");
        assertThat(scenario.with(values(scenario, "tcd"), BedKind.NETNS, 1).experiment().flows())
                .hasSize(3)
                .allMatch(flow -> flow.startPs() == 0)
                .allMatch(flow -> flow.stopPs() >= 500_000_000 && flow.stopPs() <= 600_000_000)
                .extracting(FlowSpec::stopPs)
                .doesNotHaveDuplicates()
                .isNotEqualTo(
                        scenario
                                .with(values(scenario, "tcd"), BedKind.NETNS, 2)
                                .experiment()
                                .flows()
                                .stream()
                                .map(FlowSpec::stopPs)
                                .toList());
    }

    /** What a file says in these keys. */
    private static <R extends Record> R said(Class<R> entry, Map<String, Object> keys) {
        return Objects.requireNonNull(
                Section.of(entry)
                        .read(
                                Place.nowhere().saying(keys),
                                Known.of(Map.of(ScenarioFile.NAME, "s"))));
    }

    private static Series made(String key, Object value, List<Series> seen) {
        return said(
                        DerivedSeries.class,
                        key.equals("value") || key.equals("of")
                                ? Map.of(key, value)
                                : Map.of("of", "arrived", "per", 2, "each", "20us", key, value))
                .from(List.of(), seen, 10);
    }

    private static Series named(String name, double... values) {
        double[] times = IntStream.range(0, values.length).mapToDouble(i -> 10 * i).toArray();
        return new Series(name, "", times, values);
    }

    @Test
    void seriesAreMadeOfOthers() {
        List<Series> seen =
                List.of(
                        named("arrived a", 0, 2, 4, 6, 8, 10, 12),
                        named("arrived b", 0, 0, 0, 0, 0, 0, 2),
                        named("counter s1/p1 stops", 5, 5, 7, 7, 8, 8, 8));
        assertThat(made("unit", "", seen).values()).containsExactly(0, 1, 2, 3, 4, 5, 7);
        assertThat(made("of", "* a", seen).max()).isEqualTo(12);
        // It grows at 20 and 40; what had passed before has arrived by 30 and 50.
        assertThat(made("while", "s1/p1 stops", seen).timesUs()).containsExactly(40, 50);
        assertThat(made("value", "[arrived a] > 3 and [s1/p1 stops] = 7", seen).values())
                .containsExactly(0, 0, 1, 1, 0, 0, 0);
        assertThat(made("as", "sum", seen).timesUs()).containsExactly(0, 20, 40, 60);
        assertThat(made("as", "sum", seen).values()).containsExactly(0, 3, 7, 12);
        assertThat(made("as", "mean", seen).values()).containsExactly(0, 1.5, 3.5, 6);
        assertThat(made("as", "growth", seen).values()).containsExactly(0, 2, 2, 3);
    }

    /** Names with stars stand for several series; flows one by one have the times they began at. */
    @Test
    void seriesAreMadeOfAllThatAStarStandsForAndOfTimes() {
        List<Series> seen =
                List.of(
                        named("queue s1/p1", 1, 5),
                        named("queue s1/p2", 3, 2),
                        named("flow completion of f", 7, Double.NaN));
        assertThat(made("value", "max([queue *]) + [time]", seen).values()).containsExactly(3, 15);
        String taken = "if([flow completion of f] >= 0, [flow completion of f], 100 - [time])";
        assertThat(made("value", taken, seen).values()).containsExactly(7, 90);
        // No star is a series of flows; of traffic of which no flow began there is nothing.
        assertThat(made("value", "max([*]) + [flow completion of g]", seen).values())
                .containsExactly(Double.NaN, Double.NaN);
        assertThat(made("value", "max([*])", seen).values()).containsExactly(3, 5);
    }

    @Test
    void seriesWithoutTimesInCommonMakeNone() {
        String sized = "traffic:\n  - {name: u, from: h2, to: h1, size: 1kB}\n";
        for (String of : List.of("[throughput t]", "max([throughput *])")) {
            isRefused(
                    "traffic:\n",
                    "series: [{name: x, value: \"" + of + " + [flow size of u]\"}]\n" + sized,
                    "series[0].value: found throughput ");
        }
    }

    /** Stars may stand for the same, and for a great many. */
    @Test
    void eachCounterIsRecordedOnceAndNotTooMany() {
        String text = SMALL + "record: {counters: [s1/p1 rx.frames, \"s1/p* rx.frames\"]}\n";
        FileScenario scenario = (FileScenario) ScenarioReader.read(text, "s.yaml");
        assertThat(
                        scenario.with(
                                        new Values(scenario.parameters(), List.of(300.0)),
                                        BedKind.VIRTUAL,
                                        1)
                                .experiment()
                                .recording()
                                .of(Recording.Kind.COUNTER))
                .containsExactly("s1/p1 rx.frames", "s1/p2 rx.frames", "s1/p3 rx.frames");
        String many =
                IntStream.range(0, 800).mapToObj(i -> "\"* c" + i + "\"").collect(joining(", "));
        isRefused(
                "traffic:\n",
                "record: {counters: [" + many + "]}\ntraffic:\n",
                "record.counters: found a series of each of 10400 counters; allowed: at most"
                        + " 10000");
    }

    @Test
    void aNumberOfSamplesIsBetweenTimesThatAreMeasured() {
        List<Series> seen = List.of(named("arrived a", 0, 9, 2, 4, 3, 3, 1));
        Map<String, Object> keys =
                Map.of("samples", "arrived a", "as", "p0", "from", "10", "to", "[six] * 8");
        assertThat(measured(keys, seen)).isEqualTo(2);
    }

    @Test
    void controlsOfJarsAreWordsAndPortsHaveWhatOneNeeds() {
        String text =
                SMALL.replace(
                                "parameters: [",
                                "parameters: [{name: control, words: [mine, dcqcn], mechanisms:"
                                        + " rate-control}, ")
                        .replace("topology: {", "topology: {for-control: dcqcn, ");
        FileScenario scenario = (FileScenario) ScenarioReader.read(text, "s.yaml");
        Parameter control = scenario.parameters().getFirst();
        assertThat(control.words())
                .startsWith("mine", "dcqcn")
                .contains("rocc", "icc", "lipd")
                .doesNotContain("fixed", "none")
                .doesNotHaveDuplicates();
        assertThat(control.defaults()).isEqualTo(List.copyOf(control.words()));
        Values values = new Values(scenario.parameters(), List.of("dcqcn", 2.0));
        assertThat(scenario.with(values, BedKind.VIRTUAL, 1).experiment().topology().ports().said())
                .extracting("congestion")
                .asString()
                .contains("red");
        String own =
                text.replace(
                        "for-control", "ports: {congestion: {tcd: {max-on: 97us}}}, for-control");
        assertThatThrownBy(() -> ScenarioReader.read(own, "s.yaml"))
                .hasMessageContaining(
                        "topology.for-control: found dcqcn although ports have their own congestion;"
                                + " allowed: one of the two");
        String pauses =
                text.replace(
                        "for-control: dcqcn", "ports: {flow-control: pfc}, for-control: ib-cc");
        assertThatThrownBy(() -> ScenarioReader.read(pauses, "s.yaml"))
                .hasMessageContaining(
                        "topology.for-control: found ib-cc, which needs credits, but ports have"
                                + " flow-control: pfc");
        String either =
                own.replace("{tcd: {max-on: 97us}}", "{when: $control = mine, tcd: {max-on: 97us}}")
                        .replace(
                                "for-control: dcqcn",
                                "for-control: {when: $control != mine, then: dcqcn}");
        FileScenario detected = (FileScenario) ScenarioReader.read(either, "s.yaml");
        Values ofMine = new Values(scenario.parameters(), List.of("mine", 2.0));
        for (Values one : List.of(values, ofMine)) {
            boolean isMine = one == ofMine;
            assertThat(
                            detected.with(one, BedKind.VIRTUAL, 1)
                                    .experiment()
                                    .topology()
                                    .ports()
                                    .said())
                    .extracting("congestion")
                    .asString()
                    .contains(isMine ? "tcd" : "red")
                    .doesNotContain(isMine ? "red" : "tcd");
        }
        isRefused(
                "topology: {",
                "topology: {for-control: dcqn, ",
                "topology.for-control: found the unknown rate control \"dcqn\"; allowed:");
    }

    /** It stands in the file as it is, commas and braces too, and words follow from it. */
    @Test
    void aParameterMayBeAnyText() throws Exception {
        String text =
                SMALL.replace(
                                "parameters: [",
                                "parameters: [{name: points, text: true, default: '{}'}, ")
                        .replace("topology: {", "topology: {ports: {congestion: $own}, ")
                        .replace(
                                "let: [",
                                "let: [{name: own, unit: text, value: \"if('$points' != '{}',"
                                        + " '$points', '{red: {kmin: 5kB, kmax: 9kB}}')\"}, ");
        FileScenario scenario = (FileScenario) ScenarioReader.read(text, "s.yaml");
        Parameter points = scenario.parameters().getFirst();
        assertThat(points.parse("{tcd: {kmin: 1kB}, x: 2}"))
                .containsExactly("{tcd: {kmin: 1kB}, x: 2}");
        assertThat(points.range()).isEqualTo("any text");
        for (String wrong : List.of("a'b", "a\"b", "a\\b", "$a", "a\nb", "x".repeat(401))) {
            assertThatThrownBy(() -> points.parse(wrong))
                    .as(wrong)
                    .hasMessageContaining("without quotation marks");
        }
        for (String one : List.of("{}", "{tcd: {kmin: 5kB, kmax: 20kB, max-on: 97us}}")) {
            Values values = new Values(scenario.parameters(), List.of(one, 2.0));
            assertThat(
                            scenario.with(values, BedKind.VIRTUAL, 1)
                                    .experiment()
                                    .topology()
                                    .ports()
                                    .said()
                                    .toString())
                    .contains(one.equals("{}") ? "{red={kmin=5kB" : "{tcd={kmin=5kB");
        }
    }

    private static double measured(Map<String, Object> keys, List<Series> seen) {
        return said(OwnMeasure.class, keys)
                .measure(seen, _ -> 6, new OwnMeasure.Times(10, 1000))
                .value();
    }

    private static double last(String level, boolean above, int samples) {
        List<Series> seen = List.of(named("arrived a", 0, 9, 2, 4, 3, 3, 1));
        String over = 10 * samples + "us";
        return measured(
                Map.of("last", "arrived a", "over", over, above ? "above" : "below", level), seen);
    }

    @Test
    void theLastTimeBeyondALevelIsTheBeginningOfTheLastMeanThatIs() {
        assertThat(last("[six] / 2", true, 1)).isEqualTo(30);
        assertThat(last("3", true, 2)).isEqualTo(30);
        assertThat(last("3", false, 2)).isEqualTo(50);
        assertThat(last("0", false, 1)).isZero();
        assertThat(last("1", false, 9)).isZero();
    }

    @Test
    void runsAreMeasuredComparedAndDrawn() throws Exception {
        FileScenario scenario = (FileScenario) ScenarioReader.read(SHORT, "s.yaml");
        assertThat(scenario.parameters().get(1).defaultText()).isEqualTo("tcd,red");
        List<CellResult> results =
                IntStream.range(0, 2)
                        .mapToObj(i -> {
                            Values values = values(scenario, i == 0 ? "tcd" : "red");
                            Cell cell = new Cell(i, values, 1, BedKind.VIRTUAL, 1);
                            return new CellResult(cell, run(scenario, cell), null, 0);
                        })
                        .toList();
        Outcome first = results.getFirst().outcomeOrThrow();
        // Half of three flows of 3 Gb/s, less preamble, FCS and gap.
        assertThat(first.measure("late")).isCloseTo(4.5 * 1514 / 1538, within(0.1));
        assertThat(first.measure("first")).isBetween(1.0, 1000.0);
        assertThat(first.measure("at three"))
                .isEqualTo(first.measure("frames sent of f2") + first.measure("frames sent of f3"));
        // One of the three is measured by itself, too, and all are meant.
        assertThat(first.measure("together"))
                .isBetween(2.5 * first.measure("mean of throughput f1"), 9.0);
        assertThat(first.measure("sum of arrived f1"))
                .isEqualTo(first.measure("frames received of f1"));
        var findings = scenario.conclude(results);
        assertThat(findings.checks()).hasSize(8);
        Check compared = findings.checks().get(3);
        assertThat(compared.what()).isEqualTo("late, of that with red (detect tcd)");
        assertThat(compared.unit()).isEqualTo("times");
        assertThat(compared.measured()).isCloseTo(1, within(0.1));
        assertThat(compared.tolerance()).isEqualTo(1);
        assertThat(findings.statements().getFirst())
                .matches("4\\.\\d+ Gb/s of half, \\d+ frames of f1 \\(detect tcd\\)");
        assertThat(findings.figures().getFirst().title()).isEqualTo("Both");
        assertThat(findings.figures().getFirst().y().cut()).isEqualTo(10);
        assertThat(findings.figures().get(1).lines()).hasSize(4);
        assertThat(findings.figures().get(2).lines())
                .hasSize(2)
                .allSatisfy(line -> {
                    assertThat(line.y()[1]).isGreaterThan(line.low()[1]);
                    assertThat(line.y()[1]).isEqualTo((line.low()[1] + line.high()[1]) / 2);
                });
        var table = findings.tables().getFirst();
        assertThat(table.title()).isEqualTo("All");
        assertThat(table.table().headings()).containsExactly("detect", "at three", "quiet (us)");
        assertThat(table.table().rows()).hasSize(2).first().asString().startsWith("[tcd, ");
        // Each has files of its own, whatever the file calls it.
        assertThat(findings.figures()).extracting(Figure::name).doesNotHaveDuplicates();
        // What they draw is not drawn once more: f1's throughput is in the sum.
        assertThat(findings.figures()).noneMatch(figure -> figure.name().equals("throughput"));
    }

    private static Outcome run(FileScenario scenario, Cell cell) {
        try {
            return scenario.run(cell, new QuietRun());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1..$senders, late     | 1..4, late          | traffic[0].for: found a mapping; allowed: names with equal numbers of values
                    {i: 1..$senders}      | {i: x}              | expect[0].for: found a mapping; allowed: names with equal numbers of values
                    that: $senders != 8   | that: $senders ! 8  | require[0].that: found "$senders ! 8"; allowed: a condition, such as
                    when: $senders > 5    | when: $sender > 5   | traffic[1].when: found "$sender > 5"; allowed: $senders? (or a condition
                    h$($senders + 1)      | h$($senders +)      | traffic[0].to: found "h$(3 +)"; allowed: arithmetic, such as
                    9Gbps / $senders      | 9Gbps / sender      | let[0].value: found "9Gbps / sender"; allowed: arithmetic with parameters
                    "tcd,red"}            | tdc}                | parameters[1].default: found "tdc"; allowed: one of words
                    words: [tcd, red],    | text: true, words: [tcd, red], | parameters[1]: found more than one of unit, words and text; allowed: unit, default, min
                    words: [tcd, red], default: "tcd,red" | text: true, default: "a\\\\b" | parameters[1].default: found "a\\b"; allowed: a line of up to 400
                    words: [tcd, red],    |                     | parameters[1]: found neither unit nor words; allowed: unit, default, min
                    - {name: share        | - {name: detect     | let[0].name: found a second parameter detect; allowed: each name once
                    of: throughput        | of: through         | series[0].of: found the series "through", which is not recorded
                    + [frames dropped]    | + [frames droped]   | measures[0].value: found the unknown measure "frames droped"; allowed: frames dropped?
                    sent of f*]           | sent of g*]         | measures[1].value: found the unknown measure "frames sent of g*"; allowed: frames sent of f
                    sum([frames sent of f*] | ([frames sent of f*] | measures[1].value: found "([frames sent of f*]
                    stopped: [h*]         | stopped: [g*]       | record.stopped[0]: found the unknown host or port "g*"; allowed:
                    , level: 1}           | }                   | measures[3]: found name and reaches; allowed: a mapping with name and one of
                    each: 20us, as: sum}  | as: sum}            | series[1]: found name and value and while and as; allowed: a mapping with name and one of of
                    "[arrived f1] -       | "[arrived f2] -     | series[1].value: found the series "arrived f2", which is not recorded
                    while: arrived f1     | while: arrived      | series[1].while: found the series "arrived", which is not recorded
                    {rate: $share,        | {poisson: $share,   | traffic[0].send: found poisson and late; allowed:
                    late: forgone         | late: lost          | traffic[0].send.late: found "lost"; allowed: made-up or forgone
                    name: share, unit     | name: bed, unit     | let[0].name: found the reserved name bed; allowed: another name: the run itself sets $bed
                    level: 1}             | level: "[lat]"}     | measures[3].level: found the unknown measure "lat"; allowed: late?
                    above: "[max of       | level: "[max of     | measures[5]: found name and last and level; allowed: a mapping with name and one of
                    columns: [at three,   | columns: [at thre,   | table[0].columns: found the unknown measure "at thre"; allowed: at three?
                    reaches: queue s1/p4  | reaches: queue s1/p1 | measures[3].reaches: found the series "queue s1/p1", which is not recorded
                    "[late] - 100"        | "[lat] - 100"       | expect[0].at-least: found the unknown measure "lat"; allowed: late?
                    "[late] > 1"          | "[lat] > 1"         | expect[3].if: found the unknown measure "lat"; allowed: late?
                    {detect: $other}      | {detec: $other}     | expect[3].than.detec: found the unknown parameter "detec"; allowed: one of senders, detect
                    "{late} of            | "{lat} of           | say[0].text: found the unknown measure "lat"; allowed: late?
                    , last: queue s1/p4   | , samples: queue s1/p4 | measures[5]: found name and samples and above; allowed: a mapping with name and one of
                    table: [{             | rank: [{title: W, by: detec}]#table | rank[0].by: found the unknown parameter "detec"
                    table: [{             | rank: [{title: W, by: detect, most: lat}]#table | rank[0]: found the unknown measure "lat"; allowed: late?
                    reaches: queue s1/p4  | reaches: queue s1/* | measures[3].reaches: found the series "queue s1/*", which is not recorded
                    while: arrived f1     | while: arrived *    | series[1].while: found the series "arrived *", which is not recorded
                    {sum of arrived f1}   | {sum of arrived *}  | say[0].text: found the series "arrived *", which is not recorded
                    - {measure: late, near | - {like: queue s1/*, near | expect[3].like: found the series "queue s1/*", which is not recorded
                    "[arrived f1] -       | "[flow completion of f1] - | series[1].value: found the series "flow completion of f1"; allowed: such a series of traffic with 'size'
                    y: frames received of f* | y: frames got of f* | plot[1].y: found "frames got of f*"; allowed:
                    """)
    void aMistakeIsOneSentenceWithItsPlace(String was, String is, String sentence) {
        String wrong = SHORT.replace(was, is == null ? "" : is.replace("#table", "\ntable: [{"));
        assertThat(wrong).isNotEqualTo(SHORT);
        assertThatThrownBy(() -> ScenarioReader.read(wrong, "s.yaml"))
                .hasMessageContaining(sentence);
    }

    private static final String SMALL =
            """
            name: small
            duration: 1ms
            parameters: [{name: senders, unit: count, default: 300, min: 1, max: 1000}]
            let: [{name: share, value: 1 / $senders}, {name: each, unit: rate, value: 30Gbps * $share}]
            topology: {name: t, link: {rate: 10Gbps}, builder: {single-switch: {hosts: 3}}}
            traffic:
              - {name: t, from: h1, to: h2, send: {rate: $each}}
            """;

    private static void isRefused(String was, String is, String sentence) {
        String wrong = SMALL.replace(was, is);
        assertThat(wrong).isNotEqualTo(SMALL);
        assertThatThrownBy(() -> ScenarioReader.read(wrong, "s.yaml"))
                .hasMessageContaining(sentence);
    }

    @Test
    void smallNumbersAreReadBack() {
        assertThat(ScenarioReader.read(SMALL, "s.yaml").about().name()).isEqualTo("small");
    }

    /** However few letters say it, what is made of a file is bounded. */
    @Test
    void filesThatGrowAreRefused() {
        String names =
                IntStream.range(0, 17).mapToObj(i -> "n" + i + ": 1..2").collect(joining(", "));
        isRefused("- {name: t,", "- {for: {" + names + "}, name: t,", "16 names at most");
        isRefused("- {name: t,", "- {for: {i: 1..10001}, name: t,", "10000 entries and");
        String list = IntStream.range(0, 100).mapToObj(Integer::toString).collect(joining(","));
        isRefused(
                "- {name: t,",
                "- {for: {i: 1..9000}, sizes: [" + list + "], name: t,",
                "500000 values at most in all entries that 'for' creates");
        String word = "x".repeat(3000);
        isRefused(
                "- {name: t,",
                "- {for: {a: [" + word + "]}, name: $a$a,",
                "a text of at most 4096 characters");
        isRefused(
                "value: 1 / $senders}, {name: each, unit: rate, value: 30Gbps * $share}",
                "unit: word, value: a}, {name: each, unit: word, value: "
                        + "$share".repeat(65)
                        + "}",
                "let[1].value");
    }

    @Test
    void queuesOfAllPortsTogetherAreSaidByTheirNames() {
        String was = "topology: {";
        isRefused(
                was,
                was + "domain: {crosbar: {}}, ",
                "topology.domain.crosbar: found the unknown mechanism \"crosbar\"; allowed:"
                        + " crossbar?");
        isRefused(
                was,
                "model: {acknowledgements: {link: 20}}\n" + was,
                "model.acknowledgements.link: found 20 without a unit; allowed: a time such as");
        String text = SMALL.replace(was, was + "domain: {crossbar: {}}, ");
        FileScenario scenario = (FileScenario) ScenarioReader.read(text, "s.yaml");
        Values values = new Values(scenario.parameters(), List.of(2.0));
        assertThat(scenario.with(values, BedKind.VIRTUAL, 1).experiment().topology().mechanisms())
                .isNotEqualTo(Mechanisms.OfSwitches.NONE);
    }

    @Test
    void forAndWhenWhereTheySayNothingAreUnknownKeys() {
        isRefused(
                "topology: {",
                "topology: {for: {i: 1..2}, ",
                "topology.for: found the unknown key \"for\"");
        isRefused("duration: 1ms", "duration: 1ms\nwhen: 1 > 2", "found the unknown key \"when\"");
    }

    @Test
    void valuesThatDoNotGoTogetherAreRefusedInTheFilesOwnWords() {
        FileScenario scenario = (FileScenario) ScenarioReader.read(SHORT, "s.yaml");
        Values values = new Values(scenario.parameters(), List.of(8.0, "tcd"));
        assertThatThrownBy(() -> scenario.check(values))
                .hasMessage("8 of 1125Mbps each are 9 Gb/s");
    }

    private static Series series(double... values) {
        double[] times = IntStream.range(0, values.length).mapToDouble(i -> 10 * i).toArray();
        return new Series("queue s1/p1", "kB", times, values);
    }

    @ParameterizedTest
    @CsvSource({
        "mean of queue s1/p1 from 20us, 25",
        "mean of queue s1/p1 from 10us to 30us, 15",
        "max of queue s1/p1 to 0.03ms, 20",
        "p0 of queue s1/p1 from 20us, 20",
        // What is counted at a time was counted before it.
        "sum of queue s1/p1 from 10us, 50",
        "sum of queue s1/p1 from 10us to 20us, 20",
        "count of queue s1/p1 from 10us, 2",
        "mean of queue s1/p1 from 1ms, NaN",
    })
    void statisticsAreOfAWindow(String name, Double expected) {
        SeriesMeasure measure = SeriesMeasure.parse(name);
        assertThat(measure).isNotNull();
        assertThat(measure.of()).isEqualTo("queue s1/p1");
        assertThat(Double.valueOf(measure.measure(series(0, 10, 20, 30)).value()))
                .isEqualTo(expected);
    }

    /** Means of two samples each: 5, 9, 10, 11, 20, 20, 10. */
    @ParameterizedTest
    @CsvSource({"0, 1000, 60", "0, 50, 10", "20, 50, 0", "0, 60, NaN", "80, 1000, NaN"})
    void aSeriesHasSettledWhereItsMeansStay(double fromUs, double toUs, Double expectedUs) {
        Map<String, Object> keys =
                Map.of(
                        "settles",
                        "queue s1/p1",
                        "level",
                        "10",
                        "tolerance",
                        0.1,
                        "over",
                        "20us",
                        "from",
                        fromUs + "us",
                        "to",
                        toUs + "us");
        double measured = measured(keys, List.of(series(0, 10, 8, 12, 10, 30, 10, 10)));
        assertThat(Double.valueOf(measured)).isEqualTo(expectedUs);
    }

    @Test
    void aRunWithoutTheOtherIsNotCompared() {
        Expectation expected =
                said(
                        Expectation.class,
                        Map.of(
                                "measure",
                                "m",
                                "at-least",
                                "1.5",
                                "than",
                                Map.of("detect", "red"),
                                "if",
                                "[m] > 3"));
        FileScenario scenario = (FileScenario) ScenarioReader.read(SHORT, "s.yaml");
        List<CellResult> both =
                DoubleStream.of(8, 4)
                        .mapToObj(value -> result(scenario, value == 8 ? "tcd" : "red", value))
                        .toList();
        assertThat(expected.check(both.getFirst(), both, ""))
                .extracting(check -> check.measured())
                .isEqualTo(2.0);
        assertThat(expected.check(both.getFirst(), both.subList(0, 1), "")).isNull();
        assertThat(expected.unjudged(both.getFirst(), both, "")).isEmpty();
        assertThat(expected.unjudged(both.getFirst(), both.subList(0, 1), "")).isEmpty();
    }

    @Test
    void aRunOfWhichAConditionDoesNotHoldIsNotJudgedAndSaysSo() {
        Expectation expected =
                said(
                        Expectation.class,
                        Map.of(
                                "measure",
                                "m",
                                "near",
                                "1",
                                "than",
                                Map.of("detect", "red"),
                                "if",
                                "[m] > 3",
                                "tolerance",
                                0));
        FileScenario scenario = (FileScenario) ScenarioReader.read(SHORT, "s.yaml");
        List<CellResult> few = List.of(result(scenario, "tcd", 2), result(scenario, "red", 2.5));
        assertThat(expected.check(few.getFirst(), few, "")).isNull();
        assertThat(expected.unjudged(few.getFirst(), few, " (detect tcd)"))
                .isEqualTo(
                        "m (detect tcd) is not judged: its value is 2, the other 2.5; required: m >"
                                + " 3, of both");
        for (double value : List.of(2.0, 4.0)) {
            List<CellResult> oneHas =
                    List.of(result(scenario, "tcd", value), result(scenario, "red", 6 - value));
            assertThat(expected.check(oneHas.getFirst(), oneHas, "")).isNull();
            assertThat(expected.judges(oneHas.getFirst(), oneHas)).isFalse();
        }
        List<CellResult> equal = List.of(result(scenario, "tcd", 4), result(scenario, "red", 4));
        assertThat(expected.check(equal.getFirst(), equal, "")).matches(Check::passed);
    }

    @Test
    void aMeanOverSeedsIsJudgedWhereThereAreEnough() {
        Expectation expected =
                said(Expectation.class, Map.of("measure", "m", "at-most", "2.5", "seeds", 3L));
        FileScenario scenario = (FileScenario) ScenarioReader.read(SHORT, "s.yaml");
        List<CellResult> seeds =
                DoubleStream.of(1, 2, 3)
                        .mapToObj(value -> result(scenario, "tcd", (long) value, value))
                        .toList();
        Check check = expected.check(seeds.getFirst(), seeds, " (seed 1)");
        assertThat(check).isNotNull();
        assertThat(check.what()).isEqualTo("mean m");
        assertThat(check.measured()).isEqualTo(2.0);
        assertThat(expected.check(seeds.get(1), seeds, " (seed 2)")).isNull();
        assertThat(expected.check(seeds.getFirst(), seeds.subList(0, 2), "")).isNull();
    }

    private static CellResult result(FileScenario scenario, String detect, double value) {
        return result(scenario, detect, 1, value);
    }

    private static CellResult result(
            FileScenario scenario, String detect, long seed, double value) {
        Cell cell = new Cell(0, values(scenario, detect), seed, BedKind.VIRTUAL, 1);
        Outcome outcome =
                new Outcome(
                        "", List.of(new Measure("m", "", value)), List.of(), List.of(), Map.of());
        return new CellResult(cell, outcome, null, 0);
    }
}
