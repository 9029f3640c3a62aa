package io.headgate.testbed.scenario.shipped;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Points;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.SweepFigures;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Frames of a Poisson process before a link: an M/G/1 queue, whose mean wait is known. */
public final class MeanQueue implements Scenario {
    private static final int GAP_BYTES = 12;
    private static final int SHORTEST_BYTES = 100;
    private static final int LONGEST_BYTES = 1500;
    private static final int FIXED_BYTES = 800;
    private static final double TOLERANCE = 0.02;
    private static final String FORMULA = "Pollaczek-Khinchine: W = lambda E[S^2] / (2 (1 - rho))";
    private static final String FLOW = "frames";

    @Override
    public About about() {
        return new About(
                "mg1",
                "Mean wait before a link with Poisson arrivals (M/G/1)",
                "Kleinrock, Queueing Systems, volume 1 (1975), chapter 5",
                "The mean wait is lambda E[S^2] / (2 (1 - rho)), for any distribution of lengths.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.number("load", "0.1,0.3,0.5,0.7", "0.01", "0.95", "of the link"),
                Parameter.count("arrivals", "2M", "10k", "100M", "mean number of frames"),
                Parameter.word(
                        "sizes",
                        List.of("uniform", "fixed"),
                        "lengths of frames: "
                                + SHORTEST_BYTES
                                + " to "
                                + LONGEST_BYTES
                                + " bytes, or "
                                + FIXED_BYTES),
                Parameter.rate("rate", "1Gbps", "10Mbps", "100Gbps", "rate of the link"));
    }

    private static SizeDistribution sizes(Values values) {
        return values.word("sizes").equals("fixed")
                ? SizeDistribution.fixed(FIXED_BYTES)
                : SizeDistribution.uniform(SHORTEST_BYTES, LONGEST_BYTES);
    }

    /** Mean of the time that a frame takes the wire, in us. */
    private static double meanServiceUs(Values values) {
        return Common.wireUs(sizes(values).meanBytes(), values.number("rate"));
    }

    private static double meanSquareServiceUs2(Values values) {
        SizeDistribution sizes = sizes(values);
        double overhead = Ethernet.WIRE_OVERHEAD_BYTES;
        double meanSquareBytes2 =
                sizes.meanSquareBytes() + 2 * overhead * sizes.meanBytes() + overhead * overhead;
        double usPerByte = 8e6 / values.number("rate");
        return meanSquareBytes2 * usPerByte * usPerByte;
    }

    private static double expectedWaitUs(Values values, double load) {
        double perUs = load / meanServiceUs(values);
        return perUs * meanSquareServiceUs2(values) / (2 * (1 - load));
    }

    private static double meanIntervalPs(Values values) {
        return meanServiceUs(values) * 1e6 / values.number("load");
    }

    @Override
    public void check(Values values) throws ScenarioException {
        double durationS = values.number("arrivals") * meanIntervalPs(values) / 1e12;
        if (durationS > Experiment.LONGEST_PS / 1e12) {
            throw new ScenarioException(
                    String.format(
                            Locale.ROOT,
                            "%s arrivals at a load of %s of %s take %.0f s: at most 1000 s are"
                                    + " allowed; fewer arrivals, more load or a higher rate take"
                                    + " less",
                            values.text("arrivals"),
                            values.text("load"),
                            values.text("rate"),
                            durationS));
        }
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        double meanIntervalPs = meanIntervalPs(values);
        Topology topology =
                new Topology(
                        "pair",
                        SwitchConfig.Mode.BRIDGE,
                        Topology.Sizes.DEFAULT,
                        List.of(new Topology.Host("h1"), new Topology.Host("h2")),
                        List.of(),
                        List.of(
                                new Topology.Link(
                                        "h1", "h2", LinkSpec.of(values.whole("rate"), 0))),
                        List.of());
        FlowSpec flow =
                FlowSpec.greedy(FLOW, 0, 1, FrameShape.udp(FIXED_BYTES))
                        .paced(new SendPattern.PoissonFrames(meanIntervalPs, sizes(values)));
        long durationPs = (long) (values.number("arrivals") * meanIntervalPs);
        Observation seen =
                Common.run(topology, List.of(flow), durationPs, Recording.NOTHING, cell, context);
        GroupFacts facts = seen.group(FLOW);
        double meanBytes = (double) facts.frameBytesReceived() / facts.framesReceived();
        // A frame has arrived when its last bit has: the gap behind it is not part of its delay.
        double onTheWireUs =
                (meanBytes + Ethernet.WIRE_OVERHEAD_BYTES - GAP_BYTES)
                        * 8e6
                        / values.number("rate");
        double waitUs = facts.meanDelayUs() - onTheWireUs;
        double perUs = facts.framesReceived() / seen.durationUs();
        return seen.outcome(
                List.of(
                        new Measure("mean wait", "us", waitUs),
                        new Measure("mean queue", "frames", waitUs * perUs)),
                List.of());
    }

    /** The mean wait at all loads that are allowed. */
    private static Points formula(Values values) {
        Points points = new Points();
        for (int percent = 0; percent <= 95; percent++) {
            points.add(percent / 100.0, expectedWaitUs(values, percent / 100.0));
        }
        return points;
    }

    /** A formula and what was measured have one name and one colour. */
    private static List<Line> lines(
            Map<String, Points> formulas, Map<String, SortedMap<Double, List<Double>>> measured) {
        List<Line> lines = new ArrayList<>();
        formulas.forEach((of, points) -> lines.add(points.line(of, Style.DASHED)));
        measured.forEach((of, points) -> lines.add(SweepFigures.line(of, Style.POINTS, points)));
        return lines;
    }

    /** What tells runs of one formula from those of others. */
    private static String kind(List<CellResult> results, Values values) {
        boolean isOneRate =
                results.stream().map(one -> one.cell().values().text("rate")).distinct().count()
                        == 1;
        return values.text("sizes") + " sizes" + (isOneRate ? "" : ", " + values.text("rate"));
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        Map<String, SortedMap<Double, List<Double>>> measured = new LinkedHashMap<>();
        Map<String, Points> formulas = new LinkedHashMap<>();
        long frames = 0;
        double worst = 0;
        for (Conclusions.Run run : all.runs()) {
            Values values = run.values();
            double load = values.number("load");
            double waitUs = run.measure("mean wait");
            double expectedUs = expectedWaitUs(values, load);
            String kind = kind(results, values);
            formulas.computeIfAbsent(kind, _ -> formula(values));
            measured.computeIfAbsent(kind, _ -> new TreeMap<>())
                    .computeIfAbsent(load, _ -> new ArrayList<>())
                    .add(waitUs);
            worst = Math.max(worst, Math.abs(waitUs / expectedUs - 1));
            frames += (long) run.measure("frames received of " + FLOW);
            run.near("mean wait", expectedUs, TOLERANCE, FORMULA);
            double queue = expectedUs * load / meanServiceUs(values);
            run.near("mean queue", queue, TOLERANCE, FORMULA + ", Little");
        }
        String summary =
                String.format(
                        "%d frames; largest difference of a mean wait %.2f %%",
                        frames, 100 * worst);
        all.say(summary);
        return all.with(
                new Figure(
                        "wait",
                        "Mean wait before the link",
                        Axis.linear("load", ""),
                        Axis.linear("mean wait", "us"),
                        lines(formulas, measured),
                        "The dashed line, by Pollaczek and Khinchine.",
                        summary));
    }
}
