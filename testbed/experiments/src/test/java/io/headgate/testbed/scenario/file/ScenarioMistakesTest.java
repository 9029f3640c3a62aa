package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A wrong scenario file: each mistake with its path, its line, what is there, what is allowed. */
class ScenarioMistakesTest {
    private static final String GOOD =
            """
            name: s
            duration: 2ms
            beds: [virtual, netns]
            scale: 10
            title: a title
            topology:
              name: star
              builder: {single-switch: {hosts: 4}}
            traffic:
              - {name: bursts, from: [h1, h2], to: h4, send: {rate: 1Gbps, on: 50us, off: 450us}}
              - {name: web, from: all, to: all, arrivals: {load: 0.1, workload: websearch_hpcc}}
              - {name: one, from: h1, to: h2, size: 1MB, window: 8, start: 1ms, stop: 2ms, frame: 1514B}
              - {name: noise, from: h3, to: h4, send: {poisson: 1Gbps}}
            record: {interval: 10us, throughput: [web], queues: [s1/p4]}
            expect:
              - {measure: frames dropped, at-most: 0}
              - {measure: throughput of web, near: 1, tolerance: 0.1}
            parameters:
              - {name: unused, unit: duration, default: 2ms, min: 1ms, max: 9ms}
            """;

    /** What is replaced by what, and what its one problem must say. */
    record Mistake(String was, String is, int line, String path, String found, String allowed) {}

    private static Mistake of(
            int line, String path, String was, String is, String found, String allowed) {
        return new Mistake(was, is, line, path, found, allowed);
    }

    static Stream<Mistake> ofTheWhole() {
        return Stream.of(
                of(1, "name", "name: s\n", "name: My Scenario\n", "My Scenario", "1 to 32 small"),
                of(1, "name", "name: s\n", "name: 7\n", "7", "such as my-incast"),
                of(2, "duration", "duration: 2ms", "duration: 2", "2 without a unit", "from 1us"),
                of(2, "duration", "duration: 2ms", "duration: 2000s", "2000s", "to 1000s"),
                of(2, "duration", "duration: 2ms", "duration: -2ms", "-2ms", "a time such as"),
                of(5, "titel", "title: a title", "titel: a title", "unknown key", "title?"),
                of(3, "beds[1]", "[virtual, netns]", "[virtual, real]", "real", "or netns"),
                of(3, "beds", "[virtual, netns]", "[]", "an empty list", "[virtual, netns]"),
                of(4, "scale", "scale: 10", "scale: 0", "0", "from 1 to 100000"),
                of(4, "scale", "scale: 10", "scale: 1.5", "1.5", "a whole number"),
                of(5, "title", "title: a title", "title: [a]", "a list", "text, such as"),
                of(
                        8,
                        "topology.builder.single-switch.hosts",
                        "hosts: 4",
                        "hosts: 1",
                        "1",
                        "2 to 128"),
                of(19, "parameters[0].unit", "unit: duration", "unit: time", "time", "rate, size"),
                of(19, "parameters[0].default", "default: 2ms", "default: 2s", "2s", "1ms to 9ms"),
                of(19, "parameters[0].default", "default: 2ms", "default: x", "x", "1ms to 9ms"),
                of(19, "parameters[0].max", "max: 9ms", "max: 9", "9", "such as 1ms"),
                of(19, "parameters[0]", "min: 1ms", "min: 1s", "from 1s to 9ms", "at most max"),
                of(19, "parameters[0].max", ", max: 9ms", "", "nothing", "such as 1ms"));
    }

