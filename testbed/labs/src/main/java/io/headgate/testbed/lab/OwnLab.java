package io.headgate.testbed.lab;

import io.headgate.config.SwitchConfig;
import io.headgate.control.cli.MetricsOption;
import io.headgate.control.cli.trace.TraceEventsOption;
import io.headgate.control.report.Json;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.measures.RunMeasures;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Series;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * A lab that is described in a file. Where parameters have several values, one run after the other,
 * each with a network of its own. {@link #run} once, on one thread; {@link #close} from any, at any
 * moment, takes everything down.
 */
public final class OwnLab implements AutoCloseable {
    private static final long HEARD_WITHIN_MS = 500;

    final LabOptions options;
    final Progress progress;
    final RunReport report;
    final LabFiles files;
    private final LabRecords records;
    private MetricsOption metrics = new MetricsOption();
    private TraceEventsOption traces = new TraceEventsOption();
    private final long startNs = System.nanoTime();
    private final List<LabChanges> changes = new CopyOnWriteArrayList<>();
    private volatile @Nullable LabNetwork network;
    private final List<Supplier<List<Figure>>> plots = new ArrayList<>();
    private volatile @Nullable String endedBy;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean closed;
    private final List<OwnLabSpec> specs;
    private final int times;
    private final List<OwnRun.Result> results = new ArrayList<>();

    /**
     * What one run came to, for those who compare.
     *
     * @param name of the run; empty where there is one
     * @param flows of all phases, in the file's order
     * @param lostFrames anywhere between sockets, where hosts have cards of ours
     * @param configs of the switches
     * @param sent what each port sent since the traffic began, in bits per second
     */
    public record Ran(
            String name,
            List<Iperf3.Outcome> flows,
            long lostFrames,
            List<SwitchConfig> configs,
            List<Series> sent) {
        public Ran {
            flows = List.copyOf(flows);
            configs = List.copyOf(configs);
            sent = List.copyOf(sent);
        }
    }

    /**
     * @param specs of its runs, in their order
     * @param times how often each is made; of several medians are judged
     * @param command the command line, for the report
     * @param out takes lines of progress
     */
    public OwnLab(
            List<OwnLabSpec> specs,
            int times,
            LabOptions options,
            LabRecords records,
            String command,
            PrintStream out) {
        this.specs = List.copyOf(specs);
        this.times = times;
        this.options = options;
        this.records = records;
        this.progress = new Progress(out);
        this.report = new RunReport(command + " (" + specs.getFirst().name() + ")");
        report.options(Json.COMPACT.convertValue(options, new TypeReference<>() {}));
        this.files = new LabFiles(options.reportDirectory(), report);
    }

    /** Has the report name its parameters as they were set: they may be called as options are. */
    public void describe(Map<String, String> settings) {
        if (!settings.isEmpty()) {
            report.options(Map.of("parameters", settings));
        }
    }

    /**
     * Runs it; what was not as it should be is in {@link RunReport#problems}.
     *
     * @throws BedException if it could not be run, in one sentence
     */
    public RunReport run() throws BedException {
        requireSteering();
        Map<String, String> headlines = new LinkedHashMap<>();
        List<RunMeasures> runs = new ArrayList<>();
        List<RunMeasures> twins = new ArrayList<>();
        for (OwnLabSpec spec : specs) {
            int first = results.size();
            List<RunMeasures> all = new ArrayList<>();
            for (int number = 1; number <= times; number++) {
                all.add(run(times == 1 ? spec : spec.again(number), headlines));
            }
            runs.add(times == 1 ? all.getFirst() : new RunMeasures.Medians(spec, all));
            Phase.Outcome twin = results.get(first).twin();
            if (twin != null) {
                twins.add(new PhaseFindings(spec.virtual(), List.of(twin), report));
            }
        }
        runs.addAll(twins);
        if (!options.shell()) {
            RunFindings findings = new RunFindings(runs, report);
            expected(results, findings.judge());
            for (Figure figure : findings.figures()) {
                files.plot(figure);
            }
            findings.headlinesOfRuns(headlines);
        }
        return finish();
    }

    /** Cards that control rates have queues for flows: says so before the first run. */
    private void requireSteering() throws BedException {
        boolean isNeeded =
                specs.stream()
                        .flatMap(spec -> spec.flows().stream())
                        .anyMatch(flow -> !flow.rateControl().isEmpty());
        Optional<String> whyNot = isNeeded ? TapDevice.whyNoSteering() : Optional.empty();
        if (whyNot.isPresent()) {
            throw new BedException(whyNot.get());
        }
    }

    private PhaseFindings run(OwnLabSpec spec, Map<String, String> headlines) throws BedException {
        boolean isPart = !spec.run().isEmpty();
        if (!isPart && !waits(spec)) {
            return result(new OwnRun(this, spec, report).run(false));
        }
        return result(
                Attempts.of(
                        this,
                        spec.run(),
                        waits(spec),
                        part -> new OwnRun(this, spec, part),
                        part -> add(part, spec, headlines)));
    }

    /** Whether an order of it waits for what may not come. */
    private static boolean waits(OwnLabSpec spec) {
        return spec.orders().stream().anyMatch(order -> order.once() != null);
    }

    private void add(RunReport part, OwnLabSpec spec, Map<String, String> headlines) {
        report.addAll(part, spec.run());
        if (spec.run().isEmpty()) {
            part.headlines().forEach(report::headline);
        } else {
            part.headlines()
                    .forEach((name, value) -> headlines.put(name + ", " + spec.run(), value));
        }
    }

    private PhaseFindings result(OwnRun.Result result) {
        results.add(result);
        return result.phases();
    }

    /** Adds to the report what was expected; nothing if nothing was. */
    private void expected(List<OwnRun.Result> runs, List<Check> ofMeasures) {
        List<Check> checks = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (OwnRun.Result run : runs) {
            String name = run.phases().spec().run();
            checks.addAll(run.checks());
            run.checks().forEach(check -> lines.add(line(name, check)));
        }
        checks.addAll(ofMeasures);
        ofMeasures.forEach(check -> lines.add(line("", check)));
        if (!checks.isEmpty()) {
            report.add(new Section("Expected", checks, String.join("\n", lines)));
        }
    }

    private static String line(String run, Check check) {
        return (check.passed() ? "ok: " : "not so: ")
                + (run.isEmpty() ? "" : run + ": ")
                + check.sentence();
    }

    /** What its runs came to; complete once {@link #run} has ended. */
    public List<Ran> ran() {
        return results.stream().map(OwnLab::ran).toList();
    }

    private static Ran ran(OwnRun.Result of) {
        List<Phase.Outcome> outcomes = of.phases().outcomes();
        return new Ran(
                of.phases().spec().run(),
                outcomes.stream().flatMap(phase -> phase.flows().stream()).toList(),
                outcomes.stream().mapToLong(phase -> Losses.frames(phase.lost())).sum(),
                of.configs(),
                of.looks().sent());
    }

    /** Before it runs: where the counters of its switches are served while they run. */
    public void serve(MetricsOption where) {
        metrics = where;
    }

    /** Before it runs: where what the workers of its switches do is written. */
    public void trace(TraceEventsOption where) {
        traces = where;
    }

    /** Before it runs: a file that it will leave, for the report to name. */
    public void leaves(String what, Path file) {
        report.file(what, file);
    }

    /** A network for the lab, or for one part of it, which closes it before the next begins. */
    LabNetwork open() throws BedException {
        LabChanges changed = new LabChanges(startNs);
        changes.add(changed);
        LabNetwork own = new LabNetwork(options, records, progress, metrics, traces, changed);
        network = own;
        if (closed) {
            throw new BedException("the lab is being closed");
        }
        return own;
    }

    /** Adds figures that are drawn after the report's other figures, once it is written. */
    void plots(Supplier<List<Figure>> later) {
        plots.add(later);
    }

    /** How much the report will have of networks: figures, and what was changed of them. */
    record Kept(int plots, int networks) {}

    Kept kept() {
        return new Kept(plots.size(), changes.size());
    }

    /** Takes back what was added last: the report will have what there was before. */
    void keep(Kept before) {
        plots.subList(before.plots, plots.size()).clear();
        changes.subList(before.networks, changes.size()).clear();
    }

    /** Ends the report, and writes it. */
    RunReport finish() throws BedException {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - startNs);
        report.duration(elapsed);
        LabChanges.describe(changes, report);
        String signal = endedBy;
        if (signal == null) {
            files.plotAll(figures());
        } else {
            report.problem(
                    "ended early by a signal (%s) after %.1f s: this is what there was by then"
                            .formatted(signal, elapsed.toMillis() / 1e3));
            plotWhatCanBe();
        }
        files.writeReport();
        return report;
    }

    private List<Figure> figures() {
        return plots.stream().flatMap(some -> some.get().stream()).toList();
    }

    private void plotWhatCanBe() throws BedException {
        try {
            files.plotAll(figures());
        } catch (RuntimeException e) {
            // A series that had just begun cannot be drawn; it is not missed.
            return;
        }
    }

    /**
     * Writes what there is, in place of the rest of {@link #run}, which a signal ended.
     *
     * @throws BedException if it cannot be written
     */
    public RunReport finishEarly() throws BedException {
        files.makeDirectory();
        return finish();
    }

    /** As {@link #close}, because of a signal. */
    public void end(String signal) {
        endedBy = signal;
        ended.countDown();
        close();
    }

    /** Where its report is written. */
    public Path reportDirectory() {
        return options.reportDirectory();
    }

    /** Whether a signal ended it. */
    public boolean isEndedEarly() {
        return endedBy != null;
    }

    /**
     * Whether a signal is why something failed just now. ^C is for all programs of a terminal's
     * group: what it did to one that the lab has started may be seen before the lab's own part is.
     */
    public boolean failsForItsEnd() {
        try {
            return ended.await(HEARD_WITHIN_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return isEndedEarly();
        }
    }

    /** Ends whatever runs and removes whatever was made. Idempotent. */
    @Override
    public void close() {
        closed = true;
        progress.hush();
        LabNetwork current = network;
        if (current != null) {
            // Its own thread may still ask switches what they have counted, and closes it then.
            current.end();
        }
    }

    /** Whether the lab has been closed. */
    public boolean isClosed() {
        return closed;
    }
}
