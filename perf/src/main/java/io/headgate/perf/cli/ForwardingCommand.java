package io.headgate.perf.cli;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.cli.bench.BenchRun;
import io.headgate.control.cli.bench.FrameSizes;
import io.headgate.control.report.RunReport;
import io.headgate.perf.forwarding.BenchPlan;
import io.headgate.perf.forwarding.ForwardingBenchmark;
import io.headgate.perf.forwarding.ForwardingReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate bench forwarding}. */
@Command(
        name = "forwarding",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Throughput and latency after RFC 2544, compared with the installed peers.",
            "Needs root and two cores that no other program uses; see perf/README.md."
        })
final class ForwardingCommand implements Callable<Integer> {
    private static final List<String> DEVICES = List.of("afpacket", "afxdp");
    private static final List<String> PEERS = List.of("pfc", "copy", "testpmd", "ovs", "bridge");
    private static final double SEARCH_PART = 0.5;

    @Option(
            names = "--peers",
            split = ",",
            defaultValue = "auto",
            paramLabel = "PEER",
            description =
                    "what Headgate is compared with: auto (all that are installed, the default),"
                            + " none, or some of testpmd, ovs, bridge, and pfc and copy, which are"
                            + " Headgate with PFC, and with transmit: copy")
    private List<String> peers;

    @Option(
            names = "--device",
            split = ",",
            defaultValue = "afpacket,afxdp",
            paramLabel = "KIND",
            description = "afpacket, afxdp or both (default)")
    private List<String> devices;

    @Mixin private FrameSizes sizes;

    @Option(
            names = "--pairs",
            defaultValue = "21",
            description = "number of rounds; each round measures every device once (default: 21)")
    private int pairs;

    @Option(
            names = "--seconds",
            defaultValue = "0.5",
            description =
                    "length of a saturating trial (default: 0.5); a search trial takes half of it")
    private double seconds;

    @Option(
            names = "--trials",
            defaultValue = "8",
            description =
                    "number of trials in the search for the rate without loss; 0: no search"
                            + " (default: 8)")
    private int trials;

    @Option(
            names = "--probes",
            defaultValue = "500",
            description = "number of round trips per round for latency (default: 500)")
    private int probes;

    @Option(
            names = "--cores",
            split = ",",
            defaultValue = "0,1",
            paramLabel = "CORE",
            description = "cores of the generator and of the device (default: 0,1)")
    private List<Integer> cores;

    @Option(names = "--seed", defaultValue = "1", description = "of payloads and resampling")
    private long seed;

    @Option(
            names = "--smoke",
            description =
                    "a low rate and counts only, under 90 s: shows only that everything works")
    private boolean smoke;

    @Mixin private BenchRun run;

    @Override
    public Integer call() {
        BenchPlan plan = plan();
        AtomicReference<@Nullable ForwardingBenchmark> running = new AtomicReference<>();
        return run.of(
                () -> measured(plan, running),
                () -> {
                    ForwardingBenchmark benchmark = running.get();
                    if (benchmark != null) {
                        benchmark.close();
                    }
                });
    }

    private RunReport measured(
            BenchPlan plan, AtomicReference<@Nullable ForwardingBenchmark> running)
            throws BenchException, IOException {
        try (Scratch scratch = new Scratch();
                ForwardingBenchmark benchmark =
                        new ForwardingBenchmark(plan, scratch.directory(), run::say)) {
            running.set(benchmark);
            RunReport report = ForwardingReport.of(benchmark.run(), run.line());
            Path to = run.directory();
            if (to != null) {
                keep(report, scratch, to);
            }
            return report;
        }
    }

    private BenchPlan plan() {
        List<String> chosenPeers =
                peers.equals(List.of("auto"))
                        ? PEERS
                        : peers.equals(List.of("none")) ? List.of() : peers;
        run.require(
                PEERS.containsAll(chosenPeers),
                "--peers: auto, none, or some of pfc, copy, testpmd, ovs, bridge");
        run.require(DEVICES.containsAll(devices), "--device: afpacket, afxdp or both");
        run.require(pairs >= 1 && pairs <= 1000, "--pairs: 1 to 1000 are allowed");
        run.require(seconds >= 0.1 && seconds <= 600, "--seconds: 0.1 to 600 are allowed");
        run.require(trials >= 0 && trials <= 30, "--trials: 0 to 30 are allowed");
        run.require(probes >= 10 && probes <= 1_000_000, "--probes: 10 to 1000000 are allowed");
        run.require(
                cores.size() == 2 && !cores.get(0).equals(cores.get(1)),
                "--cores: two different cores are needed, for the generator and for the device");
        BenchPlan plan =
                new BenchPlan(
                        devices,
                        chosenPeers,
                        sizes.checked(run),
                        pairs,
                        seconds,
                        trials,
                        seconds * SEARCH_PART,
                        probes,
                        4,
                        true,
                        cores.get(0),
                        cores.get(1),
                        seed);
        return smoke ? plan.smoke() : plan;
    }

    /** Configurations and logs go with the report. */
    private static void keep(RunReport report, Scratch scratch, Path to) {
        try {
            for (Path file : scratch.files()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".log") || name.endsWith(".yaml")) {
                    Files.writeString(to.resolve(name), Files.readString(file));
                    report.file(name, to.resolve(name));
                }
            }
        } catch (IOException failure) {
            report.problem("cannot keep configurations and logs: " + Reason.of(failure));
        }
    }
}
