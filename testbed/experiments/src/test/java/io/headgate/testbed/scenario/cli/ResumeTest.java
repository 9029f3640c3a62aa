package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.OwnProgram;
import io.headgate.testbed.scenario.report.CellDirectory;
import io.headgate.testbed.scenario.report.Comparison;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sweep of one process that is killed, and goes on. */
@Timeout(600)
class ResumeTest {
    private static final int SENDERS = 4;
    private static final List<String> SWEEP =
            List.of("incast", "--set", "senders=2..5", "--set", "duration=400us");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir private Path directory;
    private int seeds = 5;
    private final List<Process> started = new ArrayList<>();

    /** The wall time of each cell, which no second run of it would have to the nanosecond. */
    private final Map<Integer, Double> first = new TreeMap<>();

    @AfterEach
    void endThem() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process start(Path out) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("reproduce"));
        arguments.addAll(SWEEP);
        arguments.addAll(
                List.of(
                        "--seed",
                        "1.." + seeds,
                        "--resume",
                        "--jobs",
                        "2",
                        "--out",
                        out.toString()));
        Process process =
                new ProcessBuilder(OwnProgram.command(arguments.toArray(String[]::new)))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("said").toFile())
                        .start();
        started.add(process);
        return process;
    }

    private Path single() {
        Path out = directory.resolve("single");
        List<String> words = new ArrayList<>(SWEEP);
        words.addAll(List.of("--seed", "1.." + seeds, "--out", out.toString()));
        PrintStream terminal = System.out;
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        try {
            assertThat(
                            new CommandLine(new ReproduceCommand())
                                    .execute(words.toArray(String[]::new)))
                    .isZero();
        } finally {
            System.setOut(terminal);
        }
        return out;
    }

    /** What is complete stays, as it was first. */
    private void note(Path out) throws IOException {
        BitSet there = CellDirectory.indices(out);
        for (int cell = there.nextSetBit(0); cell >= 0; cell = there.nextSetBit(cell + 1)) {
            Path file = out.resolve(String.format("cells/cell-%06d.json", cell));
            note(JSON.readTree(Files.readString(file)).path("run"));
        }
    }

    private void note(JsonNode run) {
        double seconds = run.path("wallSeconds").asDouble();
        int cell = run.path("run").asInt();
        Double before = first.putIfAbsent(cell, seconds);
        assertThat(before == null || before == seconds).as("run %d was run again", cell).isTrue();
    }

    private void endsLikeOneThatWasNotKilled(Path out) throws Exception {
        Process last = start(out);
        assertThat(last.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(last.exitValue()).as(Files.readString(directory.resolve("said"))).isZero();
        for (JsonNode run :
                JSON.readTree(Files.readString(out.resolve("result.json"))).path("runs")) {
            note(run);
        }
        assertThat(first).hasSize(SENDERS * seeds);
        Comparison comparison = Comparison.of(single(), out);
        assertThat(comparison.isSame()).as(comparison.describe()).isTrue();
        assertThat(out.resolve("cells")).doesNotExist();
    }

    @Test
    void whatWasCompleteWhenItWasKilledIsNotRunAgain() throws Exception {
        Path out = directory.resolve("out");
        Process process = start(out);
        while (process.isAlive() && CellDirectory.indices(out).cardinality() < 5) {
            Thread.sleep(10);
        }
        process.destroyForcibly().waitFor();
        note(out);
        assertThat(first).hasSizeBetween(5, SENDERS * seeds - 1);
        endsLikeOneThatWasNotKilled(out);
        assertThat(directory.resolve("said")).content().contains("of 20 runs are there already.");
    }

    /** At whatever it is then: its start, between two cells, within one, while it concludes. */
    @Test
    @Tag("long")
    void tenKillsAtRandomMomentsLoseAndRepeatNothing() throws Exception {
        seeds = 15;
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Path out = directory.resolve("out");
        StringBuilder kills = new StringBuilder("seed " + seed + ", killed with");
        for (int kill = 0; kill < 10; kill++) {
            Process process = start(out);
            int more = first.size() + random.nextInt(5);
            while (process.isAlive() && CellDirectory.indices(out).cardinality() < more) {
                Thread.sleep(1);
            }
            process.waitFor(random.nextInt(300), TimeUnit.MILLISECONDS);
            process.destroyForcibly().waitFor();
            note(out);
            kills.append(' ').append(first.size());
        }
        System.out.println(kills + " runs complete");
        assertThat(first).isNotEmpty();
        endsLikeOneThatWasNotKilled(out);
    }
}
