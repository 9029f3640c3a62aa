package io.headgate.testbed.conform.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.cli.bench.EndGuard;
import io.headgate.control.report.Json;
import io.headgate.control.report.Prose;
import io.headgate.testbed.conform.CaseResult;
import io.headgate.testbed.conform.ConformanceCase;
import io.headgate.testbed.conform.ConformanceReport;
import io.headgate.testbed.conform.ConformanceRun;
import io.headgate.testbed.conform.SonicCases;
import io.headgate.testbed.netns.bed.DeviceUnderTest;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate conform}: runs the published test plans for lossless switches. */
@Command(
        name = "conform",
        header = "Runs the cases of published test plans for lossless switches, and judges each.",
        description = {
            "The requirements of SONiC's plans, Linux' selftests, Windows HLK, DPDK's plans and RFC"
                    + " 8239 for a switch: pauses, buffers, watchdog, marks and schedulers. Each"
                    + " case is a scenario file with its source; testbed/conformance.md has the"
                    + " list."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all cases that can be judged here pass",
            "1:a case fails, or could not be run",
            "2:wrong name, value or file",
            "3:no case can be judged on this bed, or for this file"
        })
public final class ConformCommand extends HeadgateCommand implements Callable<Integer> {
    private static final String DEVICE_RATE = "100Mbps";

    @Parameters(
            arity = "0..*",
            paramLabel = "CASE",
            description = "Cases by number or name, such as C01; default: all.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--bed",
            paramLabel = "BED",
            description = "virtual (virtual time) or netns (real frames, as root).",
            defaultValue = "virtual",
            showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
    private String bed = "virtual";

    @Option(
            names = "--device-under-test",
            paramLabel = "PORTS",
            description =
                    "Judges the switch between these interfaces, as afpacket:eth1,eth2,NETNS/eth3,"
                            + " at --rate (default: 100Mbps): the tester sends frames and pauses"
                            + " through them, and counts the frames that arrive; as root.")
    private @Nullable String device;

    @Option(
            names = "--config-db",
            paramLabel = "FILE",
            description =
                    "Judges the configuration that 'headgate config import' makes from a SONiC"
                            + " switch's config_db.json, in virtual time, by the file's own"
                            + " numbers.")
    private @Nullable Path configDb;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description =
                    "Rate of the links, or several; default in virtual time:"
                            + " 10Gbps,100Gbps,400Gbps.")
    private String rate = "";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Directory of conform.json, junit.xml and report.html; default: no files.")
    private @Nullable Path out;

    @Option(
            names = "--list",
            description = "Prints the cases and what each must show; runs nothing.")
    private boolean listing;

    @Option(names = "--print", description = "Prints the files of the cases; runs nothing.")
    private boolean printing;

    @Option(
            names = "--json",
            description = "Prints the result as JSON to stdout, and progress to stderr.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        List<ConformanceCase> cases;
        List<String> notJudged = List.of();
        ConformanceRun run;
        Path file = configDb;
        try {
            if (file == null) {
                cases = ConformanceCase.named(names);
            } else {
                SonicCases.Made made = sonic(file);
                cases = made.cases();
                notJudged = made.notJudged();
            }
            run = run(device == null ? rate : rate.isEmpty() ? DEVICE_RATE : rate);
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
        if (printing) {
            cases.forEach(one -> System.out.print(one.text()));
            return 0;
        }
        if (listing) {
            for (ConformanceCase one : cases) {
                var about = one.scenario().about();
                System.out.println(one.label() + " " + about.title());
                System.out.println(Prose.folded("    " + about.claim(), 4));
            }
            return 0;
        }
        notJudged.forEach(json ? System.err::println : System.out::println);
        List<CaseResult> results = new ArrayList<>();
        EndGuard.<CommandFailure>run(
                () -> runAll(cases, run, results),
                run::cancel,
                () -> "ended early; no result is written.");
        return conclude(results);
    }

    private SonicCases.Made sonic(Path file) throws ScenarioException {
        if (device != null || !rate.isEmpty() || bed() != BedKind.VIRTUAL) {
            throw new ScenarioException(
                    "--config-db runs in virtual time at the rates of the file's ports: --bed netns,"
                            + " --rate and --device-under-test are not allowed with it");
        }
        try {
            String text = Files.readString(file);
            return SonicCases.of(text, String.valueOf(file.getFileName()), names);
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + file + ": " + Reason.of(e), e);
        } catch (ConfigException e) {
            throw new ScenarioException(e.getMessage(), e);
        }
    }

    private ConformanceRun run(String at) throws ScenarioException {
        int jobs = Runtime.getRuntime().availableProcessors();
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        String of = device;
        BedKind on = bed();
        if (of == null) {
            return new ConformanceRun(on, at, jobs, nowhere, false);
        }
        ConformanceRun run = new ConformanceRun(BedKind.NETNS, at, jobs, nowhere, false);
        DeviceUnderTest other = DeviceUnderTest.parse(of);
        run.judge(other);
        if (!printing && !listing) {
            other.requireThere();
        }
        return run;
    }

    private BedKind bed() throws ScenarioException {
        return switch (bed) {
            case "virtual" -> BedKind.VIRTUAL;
            case "netns" -> BedKind.NETNS;
            default ->
                    throw new ScenarioException(
                            "--bed cannot be '"
                                    + Words.shown(bed)
                                    + "': allowed is virtual or netns");
        };
    }

    private void runAll(List<ConformanceCase> cases, ConformanceRun run, List<CaseResult> results)
            throws CommandFailure {
        PrintStream progress = json ? System.err : System.out;
        if (device != null) {
            try {
                progress.println(run.tester());
            } catch (ScenarioException e) {
                throw new CommandFailure("the tester cannot be tried: " + e.getMessage() + ".");
            }
        }
        for (ConformanceCase one : cases) {
            try {
                CaseResult result = run.run(one);
                results.add(result);
                progress.printf(
                        Locale.ROOT,
                        "%-4s  %s %s (%.1f s)%n",
                        result.shownVerdict(),
                        one.label(),
                        result.title(),
                        result.seconds());
            } catch (ScenarioException e) {
                throw CommandFailure.badInput(one.label() + ": " + e.getMessage() + ".");
            }
        }
    }

    private int conclude(List<CaseResult> results) throws CommandFailure {
        String command =
                "headgate "
                        + String.join(" ", spec().commandLine().getParseResult().originalArgs());
        ConformanceReport report = new ConformanceReport(command, results);
        if (out != null) {
            try {
                report.write(out);
            } catch (IOException e) {
                throw new CommandFailure("cannot write to " + out + ": " + Reason.of(e) + ".");
            }
        }
        if (json) {
            System.out.println(Json.INDENTED.writeValueAsString(report.toMap()));
        } else {
            System.out.println();
            for (CaseResult one : results) {
                System.out.println(
                        one.shownVerdict() + "  " + one.of().label() + " " + one.title());
                System.out.println(Prose.folded("      must be seen: " + one.must(), 8));
                System.out.println(Prose.folded("      seen: " + one.seen(), 8));
                if (one.verdict() == CaseResult.Verdict.FAIL) {
                    one.lost()
                            .forEach(line ->
                                    System.out.println(Prose.folded("      lost: " + line, 8)));
                }
            }
            System.out.println();
            if (out != null) {
                System.out.println("Report " + out.resolve("report.html"));
            }
            System.out.println(report.sentence());
        }
        return switch (report.verdict()) {
            case PASS -> 0;
            case FAIL -> 1;
            case SKIP -> 3;
        };
    }
}
