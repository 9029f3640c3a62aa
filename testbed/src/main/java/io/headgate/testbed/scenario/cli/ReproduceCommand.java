package io.headgate.testbed.scenario.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.CommandProvider;
import io.headgate.control.report.Environment;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Shard;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.Result.Part;
import io.headgate.testbed.scenario.report.ResultDirectory;
import io.headgate.testbed.scenario.report.ResultFiles;
import java.io.Console;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headgate reproduce}: runs a scenario and says whether it came out as expected. */
@Command(
        name = "reproduce",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a scenario, measures, and lays the result beside what is expected.",
            "'headgate reproduce list' shows the scenarios, 'list NAME' one with its parameters."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS, or a shard's runs are done",
            "1:FAIL, or it could not be run",
            "2:wrong name, value or file"
        },
        subcommands = {ListCommand.class, MergeCommand.class})
public final class ReproduceCommand implements Callable<Integer> {
    private static final long END_WITHIN_S = 15;
    private static final int MAX_JOBS = 1024;

    @Spec private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "A scenario's name, or the path of a scenario file (.yaml).")
    private @Nullable String name;

    @Option(
            names = "--seed",
            paramLabel = "SEEDS",
            description = "Root of all that is random: a number, a list 1,2,5 or a range 1..20.",
            defaultValue = "1",
            showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
    private String seeds;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A parameter; a list 0.1,0.5 or a range 0.1..0.7:0.2 sweeps it.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--bed",
            paramLabel = "BED",
            description = "virtual (virtual time), netns (real frames, as root) or both.")
    private @Nullable String bed;

    @Option(
            names = "--scale",
            paramLabel = "K",
            description = "By how much the real bed is slower: rates / K, times * K, 1 to 100000.")
    private @Nullable Double scale;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the result goes; headgate-reproduce/DATE-TIME-NAME if not given.")
    private @Nullable Path out;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "Only this part of the runs; 'headgate reproduce merge' joins them.",
            defaultValue = "1/1")
    private String shard;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Runs at the same time; as many as there are cores if not given.")
    private @Nullable Integer jobs;

    @Option(
            names = "--trace",
            description = "Record every frame on every link, for 'headgate compare'.")
    private boolean trace;

    @Option(
            names = "--check",
            description = "Check all invariants after every instant of virtual time (slow).")
    private boolean checking;

    @Option(
            names = "--json",
            description = "Print the result as JSON to stdout, and progress to stderr.")
    private boolean json;

    /** Picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    ReproduceCommand() {}

    /** Contributes it to the command line. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new ReproduceCommand();
        }
    }

    @Override
    public Integer call() throws CommandFailure {
        if (name == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "headgate reproduce needs the name of a scenario; 'headgate reproduce list'"
                            + " shows them.");
        }
        ScenarioFinder.Found found;
        Sweep sweep;
        Shard part;
        int runsAtOnce;
        ResultDirectory directory;
        try {
            found = ScenarioFinder.find(name);
            sweep = Sweep.of(found.scenario(), settings, seeds, beds(found), requireScale());
            part = Shard.parse(shard);
            runsAtOnce = jobs();
            requireScaled(sweep);
            directory = ResultDirectory.open(directory(found));
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
        try (directory) {
            return run(found, sweep, part, runsAtOnce, directory);
        } catch (ScenarioException e) {
            throw new CommandFailure(e.getMessage() + ".");
        }
    }

    private Set<BedKind> beds(ScenarioFinder.Found found) throws ScenarioException {
        if (bed == null) {
            Set<BedKind> can = found.scenario().about().beds();
            return EnumSet.of(can.contains(BedKind.VIRTUAL) ? BedKind.VIRTUAL : BedKind.NETNS);
        }
        return switch (bed) {
            case "virtual" -> EnumSet.of(BedKind.VIRTUAL);
            case "netns" -> EnumSet.of(BedKind.NETNS);
            case "both" -> EnumSet.allOf(BedKind.class);
            default ->
                    throw new ScenarioException(
                            "--bed cannot be '"
                                    + Words.shown(bed)
                                    + "': allowed is virtual, netns or both");
        };
    }

    private double requireScale() throws ScenarioException {
        if (scale == null) {
            return 0;
        }
        if (!(scale >= 1 && scale <= 100_000)) {
            throw new ScenarioException("--scale cannot be " + scale + ": allowed is 1 to 100000");
        }
        return scale;
    }

    private void requireScaled(Sweep sweep) throws ScenarioException {
        if (scale != null && !sweep.beds().contains(BedKind.NETNS)) {
            throw new ScenarioException(
                    "--scale is for the real bed (netns), and nothing is run there");
        }
    }

    private int jobs() throws ScenarioException {
        int count = jobs == null ? Runtime.getRuntime().availableProcessors() : jobs;
        if (count < 1 || count > MAX_JOBS) {
            throw new ScenarioException(
                    "--jobs cannot be " + count + ": allowed is 1 to " + MAX_JOBS);
        }
        return count;
    }

    private int run(
            ScenarioFinder.Found found,
            Sweep sweep,
            Shard part,
            int runsAtOnce,
            ResultDirectory directory)
            throws ScenarioException {
        PrintStream progress = json ? System.err : System.out;
        if (directory.replaces()) {
            progress.println(
                    "There is a result in "
                            + directory.path()
                            + ". This run's replaces it at the end.");
        }
        List<Cell> cells = part.of(sweep.cells());
        Campaign campaign =
                new Campaign(
                        sweep,
                        cells,
                        new Campaign.Options(
                                runsAtOnce,
                                checking,
                                trace ? directory.forTraces() : null,
                                progress,
                                isTerminal()));
        Instant started = Instant.now();
        long startNs = System.nanoTime();
        List<CellResult> runs = runGuarded(campaign, directory);
        Part made =
                new Part(
                        command(),
                        started.toString(),
                        (System.nanoTime() - startNs) / 1e9,
                        part,
                        Environment.here());
        Result result =
                Conclusion.of(
                        new Result(
                                found.scenario(),
                                found.file(),
                                sweep.id(found.file() == null ? "" : found.file().text()),
                                sweep.cells().size(),
                                sweep.varied(),
                                List.of(made),
                                runs,
                                null));
        ResultFiles.write(result, directory.making());
        directory.publish();
        return ResultPrinter.print(result, directory.path(), json);
    }

    /** Runs; when the process is told to end, a real bed and what was made are removed first. */
    private static List<CellResult> runGuarded(Campaign campaign, ResultDirectory directory)
            throws ScenarioException {
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook =
                Thread.ofPlatform()
                        .name("headgate-reproduce-end")
                        .unstarted(() -> {
                            campaign.cancel();
                            System.err.println(
                                    "\nheadgate: ended early; no result is written"
                                            + (directory.replaces()
                                                    ? ", and the one in "
                                                            + directory.path()
                                                            + " stays."
                                                    : "."));
                            try {
                                ended.await(END_WITHIN_S, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return campaign.run();
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                // The hook runs, and has said that nothing is written: so be it.
                try {
                    directory.close();
                } finally {
                    ended.countDown();
                }
                waitForTheEnd();
            }
        }
    }

    private static void waitForTheEnd() {
        while (true) {
            LockSupport.park();
        }
    }

    @SuppressWarnings("SystemConsoleNull") // a JVM told to have none (jdk.console) has none
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    private Path directory(ScenarioFinder.Found found) throws ScenarioException {
        if (out != null) {
            return requireNamed(out);
        }
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);
        String now = LocalDateTime.now(ZoneId.systemDefault()).format(form);
        return Path.of("headgate-reproduce", now + "-" + found.scenario().about().name());
    }

    /** An empty name would be the working directory, which a result is not to be strewn into. */
    static Path requireNamed(Path directory) throws ScenarioException {
        if (directory.toString().isEmpty()) {
            throw new ScenarioException("--out cannot be '': allowed is a directory's name");
        }
        return directory;
    }

    private String command() {
        return "headgate " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
    }
}
