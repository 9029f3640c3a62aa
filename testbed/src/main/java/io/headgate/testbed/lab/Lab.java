package io.headgate.testbed.lab;

import io.headgate.control.cli.MetricsOption;
import io.headgate.control.report.Json;
import io.headgate.control.report.RunReport;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Figure;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * A ready-made demonstration. {@link #run} once, on one thread; {@link #close} from any, at any
 * moment, takes everything down.
 */
public abstract class Lab implements AutoCloseable {
    final LabOptions options;
    final Progress progress;
    final RunReport report;
    final LabFiles files;
    private final LabRecords records;
    private MetricsOption metrics = new MetricsOption();
    private final long startNs = System.nanoTime();
    private volatile @Nullable LabNetwork network;
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
     * Runs it; what was not as it should be is in {@link RunReport#problems}.
     *
     * @throws BedException if it could not be run, in one sentence
     */
    public abstract RunReport run() throws BedException;

    /** Before it runs: where the counters of its switches are served while they run. */
    public void serve(MetricsOption where) {
        metrics = where;
    }

    /** A network for the lab, or for one part of it, which closes it before the next begins. */
    LabNetwork open() throws BedException {
        LabNetwork own = new LabNetwork(options, records, progress, metrics);
        network = own;
        if (closed) {
            throw new BedException("the lab is being closed");
        }
        return own;
    }

    /** Ends the report, and writes it with these plots behind its other figures. */
    RunReport finish(List<Figure> plots) throws BedException {
        report.duration(Duration.ofNanos(System.nanoTime() - startNs));
        files.writeReport(plots);
        return report;
    }

    /** Ends whatever runs and removes whatever was made. Idempotent. */
    @Override
    public void close() {
        closed = true;
        progress.hush();
        LabNetwork current = network;
        if (current != null) {
            current.close();
        }
    }

    /** Whether somebody closed it. */
    public boolean isClosed() {
        return closed;
    }
}
