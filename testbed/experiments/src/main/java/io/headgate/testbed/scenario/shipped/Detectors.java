package io.headgate.testbed.scenario.shipped;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig.Credits.Update;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.Fecn;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.Tcd;
import io.headgate.dataplane.congestion.TcdConfig;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.CongestionProbe;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyWriter;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A scenario that measures the precision of congestion detectors, over the networks that the swarm
 * draws: bursts from half of the hosts to one, and steady flows between all, over links without
 * loss. {@link CongestionProbe} finds the frames that have really crossed a congested port.
 */
public final class Detectors implements Scenario {
    private static final Tcd TCD = new Tcd();
    private static final Red RED = new Red();
    private static final Fecn FECN = new Fecn();

    static final String STOPPED = "a port was stopped";

    private static final long PS_PER_NS = 1_000;
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final int PRIORITY = 3;

    /** Of that priority. */
    private static final int DSCP = 26;

    // In frames of the largest size, as are all times.
    private static final int THRESHOLD = 10;
    private static final int XOFF = 40;
    private static final int XON = 38;
    private static final int QUEUE = 400;
    private static final int BURST = 250;
    private static final int BETWEEN_BURSTS = 750;
    private static final int PERIOD = 20;
    private static final int BLOCK_SCALE = 3;
    private static final double STEADY = 0.3;
    private static final int SLICES = 50;

    @Override
    public About about() {
        return new About(
                "detectors",
                "Accuracy of congestion marks: TCD, RED and InfiniBand's rule over many networks",
                "Zhang et al., \"Congestion Detection in Lossless Networks\" (SIGCOMM 2021),"
                        + " section 3: a queue's length does not tell congestion from pauses",
                "A larger share of the frames that TCD marks congested has crossed a congested port than of"
                        + " those that RED or InfiniBand's rule marks.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.count("network", "1..24", "1", "1000000", "seed of the random network"),
                Parameter.words(
                        "detect",
                        List.of(
                                "tcd-pfc",
                                "sliding-pfc",
                                "red-pfc",
                                "step-pfc",
                                "tcd-credits",
                                "sliding-credits",
                                "red-credits",
                                "step-credits",
                                "fecn-credits"),
                        "detector and flow control; sliding: TCD that requires growth at each"
                                + " frame; step: RED with one threshold, like the other detectors"),
                Parameter.count(
                        "frames",
                        "4000",
                        "500",
                        "1000000",
                        "duration of the traffic, in frames at the fastest link"));
    }

    /** The network of a number as the swarm draws it, without slots' credits. */
    private static Topology drawn(int number) {
        Topology drawn = CaseDrawer.draw(number).topology();
        List<Topology.Link> links =
                drawn.links().stream()
                        .map(link -> link.with(link.spec().withSlotCredits(false)))
                        .toList();
        int mtuBytes = drawn.sizes().mtuBytes();
        long queueBytes = (long) QUEUE * ConfigDefaults.maxFrameBytes(mtuBytes);
        return drawn.withLinks(links).withSizes(new Topology.Sizes(mtuBytes, queueBytes, 0, 0));
    }

    /** What a run has: its network, and the time that a frame takes the fastest link. */
    private record Run(Topology network, int frameBytes, long framePs) {
        static Run of(int number) {
            Topology network = drawn(number);
            int frameBytes = network.sizes().mtuBytes() + 14;
            long rateBps =
                    network.links().stream()
                            .mapToLong(link -> link.spec().rateBps())
                            .max()
                            .orElse(1);
            long wireBits = (frameBytes + Ethernet.WIRE_OVERHEAD_BYTES) * 8L;
            return new Run(
                    network, frameBytes, wireBits * (PS_PER_S / 1_000_000) / (rateBps / 1_000_000));
        }

        long thresholdBytes() {
            return (long) THRESHOLD * frameBytes;
        }

        Topology with(String detector, boolean byCredits) {
            PortTraffic ports = ports(byCredits);
            return network.withPorts(
                    switch (detector) {
                        case "tcd" -> ports.with(TCD, "kmin", thresholdBytes());
                        case "sliding" ->
                                ports.with(TCD, "kmin", thresholdBytes())
                                        .with(TCD, "trend", TcdConfig.Trend.SLIDING);
                        case "red" -> ports.with(RED, "kmin", thresholdBytes());
                        case "step" ->
                                ports.with(RED, "kmin", thresholdBytes())
                                        .with(RED, "kmax", thresholdBytes());
                        default -> ports.with(FECN, "threshold", thresholdBytes());
                    });
        }

