package io.headgate.testbed.lab;

import io.headgate.control.cli.MetricsOption;
import io.headgate.control.cli.trace.TraceEventsOption;
import io.headgate.control.report.Json;
import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Figure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * A ready-made demonstration. {@link #run} once, on one thread; {@link #close} from any, at any
 * moment, takes everything down.
 */
public abstract class Lab implements AutoCloseable {
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
    boolean endsEarly;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean closed;

    /**
     * @param command the command line, for the report
     * @param out takes lines of progress
     */
    Lab(LabOptions options, LabRecords records, String command, PrintStream out) {
        this.options = options;
        this.records = records;
        this.progress = new Progress(out);
        this.report = new RunReport(command);
        report.options(Json.COMPACT.convertValue(options, new TypeReference<>() {}));
        this.files = new LabFiles(options.reportDirectory(), report);
    }

    /**
     * Runs it; problems are in {@link RunReport#problems}.
     *
     * @throws BedException if it could not be run, in one sentence
     */
    public abstract RunReport run() throws BedException;

    /**
     * To be called before it runs: sets the place where the counters of its switches are served
     * while they run.
     */
    public void serve(MetricsOption where) {
        metrics = where;
    }

    /**
     * To be called before it runs: sets the file to which the work of its switches' workers is
     * written.
     */
    public void trace(TraceEventsOption where) {
        traces = where;
    }

    /**
     * To be called before it runs: has each phase end once all of its flows by iperf3 and commands
     * have; RDMA's flows are not waited for. Its duration is then the longest that a busy machine
     * may take for them, and no number of the report that is of that duration can be used.
     */
    void endEarly() {
        endsEarly = true;
    }

    /** To be called before it runs: adds a file that it will leave, for the report to name. */
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

    /** The parts of the report about networks: figures, and changes of their configuration. */
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
                    ("ended early by a signal (%s) after %.1f s: this report has the results until"
                                    + " then")
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
     * Writes the results so far, instead of the rest of {@link #run}, which a signal ended.
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
     * Whether a signal is the reason of a failure just now. ^C is for all programs of a terminal's
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
