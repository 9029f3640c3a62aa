package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.cli.bench.BenchRun;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.perf.virtual.VirtualBenchmark;
import io.headgate.perf.virtual.VirtualPlan;
import io.headgate.perf.virtual.VirtualReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate bench virtual}. */
@Command(
        name = "virtual",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Frame-hops per second in virtual time on one core, compared with ns-3 if it is"
                    + " installed;",
            "memory of an idle host. Needs a core that no other program uses; see perf/README.md."
        })
final class VirtualCommand implements Callable<Integer> {
    @Option(
            names = "--network",
            split = ",",
            defaultValue = "all",
            paramLabel = "NETWORK",
            description = "all, or some of incast, fat-tree-128, fat-tree-1024, leaf-spine-90")
    private List<String> networks;

    @Option(
            names = "--queues",
            split = ",",
            defaultValue = "fifo,lossless",
            paramLabel = "KIND",
            description = "queues of Headgate's switches: fifo, lossless or both (default)")
    private List<String> queues;

    @Option(
            names = "--ns3",
            split = ",",
            defaultValue = "internet,bare",
            paramLabel = "HOW",
            description =
                    "none, or one or both of internet (its stack) and bare (frames); default: both")
    private List<String> ns3;

    @Option(
            names = "--htsim",
            paramLabel = "FILE",
            description =
                    "also runs csg-htsim: its program htsim_roce, which you build (see"
                            + " perf/README.md)")
    private @Nullable Path htsim;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "number of rounds; each round runs everything once (default: 3)")
    private int rounds;

    @Option(
            names = "--runs",
            defaultValue = "6",
            description =
                    "number of runs of a network in one JVM; the last run counts (default: 6)")
    private int runs;

    @Option(
            names = "--length",
            defaultValue = "1",
            description = "factor for the networks' virtual times, 0.01 to 100 (default: 1)")
    private double length;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "also runs Headgate with N threads, each on its own core (default: 1,"
                            + " only one thread)")
    private int threads;

    @Option(names = "--core", description = "the core to use (default: the last one)")
    private @Nullable Integer core;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "seed of flows and hashes (default: 1)")
    private long seed;

    @Option(
            names = "--smoke",
            description = "a fiftieth of the length, one round: shows only that everything works")
    private boolean smoke;

    @Mixin private BenchRun run;

    @Override
    public Integer call() {
        VirtualPlan plan = plan();
        return run.of(() -> measured(plan), BenchRun::endPrograms);
    }

    private RunReport measured(VirtualPlan plan) throws BenchException, IOException {
        try (Scratch scratch = new Scratch()) {
            return VirtualReport.of(
                    new VirtualBenchmark(plan, scratch.directory(), run::say).run(), run.line());
        }
    }

    private VirtualPlan plan() {
        List<String> all = VirtualPlan.allCases();
        List<String> chosen = networks.equals(List.of("all")) ? all : networks;
        run.require(all.containsAll(chosen), "--network: all, or of " + String.join(", ", all));
        List<String> modes = ns3.equals(List.of("none")) ? List.of() : ns3;
        run.require(
                VirtualPlan.allNs3().containsAll(modes),
                "--ns3: none, or one or both of internet, bare");
        run.require(
                VirtualPlan.allQueues().containsAll(queues), "--queues: fifo, lossless or both");
        run.require(rounds >= 1 && rounds <= 1000, "--rounds: 1 to 1000 are allowed");
        run.require(runs >= 1 && runs <= 100, "--runs: 1 to 100 are allowed");
        run.require(length >= 0.01 && length <= 100, "--length: 0.01 to 100 are allowed");
        run.require(
                htsim == null || Files.isExecutable(htsim), "--htsim: " + htsim + " cannot be run");
        int[] cores = Affinity.allowedCores();
        int chosenCore = core == null ? cores[cores.length - 1] : core;
        run.require(
                Arrays.stream(cores).anyMatch(one -> one == chosenCore),
                "--core: of " + Arrays.toString(cores));
        run.require(
                threads >= 1 && threads <= cores.length,
                "--threads: 1 to " + cores.length + " are allowed, as many as cores");
        List<Integer> threadCores =
                threads == 1
                        ? List.of()
                        : Arrays.stream(cores).skip(cores.length - threads).boxed().toList();
        VirtualPlan plan =
                new VirtualPlan(
                        chosen,
                        queues,
                        modes,
                        htsim,
                        rounds,
                        runs,
                        length,
                        chosenCore,
                        threadCores,
                        seed,
                        false);
        return smoke ? plan.ofSmoke() : plan;
    }
}