        private PortTraffic ports(boolean byCredits) {
            long periodNs = Math.max(1000, PERIOD * framePs / PS_PER_NS);
            PortTraffic lossless =
                    PortTraffic.NONE
                            .with("classify.trust", TrafficConfig.Trust.DSCP)
                            .with("lossless", List.of(PRIORITY));
            return byCredits
                    ? lossless.with("flow-control", Mode.CREDITS)
                            .with("credits.update", Update.ON_CHANGE)
                            .with("credits.period", periodNs)
                            .with("credits.min-gap", periodNs / 8)
                            .with("credits.block-scale", BLOCK_SCALE)
                            .with("credits.buffer", (long) XOFF * frameBytes)
                    : lossless.with("flow-control", Mode.PFC)
                            .with("buffers.xoff", (long) XOFF * frameBytes)
                            .with("buffers.xon", (long) XON * frameBytes);
        }

        List<FlowSpec> flows(int number, long endPs) {
            NamedRandom random = NamedRandom.of(number, "detectors", "traffic");
            int hosts = network.hosts().size();
            int sink = random.nextInt(hosts);
            FrameShape shape =
                    FrameShape.udp(frameBytes).withPriority(0, DSCP).withEcn(FrameShape.ECT_1);
            List<FlowSpec> flows = new ArrayList<>();
            for (int host = 0; host < hosts; host++) {
                long rateBps = network.rateBps(host);
                int to = (host + 1 + random.nextInt(hosts - 1)) % hosts;
                long fromPs = random.nextLong(10 * framePs);
                flows.add(
                        FlowSpec.greedy("steady", host, to, shape)
                                .withPattern(
                                        new SendPattern.ConstantRate(
                                                (long) (rateBps * STEADY),
                                                SendPattern.Lateness.FORGONE))
                                .during(fromPs, endPs));
                if (host != sink && (host + sink) % 2 == 1) {
                    flows.add(
                            FlowSpec.greedy("burst", host, sink, shape)
                                    .withPattern(
                                            new SendPattern.OnOff(
                                                    rateBps,
                                                    BURST * framePs,
                                                    BETWEEN_BURSTS * framePs,
                                                    true,
                                                    SendPattern.Lateness.FORGONE))
                                    .during(fromPs, endPs));
                }
            }
            return flows;
        }
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int number = values.count("network");
        String[] words = values.word("detect").split("-", 2);
        boolean byCredits = words[1].equals("credits");
        Run what = Run.of(number);
        NetworkPlan plan = plan(what.with(words[0], byCredits), cell.seed());
        NetworkPlan ternary = plan(what.with("tcd", byCredits), cell.seed());
        CongestionProbe probe =
                new CongestionProbe(plan, port -> maxOnPs(ternary, port), what.thresholdBytes());
        VirtualRun run = new VirtualRun(RunOptions.of(cell.seed()));
        VirtualNetwork network = VirtualNetwork.in(run, plan);
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        long endPs = values.count("frames") * what.framePs();
        what.flows(number, endPs).forEach(traffic::start);
        run.observe(probe);
        // Half as long again, so that what waits leaves: before that it is not known by which port.
        long untilPs = endPs + endPs / 2;
        for (int slice = 1; slice <= SLICES; slice++) {
            if (context.isCancelled()) {
                throw new ScenarioException("was ended early");
            }
            run.runUntil(untilPs * slice / SLICES);
            context.progress((double) slice / SLICES);
        }
        List<Measure> measures = new ArrayList<>();
        measures.add(new Measure(STOPPED, "", probe.everStopped() ? 1 : 0));
        for (DetectorTable.Truth truth : DetectorTable.Truth.values()) {
            measures.addAll(truth.measures(probe.score(truth.stops())));
        }
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("topology", TopologyWriter.toMap(plan.topology()));
        return new Outcome(
                "%016x".formatted(run.digest()), measures, List.of(), List.of(), configuration);
    }

    private static NetworkPlan plan(Topology topology, long seed) throws ScenarioException {
        try {
            return NetworkPlan.of(topology, PlanOptions.virtual(seed));
        } catch (IllegalArgumentException e) {
            throw new ScenarioException(e);
        }
    }

    private static long maxOnPs(NetworkPlan plan, LinkPlan.End port) {
        TcdConfig config =
                plan.switches()
                        .get(port.node())
                        .ports()
                        .get(port.port())
                        .mechanisms()
                        .get(TcdConfig.class);
        return Objects.requireNonNull(config).maxOnNs() * PS_PER_NS;
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        return new DetectorTable(results).findings();
    }
}
