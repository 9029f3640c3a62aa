package io.headgate.testbed.scenario.shipped;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
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
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Flows across a fat tree: how evenly the switches spread them over equal paths. */
public final class EcmpSpread implements Scenario {
    private static final int FRAME_BYTES = 200;
    private static final int FRAMES_PER_FLOW = 4;

    /**
     * A deviation of more than this number of standard deviations is significant, among hundreds of
     * links.
     */
    private static final double MOST_DEVIATIONS = 4.5;

    private static final String RULE =
            "binomial: each flow takes each of the equal links with the same probability";

    private final UnaryOperator<Topology> network;

    /** Over a sound fat tree. */
    public EcmpSpread() {
        this(UnaryOperator.identity());
    }

    /**
     * @param network makes of the fat tree what is run
     */
    EcmpSpread(UnaryOperator<Topology> network) {
        this.network = network;
    }

    @Override
    public About about() {
        return new About(
                "ecmp-spread",
                "Spread of flows over the equal paths of a fat tree (ECMP)",
                "Al-Fares et al., SIGCOMM 2008 (topology); RFC 2992 (hashing); " + RULE,
                "Every uplink carries its binomial share of the flows, at the second level too (no"
                        + " polarisation), and no flow is reordered.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.count("k", "4", "4", "16", "of the fat tree, even"),
                Parameter.count("flows", "200", "10", "10k", "from each host to other pods"),
                Common.RATE,
                Common.DELAY);
    }

    @Override
    public void check(Values values) throws ScenarioException {
        int k = values.count("k");
        if (k % 2 != 0) {
            throw new ScenarioException(
                    "parameter k cannot be " + k + ": allowed is an even number");
        }
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int k = values.count("k");
        int hosts = k * k * k / 4;
        int perPod = k * k / 4;
        long rateBps = values.whole("rate");
        int flowsPerHost = values.count("flows");
        // All flows of a host together are a quarter of its link: nothing queues for long.
        long flowBps = Math.max(1000, rateBps / 4 / flowsPerHost);
        long flowPs = (long) (Common.wireUs(FRAME_BYTES, (double) flowBps) * 1e6);
        FrameShape shape = FrameShape.udp(FRAME_BYTES);
        int payloadBytes = shape.segmentation().maxSegmentBytes();
        NamedRandom random = NamedRandom.of(cell.seed(), "ecmp-spread", "destinations");
        List<FlowSpec> flows = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            int pod = host / perPod;
            for (int i = 0; i < flowsPerHost; i++) {
                int other = random.nextInt(hosts - perPod);
                int destination = other < pod * perPod ? other : other + perPod;
                long startPs = random.nextLong(flowPs);
                flows.add(
                        FlowSpec.greedy("flows", host, destination, shape)
                                .sized((long) FRAMES_PER_FLOW * payloadBytes)
                                .during(startPs, Long.MAX_VALUE)
                                .paced(
                                        new SendPattern.ConstantRate(
                                                flowBps, SendPattern.Lateness.MADE_UP)));
            }
        }
        // The last frame starts after FRAMES_PER_FLOW periods; then it crosses six links.
        long durationPs =
                (FRAMES_PER_FLOW + 2) * flowPs + 100 * values.whole("delay") * Common.PS_PER_NS;
        Topology tree = network.apply(Topologies.fatTree(k, Common.link(values)));
        Observation seen = Common.run(tree, flows, durationPs, Recording.NOTHING, cell, context);
        return outcome(seen, k, flows.size());
    }

    private static Outcome outcome(Observation seen, int k, int flows) {
        List<Double> edge = new ArrayList<>();
        List<Double> aggregation = new ArrayList<>();
        for (int pod = 1; pod <= k; pod++) {
            for (int i = 1; i <= k / 2; i++) {
                // An edge switch's hosts come first, then its uplinks; an aggregation switch has
                // its links to edge switches first.
                addShares(seen, "e" + pod + "-" + i, k / 2, edge);
                addShares(seen, "a" + pod + "-" + i, k / 2, aggregation);
            }
        }
        long received = seen.group("flows").framesReceived();
        List<Measure> more =
                List.of(
                        new Measure("largest deviation at edges", "sigma", largest(edge)),
                        new Measure(
                                "largest deviation at aggregation", "sigma", largest(aggregation)),
                        new Measure(
                                "frames missing",
                                "frames",
                                (double) flows * FRAMES_PER_FLOW - received),
                        new Measure(
                                "frames reordered",
                                "frames",
                                seen.group("flows").framesReordered()));
        return seen.withSeries(
                        List.of(series("edge uplinks", edge), series("core uplinks", aggregation)))
                .outcome(more, List.of(seen.statement(Topology.Sizes.DEFAULT.queueLimitBytes())));
    }

    /** How many standard deviations each uplink is off its share of what the switch sent up. */
    private static void addShares(
            Observation seen, String switchName, int uplinks, List<Double> into) {
        double[] flows = new double[uplinks];
        double all = 0;
        for (int i = 0; i < uplinks; i++) {
            String port = switchName + "/p" + (uplinks + i + 1);
            flows[i] = (double) seen.port(port).framesTransmitted() / FRAMES_PER_FLOW;
            all += flows[i];
        }
        double probability = 1.0 / uplinks;
        double sigma = Math.sqrt(all * probability * (1 - probability));
        for (double count : flows) {
            into.add((count - all * probability) / sigma);
        }
    }

    private static double largest(List<Double> deviations) {
        return deviations.stream().mapToDouble(Math::abs).max().orElse(Double.NaN);
    }

    /** Not over time, but over the links' numbers. */
    private static Series series(String name, List<Double> deviations) {
        double[] numbers = new double[deviations.size()];
        double[] values = new double[deviations.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
            values[i] = deviations.get(i);
        }
        return new Series(name, "sigma", numbers, values);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<Line> lines = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            run.atMost("largest deviation at edges", MOST_DEVIATIONS, RULE);
            run.atMost("largest deviation at aggregation", MOST_DEVIATIONS, RULE);
            String one = "a flow has one path, and nothing is full";
            run.within("frames missing", 0, 0, one);
            run.within("frames reordered", 0, 0, one);
            lines.add(run.line("edge uplinks", Style.POINTS, "edge uplinks"));
            lines.add(run.line("core uplinks", Style.POINTS, "core uplinks"));
            run.repeat();
        }
        CellResult first = results.getFirst();
        return all.with(
                new Figure(
                        "deviations",
                        "How far each uplink is off its share of the flows",
                        Axis.linear("uplink", ""),
                        Axis.linear("deviation", "standard deviations"),
                        lines,
                        "About two thirds lie within one standard deviation, and hardly any beyond"
                                + " three.",
                        String.format(
                                "largest %.2f at edges, %.2f at aggregation",
                                first.measure("largest deviation at edges"),
                                first.measure("largest deviation at aggregation"))));
    }
}
