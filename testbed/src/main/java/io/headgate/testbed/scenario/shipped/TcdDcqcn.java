package io.headgate.testbed.scenario.shipped;

import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * DCQCN with TCD: as in the microbenchmarks of "Congestion Detection in Lossless Networks", but of
 * two switches, and F0 and F1 go by DCQCN. A victim of pauses that is told of "undetermined" holds
 * its rate; one that is told of congestion cuts it.
 *
 * <p>As in the authors' configuration ports pause at 330 kB, and bursts are 60 us apart. They begin
 * when DCQCN has filled the link that F0 and F1 share; earlier there is no queue for RED to mark.
 */
public final class TcdDcqcn implements Scenario {
    private static final long PS_PER_US = 1_000_000;
    private static final int SWITCHES = 2;
    private static final int BURSTERS = 14;
    private static final long MEASURED_PS = 20_000 * PS_PER_US;
    private static final long INTERVAL_PS = 100 * PS_PER_US;

    private static final String VICTIM = TcdRuns.VICTIM;
    private static final String CULPRIT = TcdRuns.CULPRIT;
    private static final String VICTIM_RATE = "mean rate of F0 since the first burst";
    private static final String CULPRIT_RATE = "mean rate of F1 since the first burst";
    private static final String CE_SHARE = "F0 marked congested since the first burst";
    private static final double BETTER = 1.5;
    private static final double MOST_CE = 0.1;
    private static final String SOURCE =
            "Zhang et al., TCD (SIGCOMM 2021), the authors' simulator configuration";

    @Override
    public About about() {
        return new About(
                "tcd-dcqcn",
                "DCQCN with TCD: a victim of pauses keeps its rate",
                "Zhang et al., \"Congestion Detection in Lossless Networks\" (SIGCOMM 2021), DCQCN"
                        + " with TCD",
                "F0, which meets no congested port, is cut by DCQCN alone, and keeps its rate where"
                        + " DCQCN obeys TCD's marks.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "detect", List.of("tcd", "red"), "ternary, or by the queue's length"),
                Parameter.rate("senders", "40Gbps", "1Gbps", "40Gbps", "F0's and F1's links"),
                Parameter.rate("demand", "40Gbps", "1Gbps", "40Gbps", "of F0 and F1"),
                Parameter.count("bursts", "334", "1", "1000", "bursts of each host"),
                Parameter.duration("between", "60us", "10us", "1ms", "from burst to burst"),
                Parameter.duration("begin", "40ms", "0ns", "1s", "when the first burst starts"),
                Parameter.size("xoff", "330kB", "20kB", "700kB", "where a port pauses"),
                Parameter.duration(
                        "max-on",
                        "97us",
                        "1us",
                        "1ms",
                        "tcd: max(Ton); the default is the authors'"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Topology topology =
                TcdRuns.simulated(
                        BURSTERS,
                        SWITCHES,
                        values.whole("senders"),
                        values.whole("xoff"),
                        values.word("detect").equals("tcd"),
                        values.whole("max-on"));
        List<FlowSpec> flows =
                List.of(
                        flow(VICTIM, TcdRuns.VICTIM_FROM, TcdRuns.VICTIM_TO, values),
                        flow(CULPRIT, TcdRuns.CULPRIT_FROM, TcdRuns.CULPRIT_TO, values));
        long everyPs = values.whole("between") * Common.PS_PER_NS;
        long beginPs = values.whole("begin") * Common.PS_PER_NS;
        List<ArrivalSpec> sources =
                TcdRuns.bursts(BURSTERS, values.count("bursts"), everyPs, beginPs);
        long endPs = beginPs + MEASURED_PS;
        Recording recording =
                new Recording(INTERVAL_PS, List.of(VICTIM, CULPRIT), List.of())
                        .with(Kind.MARKS, List.of(VICTIM));
        Observation seen =
                Beds.run(new Experiment(topology, flows, sources, endPs, recording), cell, context);
        return seen.outcome(
                List.of(
                        rate(VICTIM_RATE, VICTIM, beginPs, seen),
                        rate(CULPRIT_RATE, CULPRIT, beginPs, seen),
                        congested(beginPs, seen)),
                List.of());
    }

    private static FlowSpec flow(String name, int from, int to, Values values)
            throws ScenarioException {
        // As in the authors' simulator.
        DcqcnConfig keys = DcqcnConfig.of(Map.of("cnp", "periodic"));
        return FlowSpec.greedy(name, from, to, TcdRuns.shape())
                .paced(new SendPattern.Controlled(new Dcqcn().use(keys), values.whole("demand")));
    }

    private static Measure rate(String name, String group, long beginPs, Observation seen) {
        Series series = seen.seriesOf("throughput " + group);
        double fromUs = beginPs / (double) PS_PER_US;
        return new Measure(name, series.unit(), series.mean(fromUs, Double.POSITIVE_INFINITY));
    }

    /** What share of F0's frames is marked congested from the first burst on, in percent. */
    private static Measure congested(long beginPs, Observation seen) {
        return new Measure(
                CE_SHARE,
                "%",
                100 * since(beginPs, seen, "congested") / since(beginPs, seen, "arrived"));
    }

    private static double since(long beginPs, Observation seen, String what) {
        Series frames = seen.seriesOf(what + " " + VICTIM);
        double fromUs = beginPs / (double) PS_PER_US;
        return IntStream.range(0, frames.values().length)
                .filter(i -> frames.timesUs()[i] > fromUs)
                .mapToDouble(i -> frames.values()[i])
                .sum();
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<Line> lines = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            lines.add(run.line("F0", Style.STEP, "throughput " + VICTIM));
            if (run.has("detect", "tcd")) {
                run.atMost(CE_SHARE, MOST_CE, SOURCE);
                // Beside the run that differs in what marks alone.
                for (CellResult other :
                        run.alike("senders", "demand", "bursts", "between", "begin", "xoff")) {
                    if (other.cell().values().word("detect").equals("red")) {
                        all.check(
                                Check.atLeast(
                                        run.named(VICTIM_RATE) + ", with RED's",
                                        "times",
                                        run.measure(VICTIM_RATE) / other.measure(VICTIM_RATE),
                                        BETTER,
                                        SOURCE));
                    }
                }
            }
        }
        return all.with(
                new Figure(
                        "victim",
                        "What the victim of pauses sends",
                        Axis.linear("time", "us"),
                        Axis.linear("rate", "Gb/s"),
                        lines,
                        "With TCD it keeps its rate; by the queue's length it is cut.",
                        "F0 under DCQCN"));
    }
}
