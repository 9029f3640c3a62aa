package io.headgate.perf.cli;

import io.headgate.config.Reason;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.cli.bench.BenchRun;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.HopScale;
import io.headgate.perf.engine.JmhScore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Base of commands that run JMH's benchmarks: by themselves, or in rounds that alternate with a
 * plain hop. The output of JMH is progress, and goes to another stream than the results. Forks have
 * the options of this JVM, and so the launcher's.
 */
abstract class JmhCommand extends HeadgateCommand implements Callable<Integer> {
    static final String HOP = "a plain hop";

    private static final int ROUNDS = 3;

    /**
     * Divisible by 2 and by 3, so that each of two or three contenders has the same number of
     * turns.
     */
    private static final int SMOKE_TURNS = 6;

    private static final int SMOKE_TURN_MS = 10;

    @Option(
            names = "--smoke",
            description = "one short run without limits: shows only that everything works")
    private boolean smoke;

    @Mixin private BenchRun run;

    private final List<RunResult> results = new ArrayList<>();

    abstract RunReport measured() throws BenchException;

    final void require(boolean condition, String allowed) {
        run.require(condition, allowed);
    }

    @Override
    public Integer call() {
        return run.of(this::measured, BenchRun::endPrograms);
    }

    /** Runs benchmarks with the forks and iterations that they say themselves. */
    Collection<RunResult> once(ChainedOptionsBuilder options) throws BenchException {
        if (smoke) {
            options.forks(1)
                    .warmupIterations(1)
                    .warmupTime(TimeValue.milliseconds(SMOKE_TURN_MS))
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(SMOKE_TURN_MS));
        }
        return runAll(options);
    }

    /**
     * As {@link #once}, benchmarks whose iterations are turns of two or three contenders. A short
     * run has no fork for each: one after another, in this JVM.
     */
    Collection<RunResult> inTurns(ChainedOptionsBuilder options) throws BenchException {
        if (smoke) {
            options.forks(0)
                    .warmupIterations(0)
                    .measurementIterations(SMOKE_TURNS)
                    .measurementTime(TimeValue.milliseconds(SMOKE_TURN_MS));
        }
        return runAll(options);
    }

    boolean isSmoke() {
        return smoke;
    }

    private Collection<RunResult> runAll(ChainedOptionsBuilder options) throws BenchException {
        try {
            Collection<RunResult> now =
                    new Runner(
                                    options.shouldFailOnError(true).build(),
                                    OutputFormatFactory.createFormatInstance(
                                            run.progress(), VerboseMode.NORMAL))
                            .run();
            results.addAll(now);
            return now;
        } catch (RunnerException failure) {
            throw Reason.of(failure).contains("JMH lock")
                    ? new BenchException(
                            "another benchmark of this kind runs on this machine, and the two would"
                                    + " slow each other down; wait for its end",
                            failure)
                    : new BenchException(failure);
        }
    }

    static ChainedOptionsBuilder plainHop() {
        return new OptionsBuilder()
                .include(EngineBenchmark.class.getName())
                .param("memory", "hot")
                .param("flowControl", "none");
    }

    /** Runs benchmarks in turn, a fork of each, in that number of rounds. */
    List<Collection<RunResult>> rounds(int count, ChainedOptionsBuilder options)
            throws BenchException {
        List<Collection<RunResult>> rounds = new ArrayList<>();
        for (int round = 0; round < (smoke ? 1 : count); round++) {
            rounds.add(once(options.forks(1)));
        }
        return rounds;
    }

    /** What all rounds measured of each benchmark, as if its forks had run one after another. */
    static List<RunResult> pooled(List<Collection<RunResult>> rounds) {
        Map<String, RunResult> pooled = new LinkedHashMap<>();
        for (Collection<RunResult> round : rounds) {
            for (RunResult result : round) {
                pooled.merge(result.getParams().id(), result, JmhCommand::both);
            }
        }
        return List.copyOf(pooled.values());
    }

    private static RunResult both(RunResult one, RunResult other) {
        return new RunResult(
                one.getParams(),
                Stream.of(one, other)
                        .flatMap(result -> result.getBenchmarkResults().stream())
                        .toList());
    }

    /**
     * Runs benchmarks and a plain hop in turn, a fork of each, three times.
     *
     * @param times of a round's results, in ns
     */
    HopScale besideHop(
            ChainedOptionsBuilder options,
            Function<Collection<RunResult>, Map<HopScale.Case, Double>> times)
            throws BenchException {
        HopScale scale = new HopScale();
        for (int round = 0; round < (smoke ? 1 : ROUNDS); round++) {
            RunResult hop = once(plainHop().forks(1)).iterator().next();
            double hopNs = hop.getPrimaryResult().getScore();
            scale.round(hopNs, times.apply(once(options.forks(1))));
        }
        return scale;
    }

    /**
     * The report: what was found, the limits, and for programs all that JMH measured.
     *
     * @param found what a person reads
     */
    RunReport report(HopScale scale, Section... found) {
        RunReport report = report(scale.checks(), found);
        report.headline(HOP, scale.hop());
        return report;
    }

    /** As {@link #report(HopScale, Section...)}, with limits that are not times. */
    RunReport report(List<RunReport.Check> limits, Section... found) {
        RunReport report = new RunReport(run.line());
        report.options(Map.of("smoke", smoke));
        for (Section section : found) {
            report.add(section);
        }
        List<RunReport.Check> checks = smoke ? List.of() : limits;
        checks.forEach(report::check);
        if (checks.isEmpty()) {
            report.measures();
        }
        report.add(new Section("JMH", results.stream().map(JmhScore::of).toList(), ""));
        return report;
    }
}
