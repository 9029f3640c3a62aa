package io.headgate.testbed.scenario.cli;

import io.headgate.config.Reason;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.trace.TraceEventWriter;
import io.headgate.control.web.RecordingFile;
import io.headgate.control.web.WebOption;
import io.headgate.control.web.WebServer;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.RunThreads;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.campaign.BatchSystem;
import io.headgate.testbed.scenario.campaign.CellList;
import io.headgate.testbed.scenario.campaign.Shard;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.campaign.WhatIf;
import io.headgate.testbed.scenario.report.Comparison;
import io.headgate.testbed.scenario.report.SweepDescription;
import io.headgate.testbed.scenario.submit.Tasks;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate reproduce}: runs a scenario and reports whether its results are as expected. */
@Command(
        name = "reproduce",
        description = {
            "Runs a scenario, measures, and compares the result with expectations.",
            "'headgate reproduce list' shows the scenarios, 'list NAME' one with its parameters."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS, or the runs of a shard are done",
            "1:FAIL, or the scenario could not be run",
            "2:wrong name, value or file"
        },
        subcommands = {ListCommand.class, MergeCommand.class})
public final class ReproduceCommand extends HeadgateCommand implements Callable<Integer> {
    private static final int MAX_JOBS = 1024;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "A scenario's name, or the path of a scenario file (.yaml).")
    private @Nullable String name;

    @Option(
            names = "--seed",
            paramLabel = "SEEDS",
            description = "Seed of all random choices: a number, a list 1,2,5 or a range 1..20.",
            defaultValue = "1",
            showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
    private String seeds;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A parameter; a list 0.1,0.5 or a range 0.1..0.7:0.2 sweeps it.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--what-if",
            paramLabel = "CHANGE",
            description = {
                "Runs each setting twice, the second time with one change, and compares:",
                "'s1.p4.congestion=rocc' (any key of a switch, * for all), 'without flow",
                "web-17', 'without link s1-s2'."
            })
    private @Nullable String whatIf;

    @Option(
            names = "--bed",
            paramLabel = "BED",
            description = "virtual (virtual time), netns (real frames, as root) or both.")
    private @Nullable String bed;

    @Option(
            names = "--scale",
            paramLabel = "K",
            description = "Slowdown of the real bed: rates / K, times * K, 1 to 100000.")
    private @Nullable Double scale;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Directory of the result; default: headgate-reproduce/DATE-TIME-NAME.")
    private @Nullable Path out;

    @Option(
            names = "--resume",
            description = "Continues the sweep in --out: only missing runs are run.")
    private boolean resume;

    @Option(
            names = "--cells",
            paramLabel = "LIST",
            description = "Only the runs of these numbers: 7,19..33,40..96:8.")
    private @Nullable String cells;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = {
                "Runs only this part; 'headgate reproduce merge' joins the parts.",
                "auto or auto/N: the part that Slurm, Kubernetes, Grid Engine, PBS or AWS Batch"
                        + " assigns."
            })
    private @Nullable String shard;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description =
                    "Number of parallel runs; by default the number of cores, or of those that a"
                            + " batch system granted.")
    private @Nullable Integer jobs;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = {
                "Threads per run in virtual time, 1 to 64, or auto: the cores that the other runs",
                "leave free, if the network is large. Results do not change; default: 1."
            })
    private @Nullable String threads;

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description = {
                "Runs it elsewhere: slurm[:OPTIONS of sbatch], or ssh:HOST,HOST,...",
                "testbed/sweeps.md has a recipe for each."
            })
    private @Nullable String on;

    @Option(
            names = "--script",
            paramLabel = "WHERE",
            description = {
                "Prints the script without submitting it: slurm[:OPTIONS],",
                "kubernetes[:IMAGE], or parallel:HOST,HOST,..."
            })
    private @Nullable String script;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description =
                    "With --on and --script: number of tasks that share the runs; by default each"
                            + " task takes about two minutes.")
    private @Nullable Integer tasks;

    @Option(
            names = "--lines",
            description =
                    "Prints each run as a line of JSON when it ends, for 'merge -'; writes no"
                            + " files.")
    private boolean lines;

    @Option(
            names = "--trace",
            description = "Records every frame on every link, for 'headgate compare'.")
    private boolean trace;

    @Option(
            names = "--capture",
            paramLabel = "LINK",
            description = {
                "Writes the frames of a link, such as h1-s1, or of all, as pcapng for Wireshark;",
                "may be given several times."
            })
    private List<String> captured = new ArrayList<>();

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = {
                "Records the counters of the switches' ports, 1000 times in the run, for",
                "'headgate web --play FILE'; of one run in virtual time."
            })
    private @Nullable Path record;

    @Option(
            names = "--trace-events",
            paramLabel = "FILE",
            description = {
                "Writes the paths of all frames and the pauses, as JSON that Perfetto",
                "(ui.perfetto.dev) and Chrome's DevTools open; of one run in virtual time."
            })
    private @Nullable Path traceEvents;

    @Mixin private WebOption web;

    @Option(
            names = "--check",
            description = "Checks all invariants after every instant of virtual time (slow).")
    private boolean checking;

    @Option(
            names = "--columns",
            paramLabel = "N",
            description =
                    "Width of figures in columns of a paper: 1 (238 pt) or 2 (504 pt); by default"
                            + " 1, or 2 for several panels.")
    private @Nullable Integer columns;

    @Option(
            names = "--print",
            description = "Prints the scenario's file, to copy and change; runs nothing.")
    private boolean printing;

    @Option(
            names = "--json",
            description = "Prints the result as JSON to stdout, and progress to stderr.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        if (name == null) {
            throw wrong(
                    "headgate reproduce needs the name of a scenario; 'headgate reproduce list'"
                            + " shows them.");
        }
        SweepRun here = null;
        try {
            if (printing) {
                System.out.print(ScenarioFinder.text(name));
                return 0;
            }
            ScenarioFinder.Found found = ScenarioFinder.find(name);
            Scenario scenario = WhatIf.around(found.scenario(), whatIf);
            Sweep sweep = Sweep.of(scenario, settings, seeds, beds(found), requireScale());
            refuseIf(
                    scale != null && !sweep.beds().contains(BedKind.NETNS),
                    "--scale is for the real bed (netns), but no run uses it");
            requireRecordable(sweep);
            Path states = states();
            requireReplaceableEvents();
            SweepDescription description =
                    SweepDescription.of(
                            sweep,
                            found.file(),
                            new SweepRequest(
                                    scenarioName(found), settings, seeds, bed, scale, whatIf));
            SweepRun.Options options =
                    new SweepRun.Options(
                            commandLine(),
                            resume,
                            jobs(),
                            threads(sweep),
                            checking,
                            trace,
                            captured,
                            json,
                            column(columns),
                            isTerminal(),
                            states,
                            traceEvents,
                            Stream.of(record, traceEvents).filter(Objects::nonNull).toList());
            here = new SweepRun(sweep, description, options);
            requireTogether();
            List<Cell> mine = mine(sweep);
            if (states != null) {
                RecordingFile.begin(states);
            }
            return played(states, found, here, mine);
        } catch (ScenarioException | DaemonException e) {
            if (here != null && here.began()) {
                throw new CommandFailure(Reason.of(e) + ".");
            }
            throw CommandFailure.badInput(Reason.of(e) + ".");
        }
    }

    static Column column(@Nullable Integer columns) throws ScenarioException {
        refuseIf(
                columns != null && columns != 1 && columns != 2,
                "--columns " + columns + ": 1 or 2 is allowed");
        return Column.of(columns == null ? 0 : columns);
    }

    private void requireRecordable(Sweep sweep) throws ScenarioException {
        String asked =
                record != null ? "--record" : traceEvents != null ? "--trace-events" : "--web";
        boolean isAsked = record != null || traceEvents != null || web.isGiven();
        refuseIf(
                isAsked && (sweep.cells().size() != 1 || !sweep.beds().contains(BedKind.VIRTUAL)),
                asked
                        + " is for one run in virtual time: give one seed and one value of each"
                        + " parameter");
        refuseIf(
                isAsked && (on != null || script != null || lines),
                asked
                        + " is for a run on this machine that writes a result: it cannot be"
                        + " combined with --on, --script and --lines");
    }

    private void requireReplaceableEvents() throws ScenarioException {
        if (traceEvents != null) {
            try {
                TraceEventWriter.requireReplaceable(traceEvents);
            } catch (IOException e) {
                throw new ScenarioException("--trace-events " + Reason.of(e));
            }
        }
    }

    /** Where the run is recorded; for the page alone, a file that goes with this process. */
    private @Nullable Path states() throws ScenarioException, DaemonException {
        try {
            if (record != null) {
                RecordingFile.requireReplaceable(record);
            }
            if (record != null || !web.isGiven()) {
                return record;
            }
            Path file = Files.createTempFile("headgate-", ".states.gz");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new ScenarioException("cannot make a recording: " + Reason.of(e));
        }
    }

    /** Runs it, with the page from the beginning, until ^C, if that was asked for. */
    private int played(
            @Nullable Path states, ScenarioFinder.Found found, SweepRun here, List<Cell> mine)
            throws ScenarioException, DaemonException {
        if (states == null || !web.isGiven()) {
            return run(found, here, mine);
        }
        PrintStream to = json ? System.err : System.out;
        try (WebServer _ = web.play(states, to::println)) {
            int code = run(found, here, mine);
            to.println("The page stays until ^C.");
            new CountDownLatch(1).await();
            return code;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    /** The cells to run here: all of them, or a part. */
    private List<Cell> mine(Sweep sweep) throws ScenarioException {
        List<Cell> mine = sweep.cells();
        if (cells != null) {
            BitSet named = CellList.parse(cells, mine.size());
            mine = mine.stream().filter(cell -> named.get(cell.index())).toList();
        }
        return shard == null ? mine : Shard.parse(shard, System.getenv()).of(mine);
    }

    private boolean isPart() {
        return shard != null || cells != null;
    }

    private int run(ScenarioFinder.Found found, SweepRun here, List<Cell> mine)
            throws ScenarioException {
        if (lines) {
            return here.lines(mine);
        }
        refuseIf(
                resume && out == null,
                "--resume needs --out DIR, the directory of the earlier runs");
        Path directory = directory(found);
        Places places = new Places(directory);
        if (script != null) {
            SubmittedRun run = new SubmittedRun(here, taskCount(), System.err);
            System.out.print(run.script(places.script(script), mine));
            return 0;
        }
        if (on != null) {
            return new SubmittedRun(here, taskCount(), json ? System.err : System.out)
                    .run(places.followed(on), directory);
        }
        if (isPart()) {
            return here.part(directory, mine);
        }
        int code = here.whole(directory);
        if (whatIf != null && !json) {
            System.out.println("\nA as it is, B " + whatIf + ":");
            System.out.print(Comparison.ofChange(directory).describe());
        }
        return code;
    }

    private int taskCount() {
        return tasks == null ? 0 : tasks;
    }

    private void requireTogether() throws ScenarioException {
        refuseIf(
                tasks != null && (tasks < 1 || tasks > Tasks.MOST),
                "--tasks cannot be " + tasks + ": allowed is 1 to " + Tasks.MOST);
        List<String> elsewhere =
                Stream.of(
                                on == null ? "" : "--on",
                                script == null ? "" : "--script",
                                lines ? "--lines" : "")
                        .filter(option -> !option.isEmpty())
                        .toList();
        refuseIf(
                elsewhere.size() > 1,
                String.join(" and ", elsewhere)
                        + " cannot be combined: only one of them is allowed");
        refuseIf(tasks != null && on == null && script == null, "--tasks is for --on and --script");
        refuseIf(
                jobs != null && (on != null || script != null),
                "--jobs is for runs on this machine: a task runs one per granted processor");
        refuseIf(
                threads != null && (on != null || script != null),
                "--threads is for runs on this machine");
        refuseIf(
                lines && (out != null || resume || json),
                "--lines writes only lines: --out, --resume and --json cannot be combined with it;"
                        + " 'headgate reproduce merge -' has --out and --json");
        refuseIf(
                script != null && resume,
                "--script prints tasks for the runs of --cells, or for all runs: it does not check"
                        + " for existing results");
        refuseIf(
                on != null && isPart(),
                "--on runs the whole sweep, or only the missing runs with --resume; --shard and"
                        + " --cells are for the tasks");
        refuseIf(
                trace && !elsewhere.isEmpty(),
                "--trace is for runs on this machine: recordings are not transferred");
        refuseIf(
                !captured.isEmpty() && !elsewhere.isEmpty(),
                "--capture is for runs on this machine: captures are not transferred");
    }

    private static void refuseIf(boolean isWrong, String sentence) throws ScenarioException {
        if (isWrong) {
            throw new ScenarioException(sentence);
        }
    }

    /** As another process on this machine finds it, wherever it is started. */
    private static String scenarioName(ScenarioFinder.Found found) {
        return found.file() == null
                ? found.scenario().about().name()
                : Path.of(found.file().path()).toAbsolutePath().toString();
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
        refuseIf(
                !(scale >= 1 && scale <= 100_000),
                "--scale cannot be " + scale + ": allowed is 1 to 100000");
        return scale;
    }

    private static int processors() throws ScenarioException {
        return BatchSystem.processors(System.getenv(), Runtime.getRuntime().availableProcessors());
    }

    private RunThreads threads(Sweep sweep) throws ScenarioException {
        if (threads == null) {
            return RunThreads.ONE;
        }
        if (threads.equals("auto")) {
            return RunThreads.upTo(processors() / Math.min(jobs(), sweep.cells().size()));
        }
        return RunThreads.of(count(threads));
    }

    private static int count(String threads) throws ScenarioException {
        int count = threads.matches("[0-9]{1,4}") ? Integer.parseInt(threads) : 0;
        refuseIf(
                count < 1 || count > RunThreads.MOST,
                "--threads cannot be '%s': allowed is 1 to %s, or auto"
                        .formatted(Words.shown(threads), RunThreads.MOST));
        return count;
    }

    private int jobs() throws ScenarioException {
        int each = threads == null || threads.equals("auto") ? 1 : count(threads);
        int count = jobs == null ? Math.max(1, processors() / each) : jobs;
        refuseIf(
                count < 1 || count > MAX_JOBS,
                "--jobs cannot be " + count + ": allowed is 1 to " + MAX_JOBS);
        return count;
    }

    private Path directory(ScenarioFinder.Found found) throws ScenarioException {
        if (out != null) {
            return requireNamed(out);
        }
        return Path.of("headgate-reproduce", now() + "-" + found.scenario().about().name());
    }

    /**
     * An empty name would mean the working directory, where a result's files would mix with others.
     */
    static Path requireNamed(Path directory) throws ScenarioException {
        refuseIf(
                directory.toString().isEmpty(),
                "--out cannot be '': allowed is a directory's name");
        return directory;
    }

    private String commandLine() {
        return "headgate " + String.join(" ", spec().commandLine().getParseResult().originalArgs());
    }
}
