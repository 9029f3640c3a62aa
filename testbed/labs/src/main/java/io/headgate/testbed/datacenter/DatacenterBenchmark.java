package io.headgate.testbed.datacenter;

import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig.Trust;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.OwnLab;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tests of a plan one after the other, each at a switch of its own. {@link #close} may be
 * called by any thread at any moment and takes everything down; the rest is one thread's.
 */
public final class DatacenterBenchmark implements AutoCloseable {
    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final int MOST_FLOWS = 3;

    private final DatacenterPlan plan;
    private final Path directory;
    private final LabRecords records;
    private final Consumer<String> say;
    private final DatacenterResult result;
    private final String prefix =
            "hgd" + ProcessHandle.current().pid() + "-" + RUNS.incrementAndGet() + "-";
    private @Nullable AutoCloseable current;
    private boolean closed;

    /**
     * A benchmark.
     *
     * @param directory for results; made when needed
     * @param say takes lines of progress
     */
    public DatacenterBenchmark(
            DatacenterPlan plan, Path directory, LabRecords records, Consumer<String> say) {
        this.plan = plan;
        this.directory = directory;
        this.records = records;
        this.say = say;
        this.result = new DatacenterResult(plan);
    }

    /**
     * Runs it.
     *
     * @throws BenchException if it could not be run, in one sentence
     */
    public DatacenterResult run() throws BenchException {
        Set<Tool> missing =
                Tools.provide(EnumSet.of(Tool.IP, Tool.SETPRIV, Tool.PING, Tool.IPERF3), say);
        if (!missing.isEmpty()) {
            throw new BenchException(Tools.sentence(missing));
        }
        try {
            for (String test : DatacenterPlan.TESTS) {
                if (plan.tests().contains(test)) {
                    switch (test) {
                        case DatacenterPlan.HEAD_OF_LINE -> runHeadOfLine();
                        case DatacenterPlan.INCAST -> runIncast();
                        default -> runBursts(test);
                    }
                }
            }
        } catch (BedException failure) {
            throw new BenchException(failure);
        }
        return result;
    }

    private void runBursts(String test) throws BedException {
        try (SwitchBed bed = keep(new SwitchBed(prefix, records, say))) {
            SwitchConfig config = start(test, bed, plan.burstRateBps(), Trust.PCP);
            try (BurstBed bursts = new BurstBed(bed, config)) {
                boolean buffering = test.equals(DatacenterPlan.BUFFERING);
                for (int round = 1; round <= plan.rounds(); round++) {
                    say.accept(test + ", round " + round + " of " + plan.rounds());
                    for (int sizeBytes : plan.sizesBytes()) {
                        if (buffering) {
                            fill(bursts, sizeBytes, round);
                        } else {
                            search(bursts, sizeBytes, round);
                        }
                    }
                }
            }
        }
    }

    private void fill(BurstBed bursts, int sizeBytes, int round) throws BedException {
        for (Pattern pattern : Buffering.patterns()) {
            result.add(Buffering.run(bursts, pattern, sizeBytes, round));
        }
    }

    private void search(BurstBed bursts, int sizeBytes, int round) throws BedException {
        for (Pattern pattern : Microburst.patterns()) {
            result.add(Microburst.run(bursts, pattern, sizeBytes, round));
        }
    }

    private void runHeadOfLine() throws BedException {
        say.accept("head-of-line blocking: lossy, PFC, credits");
        OwnLab lab = HeadOfLine.lab(plan, prefix, directory.resolve("hol"), records);
        try (OwnLab kept = keep(lab)) {
            HeadOfLine.Result found = HeadOfLine.run(kept);
            found.trials().forEach(trial -> result.config("hol, " + trial.mode(), trial.config()));
            result.set(found);
        }
    }

    private void runIncast() throws BedException {
        try (SwitchBed bed = keep(new SwitchBed(prefix, records, say))) {
            SwitchConfig config = start(DatacenterPlan.INCAST, bed, plan.flowRateBps(), Trust.DSCP);
            for (int flows = 0; flows <= MOST_FLOWS; flows++) {
                say.accept("incast, " + flows + " stateful flows");
                result.add(Incast.run(bed, config, flows, false, plan.seconds()));
                result.add(Incast.run(bed, config, flows, true, plan.seconds()));
            }
        }
    }

    private SwitchConfig start(String test, SwitchBed bed, long rateBps, Trust trust)
            throws BedException {
        SwitchConfig config =
                BedConfig.of(bed.network().switchNetns(0), rateBps, trust, plan.seed());
        result.config(test, config);
        bed.start(config, say);
        return config;
    }

    private <T extends AutoCloseable> T keep(T part) throws BedException {
        synchronized (this) {
            current = part;
            if (!closed) {
                return part;
            }
        }
        close();
        throw new BedException("the benchmark is being closed");
    }

    /**
     * The report; configurations and figures are written for it. A file that cannot be written is a
     * problem that it tells.
     *
     * @param command the command line
     */
    public RunReport report(String command) {
        RunReport report = DatacenterReport.of(result, command);
        try {
            Files.createDirectories(directory);
            for (var entry : result.configs().entrySet()) {
                String name = "switch-" + entry.getKey().replace(", ", "-") + ".yaml";
                Files.writeString(directory.resolve(name), SwitchConfigs.toYaml(entry.getValue()));
                report.file("switch of " + entry.getKey(), directory.resolve(name));
            }
            DatacenterFigures.write(result, directory, report);
        } catch (IOException failure) {
            report.problem("cannot write configurations and figures: " + Reason.of(failure));
        }
        return report;
    }

    /** Ends whatever runs and removes whatever was made. Idempotent. */
    @Override
    public void close() {
        AutoCloseable open;
        synchronized (this) {
            closed = true;
            open = current;
            current = null;
        }
        if (open != null) {
            try {
                open.close();
            } catch (Exception failure) {
                say.accept("while closing: " + Reason.of(failure));
            }
        }
    }
}
