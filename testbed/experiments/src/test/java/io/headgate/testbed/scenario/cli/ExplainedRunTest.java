package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.ExplainCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A ring whose three flows wait for one another, explained from its result. */
class ExplainedRunTest {
    @TempDir private static Path result;

    @BeforeAll
    static void run() throws IOException {
        String text = Files.readString(Path.of("examples/scenarios/ring.yaml"));
        Path shorter = result.resolve("ring.yaml");
        // Telemetry stands in front of the numbers by which frames are known.
        String ports = "classify: {trust: port, default: 3}";
        Files.writeString(
                shorter,
                text.replace("duration: 4ms", "duration: 500us")
                        .replace(ports, ports + "\n    congestion: {telemetry: {hops: 3}}")
                        .replaceAll("to: h[123]", "$0, transport: rocev2, window: 1024"));
        reproduce(shorter, result);
    }

    private static void reproduce(Path scenario, Path to) {
        PrintStream out = System.out;
        System.setOut(
                new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        try {
            new CommandLine(new ReproduceCommand())
                    .execute(scenario.toString(), "--out", to.toString());
        } finally {
            System.setOut(out);
        }
    }

    private static String explain(int code, String question, boolean prove, @Nullable String change)
            throws CommandFailure {
        return explain(result, code, question, prove, change);
    }

    private static String explain(
            Path of, int code, String question, boolean prove, @Nullable String change)
            throws CommandFailure {
        StringWriter text = new StringWriter();
        assertThat(
                        new ExplainedRun()
                                .explain(
                                        of,
                                        question,
                                        new ExplainCommand.Asked(null, prove, change, false),
                                        new PrintWriter(text)))
                .isEqualTo(code);
        return text.toString();
    }

    @Test
    void aDeadlockIsExplainedByWhatClosedItsCircleAndEndsWithoutOneFlow() throws Exception {
        assertThat(explain(0, "deadlock", true, null))
                .contains("s1:p2 waits for s2:p3 in priority 3 since ", "for frames of one")
                .contains("that closed the circle, at the same instant as 2 more. ")
                .contains("Suspected: one.")
                .contains(
                        "s2.p2.buffers.xoff=250000B there is one all the same (6 pauses in the run, ")
                .contains("without flow one there is no deadlock (6 pauses in the run, ")
                .endsWith("Least change of those tried: without flow one.\n");
        // Other changes are tried by name, and those that do not help say so.
        assertThat(explain(1, "deadlock", true, "*.*.buffers.xoff=110kB"))
                .contains("*.*.buffers.xoff=110kB there is one all the same");
    }

    @Test
    void aPauseIsExplainedWithTheFlowsBehindIt() throws Exception {
        assertThat(explain(0, "", false, null)).startsWith("6 pauses\n  h1 priority 3, 261.503 us");
        assertThat(explain(1, "pause h1 prio 3 at 0.45ms", true, "s2.*.congestion=red"))
                .contains("s2.*.congestion=red this pause occurs nevertheless; ");
        assertThat(explain(0, "pause h1 prio 3 at 0.45ms", false, null))
                .contains("h1, paused\n", "s1:p2, paused; ", "waits for itself: a deadlock")
                .contains("Root: no queue that causes it could send");
    }

    /**
     * A host stops a port for which no flow has frames: nothing is left out, and nothing proved.
     */
    @Test
    void aPauseWithNoFlowBehindItIsNotProvedByARunOfTheSame(@TempDir Path storm) throws Exception {
        Path scenario =
                Files.writeString(
                        storm.resolve("storm.yaml"),
                        """
                        name: storm
                        title: A host that pauses the port to it
                        source: written for a test
                        claim: the port is paused, and no flow waits
                        duration: 50us
                        topology:
                          name: storm
                          link: {rate: 10Gbps, delay: 1us}
                          hosts: [{name: h1, at: s1}, {name: h2, at: s1}]
                          switches: [s1]
                          ports:
                            flow-control: pfc
                            classify: {trust: port, default: 3}
                            buffers: {xoff: 50kB}
                        traffic: [{name: one, from: h2, to: h1}]
                        pauses: [{from: h2, priorities: [3], start: 10us}]
                        """);
        reproduce(scenario, storm);
        assertThat(explain(storm, 1, "pause s1/p2 prio 3 at 20us", true, null))
                .startsWith("s1:p2 priority 3, ")
                .endsWith(
                        "Proof: not run, because no flow that causes it is known: give a change"
                                + " with --what-if.\n");
    }

    /** What made the result has changed since: its run would be explained by another one. */
    @Test
    void aRunThatComesOutOtherwiseThanItsResultIsNotExplained() throws Exception {
        Path json = result.resolve("result.json");
        String sound = Files.readString(json);
        try {
            Files.writeString(
                    json, sound.replaceAll("(?<head>\"digest\" : \")....", "${head}0000"));
            assertThat(sound).isNotEqualTo(Files.readString(json));
            assertThatThrownBy(() -> explain(0, "", false, null))
                    .hasMessageContaining("the run is now different: its frames have the digest ");
        } finally {
            Files.writeString(json, sound);
        }
    }

    @Test
    void whatCannotBeExplainedIsToldWithWhatCan() {
        assertThatThrownBy(() -> explain(0, "pause h1 prio 3 at 1us", false, null))
                .hasMessageContaining("h1 priority 3 is not paused at 1.000 us; allowed are times");
        assertThatThrownBy(() -> explain(0, "pause s9:p1 prio 3 at 1us", false, null))
                .hasMessageContaining("no port is named 's9:p1': allowed is h1, ");
        assertThatThrownBy(() -> explain(0, "pause s1/p2 prio 3 at 1us", false, null))
                .hasMessageContaining("s1:p2 priority 3 is not paused at 1.000 us; ");
        assertThatThrownBy(() -> explain(0, "pause h1 prio 3 at 1s", false, null))
                .hasMessageContaining("the run ends at 500.000 us, before 1000000.000 us");
        assertThatThrownBy(() -> explain(0, "why", false, null))
                .hasMessageContaining("a question cannot be 'why': allowed is 'pause s1:p2 prio 3");
        assertThatThrownBy(() -> explain(0, "deadlock", true, "without x"))
                .hasMessageContaining("a change cannot be 'without x': allowed is ");
    }
}
