package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.scenario.report.CellDirectory;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Sweeps of many cells that take a millisecond each. Times are of processors: others may be busy.
 */
@Timeout(900)
class ManyCellsTest {
    private static final String MILLISECOND =
            """
            name: millisecond
            duration: 20us
            parameters:
              - {name: frame, unit: size, default: 1514B, min: 100B, max: 1514B}
            topology: {name: t, builder: {single-switch: {hosts: 3}}}
            traffic: [{name: web, from: [h1, h2], to: h3, frame: $frame}]
            expect: [{measure: frames dropped, at-most: 0}]
            """;

    private static final long LEVEL_BYTES = 12 << 20;

    @TempDir private Path directory;

    private static double processorSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
    }

    /** Runs a command whose words are not worth showing; answers its processor time. */
    private static double reproduce(String... words) {
        double before = processorSeconds();
        PrintStream terminal = System.out;
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        try {
            assertThat(new CommandLine(new ReproduceCommand()).execute(words)).isZero();
        } finally {
            System.setOut(terminal);
        }
        return processorSeconds() - before;
    }

    /** Bytes of live objects, after a garbage collection. */
    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void sample(List<Long> heap, AtomicBoolean over) {
        while (!over.get()) {
            heap.add(heapBytes());
            LockSupport.parkNanos(1_000_000_000);
        }
    }

    private double alone(String frames, String seeds) throws Exception {
        Scenario scenario = ScenarioReader.read(MILLISECOND, "millisecond.yaml");
        Sweep sweep =
                Sweep.of(scenario, List.of("frame=" + frames), seeds, Set.of(BedKind.VIRTUAL), 0);
        double before = processorSeconds();
        for (Cell cell : sweep.cells()) {
            scenario.run(cell, new QuietRun());
        }
        return processorSeconds() - before;
    }

    /** What a cell took more than its scenario, what the merge took, and the heap meanwhile. */
    private record Cost(double overheadMs, double mergeS, List<Long> heap) {}

    private Cost sweep(String frames, String seeds, int cells) throws Exception {
        Path out = directory.resolve("out");
        alone(frames, "1..10"); // warm
        double aloneS = alone(frames, seeds);
        List<Long> heap = new CopyOnWriteArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread sampler = Thread.ofPlatform().start(() -> sample(heap, over));
        double keptS = keep(frames, seeds, cells, out);
        over.set(true);
        sampler.join();
        // The first time it was compiled, too: that is not the scenario's own.
        aloneS = Math.min(aloneS, alone(frames, seeds));
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        merge(out);
        double mergeS =
                (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
        double overheadMs = (keptS - aloneS) / cells * 1e3;
        System.out.printf(
                "%d cells: %.2f ms each alone, %.2f ms more kept; merge %.1f s; live heap while it"
                        + " ran, in MB: %s%n",
                cells,
                aloneS / cells * 1e3,
                overheadMs,
                mergeS,
                heap.stream().map(bytes -> bytes >> 20).toList());
        return new Cost(overheadMs, mergeS, heap);
    }

    /** Answers the processor time that it took. */
    private double keep(String frames, String seeds, int cells, Path out) throws Exception {
        Path file = Files.writeString(directory.resolve("millisecond.yaml"), MILLISECOND);
        double tookS =
                reproduce(
                        file.toString(),
                        "--set",
                        "frame=" + frames,
                        "--seed",
                        seeds,
                        "--shard",
                        "1/1",
                        "--jobs",
                        "1",
                        "--out",
                        out.toString());
        assertThat(CellDirectory.indices(out).cardinality()).isEqualTo(cells);
        return tookS;
    }

    private static void merge(Path out) throws Exception {
        reproduce("merge", out.toString());
        assertThat(out.resolve("cells")).doesNotExist();
        assertThat(Files.readString(out.resolve("result.json"))).contains("\"verdict\" : \"PASS\"");
    }

    /** What they cost is the long run's. */
    @Test
    void aHundredCellsAreKeptAndMerged() throws Exception {
        Path out = directory.resolve("out");
        keep("600B,1500B", "1..60", 120, out);
        merge(out);
    }

    @Test
    @Tag("long")
    void tenThousandCellsAreKeptWithinMillisecondsEachAndMergedWithinSeconds() throws Exception {
        Cost cost = sweep("600B..1500B:100B", "1..1000", 10_000);
        assertThat(cost.overheadMs).isLessThan(5);
        assertThat(cost.mergeS).isLessThan(10);
        // Level: results that were held would be tens of megabytes.
        assertThat(cost.heap).hasSizeGreaterThan(5);
        assertThat(cost.heap.getLast() - cost.heap.getFirst()).isLessThan(LEVEL_BYTES);
    }
}
