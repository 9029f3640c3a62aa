package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        assertThat(printed()).contains("pass  throughput at the end", "PASS: 3 of 3 as expected.");
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
        assertThat(printed()).contains("PART: 2 of 3 runs are done");
        assertThat(reproduce("incast", "--set", set, "--set", time, "--out", b, "--shard", "2/2"))
                .isZero();
        assertThat(reproduce("merge", b, a, "--out", merged)).isZero();
        assertThat(execute(new CompareCommand(), whole, merged)).isZero();
        assertThat(printed()).endsWith("A and B are the same.\n");
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
                .contains("Event 0 is the first in which they part", "They differ in time on the");
    }

    @Test
    void wrongWordsAreOneSentence() {
        assertThat(reproduce("incats")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("no scenario is named 'incats' (incast?)");
        assertThat(reproduce("incast", "--set", "senders=1")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("parameter senders cannot be '1': allowed is 2 to 120");
        assertThat(reproduce("incast", "--bed", "netns")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("incast does not run on the netns bed");
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