    static Stream<Mistake> ofTraffic() {
        String first = "traffic[0]";
        String web = "traffic[1]";
        String one = "traffic[2]";
        return Stream.of(
                of(10, first + ".name", "name: bursts", "name: b u", "b u", "1 to 32 letters"),
                of(10, first + ".name", "name: bursts, ", "", "nothing", "such as web"),
                of(10, first + ".from[1]", "[h1, h2]", "[h1, h9]", "unknown host", "h1"),
                of(10, first + ".from", "[h1, h2]", "[]", "an empty list", "a list of hosts"),
                of(10, first + ".sent", "send: {r", "sent: {r", "unknown key", "send?"),
                of(10, first + ".send", ", off: 450us", "", "rate and on", "{rate: 1Gbps}"),
                of(
                        10,
                        first + ".send",
                        "rate: 1Gbps, on",
                        "poisson: 1Gbps, on",
                        "poisson",
                        "greedy"),
                of(
                        10,
                        first + ".send.rate",
                        "rate: 1Gbps",
                        "rate: 1000Gbps",
                        "1000Gbps",
                        "400Gbps"),
                of(10, first + ".send.on", "on: 50us", "on: 50", "50 without a unit", "10us"),
                of(
                        10,
                        first + ".send.random",
                        "on: 50us",
                        "random: 1, on: 50us",
                        "1",
                        "true or false"),
                of(11, web + ".arrivals", "load: 0.1, ", "", "workload", "one of load, every"),
                of(
                        11,
                        web + ".arrivals",
                        "load: 0.1, ",
                        "load: 0.1, every: 1ms, ",
                        "load and",
                        "sleep"),
                of(
                        11,
                        web + ".arrivals",
                        "load: 0.1, ",
                        "load: 0.1, jitter: 1us, ",
                        "jitter",
                        "every"),
                of(
                        11,
                        web + ".arrivals",
                        ", workload: websearch_hpcc",
                        "",
                        "load",
                        "size, workload and cdf"),
                of(11, web + ".arrivals.load", "load: 0.1", "load: 2", "2", "0.0001 to 1"),
                of(
                        11,
                        web + ".arrivals.workload",
                        "websearch_hpcc",
                        "websearch",
                        "unknown distribution",
                        "websearch_hpcc"),
                of(
                        11,
                        web + ".size",
                        "to: all, arr",
                        "to: all, size: 1MB, arr",
                        "a size with arrivals",
                        "within"),
                of(12, one, "to: h2, size", "to: h1, size", "itself alone", "two different"),
                of(12, one + ".size", "size: 1MB", "size: 1", "1 without a unit", "1MB"),
                of(12, one + ".window", "window: 8", "window: 1e9", "1000000000", "0 to 1048576"),
                of(12, one + ".frame", "1514B", "20kB", "20kB", "80B to 9014B"),
                of(12, one, "start: 1ms", "start: 3ms", "from 3000000000 ps to 2", "such as"),
                of(
                        13,
                        "traffic[3].send.poisson",
                        "poisson: 1Gbps",
                        "poisson: 1",
                        "1 without",
                        "Mbps"),
                of(
                        13,
                        "traffic[3].format",
                        "to: h4, send: {p",
                        "to: h4, format: tcp, send: {p",
                        "tcp",
                        "udp or rocev2"));
    }

    static Stream<Mistake> ofWhatIsRecordedAndExpected() {
        return Stream.of(
                of(14, "record", "interval: 10us", "interval: 1ns", "2000000 samples", "interval"),
                of(14, "record.interval", "interval: 10us", "interval: 10", "10 without", "10us"),
                of(14, "record.throughput[0]", "[web]", "[wob]", "unknown traffic", "web?"),
                of(14, "record.queues[0]", "s1/p4", "s1/p5", "unknown port", "s1/p4"),
                of(14, "record.queues[0]", "s1/p4", "p4", "unknown port \"p4\"", "s1/p4"),
                of(
                        16,
                        "expect[0].measure",
                        "frames dropped",
                        "frames droped",
                        "unknown measure",
                        "dropped?"),
                of(
                        16,
                        "expect[0]",
                        "at-most: 0",
                        "at-most: 0, near: 1",
                        "2 of near",
                        "exactly one"),
                of(16, "expect[0]", ", at-most: 0", "", "0 of near", "exactly one"),
                of(16, "expect[0].at-most", "at-most: 0", "at-most: ''", "\"\"", "such as 0"),
                of(16, "expect[0].if", "most: 0", "most: 0, if: ''", "\"\"", "a condition"),
                of(17, "expect[1].within", "tolerance: 0.1", "within: ''", "\"\"", "a number"),
                measure("value: ''", "value", "arithmetic with measures"),
                measure("reaches: queue s1/p4, level: ''", "level", "such as 150"),
                measure("last: queue s1/p4, above: ''", "above", "such as 150"),
                measure("samples: queue s1/p4, as: max, from: ''", "from", "such as 1ms"),
                of(
                        16,
                        "expect[0].at-moost",
                        "at-most: 0",
                        "at-moost: 0, near: 0",
                        "unknown key",
                        "at-most?"),
                of(17, "expect[1].near", "near: 1,", "near: much,", "much", "a number"),
                of(17, "expect[1].tolerance", "tolerance: 0.1", "tolerance: 10", "10", "0 to 1"));
    }

    /** One whose key says nothing. */
    private static Mistake measure(String keys, String key, String allowed) {
        String measures = "measures: [{name: m, " + keys + "}]\nexpect:\n";
        return of(15, "measures[0]." + key, "expect:\n", measures, "\"\"", allowed);
    }

    private static Mistake measured(String is, String found, String allowed) {
        return of(16, "expect[0].measure", "frames dropped", is, found, allowed);
    }

