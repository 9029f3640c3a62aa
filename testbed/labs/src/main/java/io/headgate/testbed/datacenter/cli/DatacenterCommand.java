package io.headgate.testbed.datacenter.cli;

import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.cli.bench.BenchRun;
import io.headgate.control.cli.bench.FrameSizes;
import io.headgate.testbed.datacenter.DatacenterBenchmark;
import io.headgate.testbed.datacenter.DatacenterPlan;
import io.headgate.testbed.netns.LabRecords;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate bench datacenter}: runs the data center benchmark. */
@Command(
        name = "datacenter",
        sortOptions = false,
        description = {
            "Buffering, microbursts, head-of-line blocking and incast after RFC 8239,",
            "through a switch on four real ports. Needs root and iperf3; see perf/README.md.",
            "Figures and configurations are with the report, in headgate-datacenter/DATE-TIME",
            "unless --report gives another directory."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all counts match the configuration",
            "1:some do not match, or it could not be run",
            "2:wrong options"
        })
public final class DatacenterCommand extends HeadgateCommand implements Callable<Integer> {
    private static final long MEGA = 1_000_000;

    @Option(
            names = "--only",
            split = ",",
            defaultValue = "buffering,microburst,hol,incast",
            paramLabel = "TEST",
            description = "parts to run: buffering, microburst, hol, incast (default: all)")
    private List<String> tests;

    @Mixin private FrameSizes sizes;

    @Option(
            names = "--rate",
            defaultValue = "10",
            paramLabel = "MBPS",
            description = "ports' rate for buffering and microbursts, 1 to 1000 (default: 10)")
    private int burstRateMbps;

    @Option(
            names = "--flow-rate",
            defaultValue = "100",
            paramLabel = "MBPS",
            description = "ports' rate for hol and incast, 1 to 10000 (default: 100)")
    private int flowRateMbps;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "number of rounds of buffering and microbursts (default: 3)")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "duration of each flow of traffic (default: 10)")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", description = "of payloads and the switch")
    private long seed;

    @Option(
            names = "--smoke",
            description = "two sizes, once, 2 s: shows only that everything works")
    private boolean smoke;

    @Mixin private BenchRun run;

    @Override
    public String below() {
        return "bench";
    }

    @Override
    public Integer call() {
        DatacenterPlan plan = plan();
        Path directory = run.directoryOr(Path.of("headgate-datacenter", now()));
        try (DatacenterBenchmark benchmark =
                new DatacenterBenchmark(
                        plan, directory, new LabRecords(LabRecords.DIRECTORY), run::say)) {
            return run.of(
                    () -> {
                        try (benchmark) {
                            benchmark.run();
                            return benchmark.report(run.line());
                        }
                    },
                    benchmark::close);
        }
    }

    private DatacenterPlan plan() {
        run.require(
                DatacenterPlan.TESTS.containsAll(tests) && !tests.isEmpty(),
                "--only: of " + String.join(", ", DatacenterPlan.TESTS));
        run.require(burstRateMbps >= 1 && burstRateMbps <= 1000, "--rate: 1 to 1000 are allowed");
        run.require(
                flowRateMbps >= 1 && flowRateMbps <= 10_000, "--flow-rate: 1 to 10000 are allowed");
        run.require(rounds >= 1 && rounds <= 100, "--rounds: 1 to 100 are allowed");
        run.require(seconds >= 1 && seconds <= 3600, "--seconds: 1 to 3600 are allowed");
        DatacenterPlan plan =
                new DatacenterPlan(
                        tests,
                        sizes.checked(run),
                        burstRateMbps * MEGA,
                        flowRateMbps * MEGA,
                        rounds,
                        seconds,
                        seed);
        return smoke ? plan.smoke() : plan;
    }
}
