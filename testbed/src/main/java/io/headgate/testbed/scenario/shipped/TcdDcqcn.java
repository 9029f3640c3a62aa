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
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * DCQCN with TCD: as in the microbenchmarks of "Congestion Detection in Lossless Networks", but of
 * two switches, and F0 and F1 go by DCQCN. A victim of pauses that is told of "undetermined" holds
 * its rate; one that is told of congestion cuts it.
 *
 * <p>The authors' ports pause at 330 kB and their bursts are 60 us apart. Here DCQCN has cut F1 by
 * then before a pause reaches F0, whatever the marks; so ports pause at half of it, and bursts
 * follow closer.
 */
public final class TcdDcqcn implements Scenario {
    private static final long PS_PER_US = 1_000_000;
    private static final int SWITCHES = 2;
    private static final int BURSTERS = 14;
    private static final long BURSTS_BEGIN_PS = 1_000 * PS_PER_US;
    private static final long MEASURED_PS = 20_000 * PS_PER_US;
    private static final long INTERVAL_PS = 100 * PS_PER_US;

    private static final String VICTIM = TcdRuns.VICTIM;
    private static final String CULPRIT = TcdRuns.CULPRIT;
    private static final String VICTIM_RATE = "mean rate of F0 since the first burst";
    private static final String CULPRIT_RATE = "mean rate of F1 since the first burst";
    private static final String CE_SHARE = "F0 marked congested, of all of its frames";
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
                        + " DCQCN goes by TCD's marks.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "detect", List.of("tcd", "red"), "ternary, or by the queue's length"),
                Parameter.rate("senders", "40Gbps", "1Gbps", "40Gbps", "F0's and F1's links"),
                Parameter.rate("demand", "20Gbps", "1Gbps", "40Gbps", "of F0 and F1"),
                Parameter.count("bursts", "10", "1", "1000", "bursts of each host"),
                Parameter.duration("between", "20us", "10us", "1ms", "from burst to burst"),
                Parameter.size("xoff", "165kB", "20kB", "700kB", "where a port pauses"),
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
        List<ArrivalSpec> sources =
                TcdRuns.bursts(BURSTERS, values.count("bursts"), everyPs, BURSTS_BEGIN_PS);
        long endPs = BURSTS_BEGIN_PS + MEASURED_PS;
        Recording recording = new Recording(INTERVAL_PS, List.of(VICTIM, CULPRIT), List.of());
        Observation seen =
                Beds.run(new Experiment(topology, flows, sources, endPs, recording), cell, context);
        return seen.outcome(
                List.of(
                        rate(VICTIM_RATE, VICTIM, seen),
                        rate(CULPRIT_RATE, CULPRIT, seen),
                        TcdRuns.congested(CE_SHARE, seen.group(VICTIM))),
                List.of());
    }

    private static FlowSpec flow(String name, int from, int to, Values values)
            throws ScenarioException {
        // As in the authors' simulator.
        DcqcnConfig keys = DcqcnConfig.of(Map.of("cnp", "periodic"));
        return FlowSpec.greedy(name, from, to, TcdRuns.shape())
                .paced(new SendPattern.Controlled(new Dcqcn().use(keys), values.whole("demand")));
    }

    private static Measure rate(String name, String group, Observation seen) {
        Series series = seen.seriesOf("throughput " + group);
        double fromUs = BURSTS_BEGIN_PS / (double) PS_PER_US;
        return new Measure(name, series.unit(), series.mean(fromUs, Double.POSITIVE_INFINITY));
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
                        run.alike("senders", "demand", "bursts", "between", "xoff")) {
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