    static Stream<Mistake> ofMeasuresOfSeries() {
        String plots = "plot: [{y: mean of queue s1/p3}]\nexpect:\n";
        return Stream.of(
                measured(
                        "p99 of queue s1/p3",
                        "the series \"queue s1/p3\", which is not recorded",
                        "queue s1/p4? one of throughput web, queue s1/p4"),
                measured(
                        "mean of throughput bursts",
                        "the series \"throughput bursts\", which is not recorded",
                        "one of throughput web, queue s1/p4"),
                measured(
                        "max of s1/p4 queue.bytes",
                        "the series \"s1/p4 queue.bytes\", which is not recorded",
                        "one of throughput web, queue s1/p4"),
                measured(
                        "p100.1 of queue s1/p4",
                        "the unknown measure \"p100.1 of queue s1/p4\"",
                        "mean, max, sum, count or a percentile from p0 to p100, such as p99 of queue s1/p4"),
                measured("p of queue s1/p4", "the unknown measure", "from p0 to p100"),
                measured("p-1 of queue s1/p4", "the unknown measure", "from p0 to p100"),
                measured("median of queue s1/p4", "the unknown measure", "from p0 to p100"),
                measured("last of queue s1/p4", "the unknown measure", "from p0 to p100"),
                measured("max of ", "the unknown measure", "one of frames dropped"),
                of(
                        15,
                        "plot[0].y",
                        "expect:\n",
                        plots,
                        "the series \"queue s1/p3\", which is not recorded",
                        "queue s1/p4? one of"),
                of(
                        15,
                        "plot[0].y",
                        "expect:\n",
                        plots.replace("mean of queue s1/p3", "p101 of queue s1/p4"),
                        "the unknown measure",
                        "from p0 to p100"));
    }

    private static Mistake added(String lines, String path, String found, String allowed) {
        String alone = "beds: [virtual, netns]\nscale: 10\n";
        return of(3, path, alone, lines + "\n", found, allowed);
    }

    static Stream<Mistake> ofTiersAndClasses() {
        return Stream.of(
                added("tiers: {up: [s1/p9]}", "tiers.up[0]", "unknown host or port", "s1/p1"),
                added("tiers: {h1: [s1/p1]}", "tiers.h1", "the name \"h1\"", "no host has"),
                added("tiers: {a b: [s1/p1]}", "tiers.a b", "the name \"a b\"", "1 to 32 letters"),
                added(
                        "classes: [{name: short, of: wob}]",
                        "classes[0].of",
                        "the unknown traffic \"wob\"",
                        "web?"),
                added("classes: [{name: one, of: web}]", "classes[0].name", "a second one", "no"),
                added(
                        "classes: [{name: none, of: web, above: 2kB, to: 2kB}]",
                        "classes[0]",
                        "above 2000 B up to 2000 B",
                        "'above' less than 'to'"),
                added(
                        "plot: [{y: p99 slowdown of *, x: size}]",
                        "plot[0].y",
                        "\"p99 slowdown of *\"",
                        "'classes'"),
                added(
                        "plot: [{y: [queue s1/p3, throughput web], mean: true}]",
                        "plot[0].mean",
                        "series of several kinds",
                        "queue s1/p3 and queue s1/p4"));
    }

    @Test
    void theFileWithoutMistakesIsRead() {
        assertThat(ScenarioReader.read(GOOD, "s.yaml").about().name()).isEqualTo("s");
    }

    @ParameterizedTest
    @MethodSource({
        "ofTheWhole",
        "ofTraffic",
        "ofWhatIsRecordedAndExpected",
        "ofMeasuresOfSeries",
        "ofTiersAndClasses"
    })
    void everyMistakeHasPathLineWhatIsThereAndWhatIsAllowed(Mistake mistake) {
        assertThat(GOOD).contains(mistake.was);
        String text = GOOD.replace(mistake.was, mistake.is);
        ConfigException e =
                catchThrowableOfType(
                        ConfigException.class, () -> ScenarioReader.read(text, "s.yaml"));
        assertThat(e).as(text).isNotNull();
        assertThat(e.problems()).as(e.getMessage()).hasSize(1);
        ConfigProblem problem = e.problems().getFirst();
        assertThat(problem.path()).as(e.getMessage()).isEqualTo(mistake.path);
        assertThat(problem.line()).as(e.getMessage()).isEqualTo(mistake.line);
        assertThat(problem.found()).as(e.getMessage()).contains(mistake.found);
        assertThat(problem.allowed()).as(e.getMessage()).contains(mistake.allowed);
        assertThat(e).hasMessageStartingWith("s.yaml:" + mistake.line);
    }
}
