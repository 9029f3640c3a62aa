package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReproduceCommandTest {
    private static final int REFUSED = 9;

    @TempDir private Path directory;

    private final PrintStream realOut = System.out;
    private ByteArrayOutputStream out = new ByteArrayOutputStream();
    private String refusal = "";

    @BeforeEach
    void catchOutput() {
        out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveOutputBack() {
        System.setOut(realOut);
    }

    private int execute(Object command, Object... arguments) {
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        return new CommandLine(command)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    refusal = String.valueOf(failure.getMessage());
                    return REFUSED;
                })
                .execute(words);
    }

    private int reproduce(Object... arguments) {
        return execute(new ReproduceCommand(), arguments);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void listsScenariosAndTheirParameters() {
        assertThat(reproduce("list")).isZero();
        assertThat(printed()).contains("incast", "mg1", "four-port-incast");
        assertThat(reproduce("list", "mg1", "--json")).isZero();
        assertThat(printed()).contains("\"default\" : \"0.1,0.3,0.5,0.7\"");
    }

    @Test
    void runsAScenarioAndSaysWhetherItPassed() throws Exception {
        Path dir = directory.resolve("r");
        int code = reproduce("incast", "--set", "duration=500us", "--out", dir, "--jobs", 1);
        assertThat(code).isZero();
        assertThat(printed()).contains("pass  throughput at the end", "PASS: 4 of 4 as expected.");
        assertThat(dir.resolve("report.html")).exists();
        assertThat(dir.resolve("figures/queue.svg")).exists();
        assertThat(Files.readString(dir.resolve("series.csv")))
                .startsWith("run,series,unit,time (us),value\n0,throughput,Gb/s,");
    }

    @Test
    void printsJsonAlone() {
        int code =
                reproduce(
                        "incast",
                        "--set",
                        "duration=200us",
                        "--json",
                        "--out",
                        directory,
                        "--check");
        JsonNode json = JsonMapper.builder().build().readTree(printed());
        assertThat(code).isZero();
        assertThat(json.path("verdict").asString()).isEqualTo("PASS");
        assertThat(json.path("runs").path(0).path("digest").asString()).hasSize(16);
        assertThat(json.path("parts").path(0).path("environment").has("jvm")).isTrue();
    }

    @Test
    void shardsAreMergedAndComparedWithOneRunOfAll() {
        Path whole = directory.resolve("whole");
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        Path merged = directory.resolve("merged");
        String set = "senders=2,3,4";
        String time = "duration=200us";
        assertThat(reproduce("incast", "--set", set, "--set", time, "--out", whole)).isZero();
        assertThat(reproduce("incast", "--set", set, "--set", time, "--out", a, "--shard", "1/2"))
                .isZero();
        assertThat(printed()).contains("PART: 2 of 3 runs fell to this shard");
        assertThat(reproduce("incast", "--set", set, "--set", time, "--out", b, "--shard", "2/2"))
                .isZero();
        assertThat(reproduce("merge", b, a, "--out", merged)).isZero();
        assertThat(execute(new CompareCommand(), whole, merged)).isZero();
        assertThat(printed()).endsWith("A and B are the same.\n");
    }

    @Test
    void aShardIsNotWrittenOver() {
        Path a = directory.resolve("a");
        assertThat(reproduce("incast", "--set", "duration=200us", "--out", a)).isZero();
        Path json = a.resolve("result.json");
        for (Path shard : List.of(a, json)) {
            assertThat(reproduce("merge", shard, "--out", a)).isEqualTo(REFUSED);
            assertThat(refusal).contains("it is one of the shards");
        }
        assertThat(json).exists();
    }

    @Test
    void nothingOfAnEarlierResultStays() throws Exception {
        reproduce("incast", "--set", "duration=200us", "--out", directory, "--trace");
        Path trace = directory.resolve("trace/run-0000-virtual.hgtrace");
        Path mine = Files.writeString(directory.resolve("figures/mine.svg"), "");
        assertThat(trace).exists();
        assertThat(printed()).doesNotContain("replaces");
        reproduce("mg1", "--set", "load=0.5", "--set", "arrivals=10k", "--out", directory);
        assertThat(printed())
                .contains(
                        "There is a result in "
                                + directory
                                + ". This run's replaces it at the end.");
        assertThat(trace).doesNotExist();
        assertThat(directory.resolve("figures/queue.svg")).doesNotExist();
        assertThat(directory.resolve("figures/queue.csv")).doesNotExist();
        assertThat(directory.resolve("figures/wait.svg")).exists();
        assertThat(mine).exists();
    }

    @Test
    void whatIsNoResultOfOursStays() throws Exception {
        Path other = Files.writeString(directory.resolve("result.json"), "{\"mine\": 1}");
        Path runs = Files.writeString(directory.resolve("runs.csv"), "");
        assertThat(reproduce("incast", "--out", directory)).isEqualTo(REFUSED);
        assertThat(refusal).contains("is no result of this version", "--out DIR names another");
        assertThat(other).hasContent("{\"mine\": 1}");
        assertThat(runs).exists();
    }

    @Test
    void tracesOfARunThatWasInterruptedAreNobodysElse() throws Exception {
        Path traces = Files.createDirectory(directory.resolve("trace"));
        Path left = Files.writeString(traces.resolve("run-0000-virtual.hgtrace"), "");
        assertThat(reproduce("incast", "--set", "duration=200us", "--out", directory)).isZero();
        assertThat(left).doesNotExist();
    }

    @Test
    void whereNothingIsExpectedThatIsSaid() {
        assertThat(reproduce("incast", "--set", "rate=10Mbps", "--out", directory)).isZero();
        assertThat(printed())
                .contains("the throughput is not checked: the run lasts as long as 1.6 frames")
                .contains("PASS: nothing is expected of this, so nothing was checked.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    incast --out= | --out cannot be ''
                    incast --set senders=3 --set senders=4 | --set names senders twice
                    incast --set senders=3,4,3 | parameter senders cannot be '3,4,3': 3 is there
                    incast --seed 1..3,2 | --seed cannot be '1..3,2': 2 is there twice
                    incast --scale 10 | --scale is for the real bed
                    mg1 --set load=0.01 | 2M arrivals at a load of 0.01 of 1Gbps take 1318 s
                    lossless-incast --set xon=900KB | xon cannot be 900KB: allowed is less than
                    ecmp-spread --set k=5 | parameter k cannot be 5: allowed is an even number
                    """)
    void whatCannotBeRunIsRefusedBeforeAnythingRuns(String arguments, String sentence) {
        assertThat(reproduce((Object[]) arguments.split(" "))).isEqualTo(REFUSED);
        assertThat(refusal).contains(sentence).endsWith(".");
    }

    @Test
    void compareLaysRunsOfTheSameValuesBesideEachOther() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--set", "senders=2,3", "--out", a);
        reproduce("incast", "--set", time, "--set", "senders=3", "--out", b);
        out.reset();
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(printed())
                .contains("number of runs\n    A  2\n    B  1\n")
                .contains("run 0 of A alone\n    A  seed 1, bed virtual, ")
                .doesNotContain("Measured differently");
    }

    @Test
    void compareNamesTheFirstEventInWhichRunsPart() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--out", a, "--trace");
        reproduce("incast", "--set", time, "--set", "delay=1001ns", "--out", b, "--trace");
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(printed())
                .contains("run 0, parameters/delay/text", "A  1us", "B  1001ns")
                .contains("They part at the very first event", "They differ in time on the");
    }

    /** Such as when somebody has kept a copy of a result.json, and run again into its directory. */
    @Test
    void compareTakesNoRecordingOfAnotherRun() throws Exception {
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--out", directory, "--trace");
        Path kept = directory.resolve("kept.json");
        Files.copy(directory.resolve("result.json"), kept);
        reproduce("incast", "--set", time, "--set", "delay=1001ns", "--out", directory, "--trace");
        assertThat(execute(new CompareCommand(), kept, directory)).isEqualTo(1);
        assertThat(printed())
                .contains("A  1us\n    B  1001ns\n")
                .contains("run 0 of A: " + directory.resolve("trace/run-0000-virtual.hgtrace"))
                .contains("is not compared; it is of another run than the result, or cut short")
                .doesNotContain("No event differs");
    }

    @Test
    void compareSaysOfTwoSeedsThatTheyDifferOnce() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        Path again = directory.resolve("again");
        String[] set = {"load=0.5", "arrivals=10k"};
        for (Path out : List.of(a, again)) {
            reproduce("mg1", "--set", set[0], "--set", set[1], "--out", out, "--trace");
        }
        reproduce("mg1", "--set", set[0], "--set", set[1], "--out", b, "--trace", "--seed", 2);
        out.reset();
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(printed())
                .containsOnlyOnce("run 0, seed\n    A  1\n    B  2\n")
                .doesNotContain("header", "started", "wallSeconds");
        out.reset();
        assertThat(execute(new CompareCommand(), a, again)).isZero();
        assertThat(printed()).contains("No event differs", "A and B are the same.");
    }

    @Test
    void whatDiffersAlikeInSeveralRunsStandsOnce() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--set", "senders=2,3", "--out", a);
        reproduce(
                "incast", "--set", time, "--set", "senders=2,3", "--set", "delay=2us", "--out", b);
        out.reset();
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(printed())
                .contains("runs 0, 1, parameters/delay/text\n    A  1us\n    B  2us\n")
                .doesNotContain("run 0, parameters");
    }

    @Test
    void aPlaceThatCannotTakeTheResultIsToldBeforeAnythingRuns() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        assertThat(reproduce("incast", "--out", file)).isEqualTo(REFUSED);
        assertThat(refusal)
                .isEqualTo(
                        file + " is no directory; --out DIR names another place for the result.");
        assertThat(reproduce("incast", "--out", file.resolve("x"))).isEqualTo(REFUSED);
        assertThat(refusal).contains("cannot make the directory").doesNotContain("Exception");
    }

    @Test
    void aLosslessNetworkThatDropsLossyFramesSaysWhichAreWhich() throws Exception {
        Path file = directory.resolve("mine.yaml");
        Files.writeString(
                file,
                """
                name: mine
                duration: 1ms
                topology:
                  {name: t, builder: {single-switch: {hosts: 3}}, ports: {flow-control: pfc}}
                traffic: [{name: web, from: [h1, h2], to: h3}]
                """);
        reproduce(file, "--out", directory.resolve("r"));
        assertThat(printed())
                .contains(
                        "what was dropped as QUEUE_FULL was of lossy priorities",
                        "lossless here is 3");
    }

    @Test
    void aFrameLongerThanTheMtuIsRefusedWithItsPlaceBeforeAnythingRuns() throws Exception {
        Path file = directory.resolve("mine.yaml");
        Files.writeString(
                file,
                """
                name: mine
                duration: 100us
                parameters:
                  - {name: length, unit: size, default: 1514B, min: 100B, max: 9000B}
                topology: {name: t, builder: {single-switch: {hosts: 3}}}
                traffic: [{name: web, from: [h1, h2], to: h3, frame: $length}]
                """);
        Path dir = directory.resolve("r");
        assertThat(reproduce(file, "--set", "length=1000B,1515B", "--out", dir)).isEqualTo(REFUSED);
        assertThat(refusal)
                .contains("mine.yaml:6:")
                .contains("traffic[0].frame: found frames of 1515 bytes with an MTU of 1500")
                .contains("at most 1514 bytes");
        assertThat(dir).doesNotExist();
        assertThat(reproduce(file, "--set", "length=1514B", "--out", dir)).isZero();
        Files.writeString(file, Files.readString(file).replace("name: t,", "name: t, mtu: 9000,"));
        assertThat(reproduce(file, "--set", "length=9KB", "--out", dir)).isZero();
    }

    @Test
    void wrongWordsAreOneSentence() {
        assertThat(reproduce("incats")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("no scenario is named 'incats' (incast?)");
        assertThat(reproduce("incast", "--set", "senders=1")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("parameter senders cannot be '1': allowed is 2 to 120");
        assertThat(reproduce("incast", "--bed", "netns")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("incast does not run on the netns bed");
        assertThat(reproduce("incast", "--seed", "x")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("--seed cannot be 'x': allowed is 0 to");
        assertThat(reproduce("incast", "--jobs", "0")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("--jobs cannot be 0: allowed is 1 to 1024.");
        assertThat(reproduce("incast", "--scale", "0.5")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("--scale cannot be 0.5: allowed is 1 to 100000.");
        assertThat(reproduce("none.yaml")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("there is no file none.yaml.");
        assertThat(execute(new CompareCommand(), directory, directory)).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("there is no result ");
    }

    @Test
    void aScenarioFileRunsLikeAShippedOne() throws Exception {
        Path file = directory.resolve("mine.yaml");
        Files.writeString(
                file,
                """
                name: mine
                duration: 100us
                topology: {name: t, builder: {single-switch: {hosts: 3}}}
                traffic: [{name: web, from: [h1, h2], to: h3}]
                expect: [{measure: frames dropped, at-most: 0}]
                """);
        Path dir = directory.resolve("r");
        assertThat(reproduce(file, "--seed", "1..2", "--out", dir)).isZero();
        assertThat(printed()).contains("PASS: 2 of 2 as expected.");
        Files.writeString(file, "name: mine\nduration: 1\n");
        assertThat(reproduce(file)).isEqualTo(REFUSED);
        assertThat(refusal).contains("mine.yaml:2:11: duration: found 1 without a unit");
    }
}
