package io.headgate.perf.cli;

import io.headgate.control.report.RunReport;
import io.headgate.perf.datacenter.DatacenterBenchmark;
import io.headgate.perf.datacenter.DatacenterPlan;
import io.headgate.perf.datacenter.DatacenterResult;
import io.headgate.perf.forwarding.BenchException;
import io.headgate.testbed.netns.LabRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code headgate bench datacenter}. */
@Command(
        name = "datacenter",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Buffering, microbursts, head-of-line blocking and incast after RFC 8239,",
            "through a switch on four real ports. Needs root and iperf3; see perf/README.md."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all counts are what the configuration says",
            "1:some are not, or it could not be run",
            "2:wrong options"
        })
final class DatacenterCommand implements Callable<Integer> {
    private static final long MEGA = 1_000_000;

    @Option(
            names = "--only",
            split = ",",
            defaultValue = "buffering,microburst,hol,incast",
            paramLabel = "TEST",
            description = "of buffering, microburst, hol, incast (default: all)")
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
            description = "of buffering and microbursts (default: 3)")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "of each flow of traffic (default: 10)")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", description = "of payloads and the switch")
    private long seed;

    @Option(names = "--smoke", description = "two sizes, once, 2 s: shows that all of it works")
    private boolean smoke;

    @Option(names = "--json", paramLabel = "FILE", description = "where to write everything")
    private @Nullable Path json;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "where figures, report, JSON and configurations go"
                            + " (default: headgate-datacenter/DATE-TIME)")
    private @Nullable Path out;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        Terminal terminal = new Terminal(spec.commandLine());
        DatacenterPlan plan = plan(terminal);
        Path directory = directory();
        try (DatacenterBenchmark benchmark =
                new DatacenterBenchmark(
                        plan, directory, new LabRecords(LabRecords.DIRECTORY), terminal::say)) {
            Thread cleaner = new Thread(benchmark::close);
            Runtime.getRuntime().addShutdownHook(cleaner);
            DatacenterResult result = benchmark.run();
            Runtime.getRuntime().removeShutdownHook(cleaner);
            RunReport report = benchmark.write(terminal.line(), terminal.began());
            terminal.text().print(report.toText());
            terminal.text().println("\nFigures, report and configurations are in " + directory);
            terminal.text().flush();
            if (json != null) {
                Files.writeString(json, report.toJson());
            }
            return result.problems().isEmpty() ? 0 : 1;
        } catch (BenchException | IOException failure) {
            return terminal.failed(failure);
        }
    }

    private Path directory() {
        if (out != null) {
            return out;
        }
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);
        return Path.of(
                "headgate-datacenter", LocalDateTime.now(ZoneId.systemDefault()).format(form));
    }

    private DatacenterPlan plan(Terminal terminal) {
        terminal.require(
                DatacenterPlan.TESTS.containsAll(tests) && !tests.isEmpty(),
                "--only: of " + String.join(", ", DatacenterPlan.TESTS));
        terminal.require(
                burstRateMbps >= 1 && burstRateMbps <= 1000, "--rate: 1 to 1000 are allowed");
        terminal.require(
                flowRateMbps >= 1 && flowRateMbps <= 10_000, "--flow-rate: 1 to 10000 are allowed");
        terminal.require(rounds >= 1 && rounds <= 100, "--rounds: 1 to 100 are allowed");
        terminal.require(seconds >= 1 && seconds <= 3600, "--seconds: 1 to 3600 are allowed");
        DatacenterPlan plan =
                new DatacenterPlan(
                        tests,
                        sizes.checked(terminal),
                        burstRateMbps * MEGA,
                        flowRateMbps * MEGA,
                        rounds,
                        seconds,
                        seed);
        return smoke ? plan.smoke() : plan;
    }
}
