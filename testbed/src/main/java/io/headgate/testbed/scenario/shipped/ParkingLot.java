package io.headgate.testbed.scenario.shipped;

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
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import java.util.ArrayList;
import java.util.List;

/** A long flow across several full links, at each of which another one enters: FIFO is not fair. */
public final class ParkingLot implements Scenario {
    private static final int SHORTEST_BYTES = 100;
    private static final int LONGEST_BYTES = 1500;

    /**
     * At one hop. The rule takes arrivals to be independent of departures; frames of one length
     * would fall in step with them (Floyd and Jacobson, "On Traffic Phase Effects in
     * Packet-Switched Gateways", 1992) and lengths drawn at random still do a little.
     */
    private static final double TOLERANCE = 0.05;

    private static final String LONG = "long";
    private static final String RULE = "a FIFO queue is shared in proportion to what arrives";

    @Override
    public About about() {
        return new About(
                "parking-lot",
                "Parking lot: what FIFO queues leave to a flow of many hops",
                "the parking-lot problem; " + RULE,
                "Where a flow's rate r meets an entering a at a link of rate 1, r / (r + a) of the"
                        + " link is left to it: with greedy sources 1/2, 1/3, 1/4 and so on, while"
                        + " the flow that enters last has nearly all.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.count("hops", "4", "1", "16", "full links in a row"),
                Parameter.number(
                        "load",
                        "0.7",
                        "0.6",
                        "0.99",
                        "what each source offers, Poisson frames, of a link's rate"),
                Common.RATE,
                Common.DELAY,
                Parameter.size("queue", "200kB", "20kB", "10MB", "limit of a queue"),
                Parameter.duration("duration", "50ms", "1ms", "10s", "of the run"));
    }

    private static SizeDistribution sizes() {
        return SizeDistribution.uniform(SHORTEST_BYTES, LONGEST_BYTES);
    }

    private static String group(int hop) {
        return "x" + hop;
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int hops = values.count("hops");
        Topology topology =
                Topologies.parkingLot(hops, Common.link(values), Common.link(values))
                        .withSizes(
                                Topology.Sizes.DEFAULT.withQueueLimitBytes(values.whole("queue")));
        double intervalPs =
                Common.wireUs(sizes().meanBytes(), values.number("rate"))
                        * 1e6
                        / values.number("load");
        SendPattern pattern = new SendPattern.PoissonFrames(intervalPs, sizes());
        FrameShape shape = FrameShape.udp(LONGEST_BYTES);
        List<FlowSpec> flows = new ArrayList<>();
        flows.add(
                FlowSpec.greedy(LONG, topology.host("src"), topology.host("dst"), shape)
                        .paced(pattern));
        for (int hop = 1; hop <= hops; hop++) {
            flows.add(
                    FlowSpec.greedy(
                                    group(hop),
                                    topology.host("x" + hop),
                                    topology.host("y" + hop),
                                    shape)
                            .paced(pattern));
        }
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        Observation seen =
                Common.run(topology, flows, durationPs, Recording.NOTHING, cell, context);
        List<Measure> shares = new ArrayList<>();
        shares.add(share(seen, LONG, values));
        for (int hop = 1; hop <= hops; hop++) {
            shares.add(share(seen, group(hop), values));
        }
        return seen.outcome(shares, List.of(seen.statement(values.whole("queue"))));
    }

    /** What a flow has of a link, preamble, FCS and gap counted. */
    private static Measure share(Observation seen, String group, Values values) {
        double bytes =
                seen.group(group).frameBytesReceived()
                        + (double) seen.group(group).framesReceived()
                                * Ethernet.WIRE_OVERHEAD_BYTES;
        return new Measure(
                "share of " + group, "", bytes * 8e6 / seen.durationUs() / values.number("rate"));
    }

    /** What is left of the long flow after each hop; the first entry is what it offers. */
    private static double[] expected(Values values) {
        double load = values.number("load");
        double[] left = new double[values.count("hops") + 1];
        left[0] = load;
        for (int hop = 1; hop < left.length; hop++) {
            double offered = left[hop - 1] + load;
            left[hop] = offered > 1 ? left[hop - 1] / offered : left[hop - 1];
        }
        return left;
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<Line> lines = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            double load = run.values().number("load");
            double[] left = expected(run.values());
            int hops = left.length - 1;
            run.nearNumber(
                    "share of the long flow",
                    run.measure("share of " + LONG),
                    left[hops],
                    hops * TOLERANCE,
                    RULE);
            Points expected = new Points();
            Points measured = new Points();
            for (int hop = 1; hop <= hops; hop++) {
                double offered = left[hop - 1] + load;
                double entering = offered > 1 ? load / offered : load;
                double share = run.measure("share of " + group(hop));
                expected.add(hop, entering);
                measured.add(hop, share);
                run.nearNumber("share of the flow of hop " + hop, share, entering, TOLERANCE, RULE);
            }
            lines.add(expected.line(run.named("expected"), Style.DASHED));
            lines.add(measured.line(run.named("measured"), Style.POINTS));
            run.repeat();
        }
        return all.with(shares(results.getFirst(), lines));
    }

    private static Figure shares(CellResult first, List<Line> lines) {
        String last = group(first.cell().values().count("hops"));
        return new Figure(
                "shares",
                "Share of the link that each entering flow has",
                Axis.linear("hop", ""),
                Axis.linear("share of the link", ""),
                lines,
                "The later a flow enters, the more it has.",
                String.format(
                        "%.4f of the first link to %.4f of the last; the long flow is left %.4f",
                        first.measure("share of " + group(1)),
                        first.measure("share of " + last),
                        first.measure("share of " + LONG)));
    }
}
