package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.dataplane.congestion.RoccConfig;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.gfc.Gfc;
import io.headgate.dataplane.gfc.GfcConfig;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
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
import io.headgate.testbed.scenario.bed.NetworkModel;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.PortFacts;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Three switches in a ring and three flows of two hops, all clockwise: under PFC the three buffers
 * come to wait for one another, and with Escape they do not. The flows begin together, as the
 * dissertation's do, or {@code apart}, each at a time drawn by the seed: which start ends in a
 * deadlock is a matter of phase. The dissertation does not say where its simulated pauses end; with
 * xon far below xoff a link that was paused stays so until its buffer has drained, and the ring
 * carries half of what it could, with a deadlock or without.
 *
 * <p>With {@code gfc=buffer} or {@code gfc=time} and {@code queues=inputs} gentle flow control
 * keeps the ring moving. With one queue at each egress it does not: frames that have come round the
 * ring and those of the switch's own host then wait in proportion to how fast they came. What a
 * host sends fills the buffer of its port as much as the ring fills that of its own, both ask for
 * the same rate, and the two together come faster than the next link takes them at any rate but 0.
 * Where inputs are served in turn a host's frames take no more than half.
 *
 * <p>With {@code control=rocc} hosts follow RoCC, whose coexistence with Escape the dissertation
 * leaves open (section 5.4). Where pauses begin well above the length at which RoCC holds queues it
 * keeps the ring from a deadlock; where they begin near it or below, they come first.
 */
public final class EscapeRing implements Scenario {
    private static final int HOSTS = 3;
    private static final int FRAME_BYTES = 1514;
    private static final int SAMPLES = 1000;
    private static final int QUEUE_LIMIT_BYTES = 2_000_000;
    private static final String NONE = "none";
    private static final String ROCC = "rocc";
    private static final String OFF = "off";

    /** Where each switch of the ring sends to the next one, and receives from the last. */
    private static final List<String> OUT = List.of("s1/p2", "s2/p3", "s3/p3");

    private static final List<String> IN = List.of("s1/p3", "s2/p2", "s3/p2");

    private static final List<String> FLOWS = List.of("f1", "f2", "f3");

    private static final String UTILISATION = "use of the ring's links";
    private static final String LOST = "frames lost or reordered";
    private static final String STUCK = "flows that stand still at the end";
    private static final String STILL = "windows in which a flow stands still";
    private static final double PAPER_PERCENT = 91;
    private static final double PAPER_IDEAL_PERCENT = 96;

    /**
     * The dissertation's 86 to 96 %, of its 96 % without PFC, which is payload: 1,000 of 1,042
     * bytes. Here preamble and headers count, so that all of a link is 100 %.
     */
    private static final double LEAST_PERCENT = 100 * 86 / PAPER_IDEAL_PERCENT;

    /** Where pauses end far below where they begin, links wait for buffers to drain. */
    private static final double NEAR_XOFF = 0.9;

    /** A flow that gets nothing for as long as it takes all buffers to drain twice stands still. */
    private static final int DRAINS = 2;

    private static final int LEAST_WINDOWS = 4;
    private static final double LEAST_STUCK_PERCENT = 95;
    private static final int SEEDS = 20;

    private static final String SOURCE = "Menikkumbura, dissertation (Purdue, 2022), section 4.6.1";
    private static final String FIGURE_7 = SOURCE + ", figure 4.7c: 91 %";
    private static final String FIGURE_8A = SOURCE + ", figure 4.8a";
    private static final String FIGURE_8B = SOURCE + ", figure 4.8b";
    private static final String PREVENTED =
            "section 4.6.4: GFC prevents deadlocks; it never stops a priority";
    private static final String NEVER_PAUSED = "GFC: below bm, which is xoff, nothing is paused";
    private static final String HIGHEST = "most that a buffer held";
    private static final String THEOREMS = "theorems 4.4.2 and 4.4.3: no loss, and in order";

    @Override
    public About about() {
        return new About(
                "escape-ring",
                "Escape: a deadlock in a ring of three switches, and its end",
                SOURCE + ", figures 4.7 and 4.8",
                "Without Escape the three buffers stay above xon, and nothing moves any more; with"
                        + " it they swing between xon and xoff, and the ring's links are in use for"
                        + " 91 % (96 % without PFC, all of it payload).");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "tokens",
                        List.of(NONE, "1", "4", "12", "16"),
                        "of Escape, for each port and priority; none: no Escape"),
                new Parameter(
                        "gfc",
                        null,
                        List.of(OFF),
                        0,
                        0,
                        List.of(OFF, "buffer", "time"),
                        "gentle flow control at all ports, in which form; bm is xoff"),
                Common.QUEUES,
                new Parameter(
                        "control",
                        null,
                        List.of(NONE),
                        0,
                        0,
                        List.of(NONE, ROCC),
                        "of the flows' rates; rocc: RoCC at all ports, hosts follow it"),
                Parameter.rate("rate", "40Gbps", "100Mbps", "100Gbps", "rate of every link"),
                Parameter.duration("delay", "1.5us", "0ns", "1ms", "delay of every link"),
                Parameter.duration("period", "3us", "100ns", "10ms", "between tokens of a flow"),
                Parameter.duration("reclaim", "100us", "1us", "1s", "until a token is back"),
                Parameter.size("xoff", "500kB", "10kB", "900kB", "a pause begins"),
                Parameter.size("xon", "490kB", "0B", "890kB", "a pause ends"),
                Parameter.duration(
                        "apart",
                        "0ns",
                        "0ns",
                        "10ms",
                        "flows begin from 0 to this, as the seed draws"),
                Parameter.duration("duration", "20ms", "1ms", "1s", "of the run"));
    }

    private static PortTraffic ports(Values values) throws ScenarioException {
        PortTraffic ports = Common.pauses(values.whole("xoff"), values.whole("xon"));
        if (hasRocc(values)) {
            ports = ports.with(RoccRuns.ROCC, "priorities", List.of(Common.PRIORITY));
        }
        if (hasGfc(values)) {
            ports = ports.with(new Gfc(), "form", GfcConfig.Form.valueOf(form(values)));
        }
        String tokens = values.word("tokens");
        return tokens.equals(NONE)
                ? ports
                : ports.with(new Escape(), "tokens", Integer.parseInt(tokens))
                        .with(new Escape(), "period", values.whole("period"))
                        .with(new Escape(), "reclaim", values.whole("reclaim"));
    }

    @Override
    public void check(Values values) throws ScenarioException {
        Common.checkXon(values);
        double leastNs = LEAST_WINDOWS * windowUs(values) * 1e3 + values.number("apart");
        if (values.number("duration") < leastNs) {
            throw new ScenarioException(
                    String.format(
                            Locale.ROOT,
                            "parameter duration cannot be %s: at least %.2f ms are needed to tell a"
                                    + " standstill from a wait, with these buffers and this rate",
                            values.text("duration"),
                            leastNs / 1e6));
        }
    }

    private static double windowUs(Values values) {
        double drainS = HOSTS * values.number("xoff") * Byte.SIZE / values.number("rate");
        return DRAINS * (drainS * 1e6 + values.number("reclaim") / 1e3);
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        LinkSpec link = Common.link(values);
        Topology ring = Topologies.ring(HOSTS, 1, Topologies.Turn.CLOCKWISE, link, link);
        Topology topology =
                ring.withSizes(Topology.Sizes.DEFAULT.withQueueLimitBytes(QUEUE_LIMIT_BYTES))
                        .withPorts(ports(values));
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        NamedRandom random = NamedRandom.of(cell.seed(), "escape-ring", "starts");
        FrameShape shape = Common.losslessFrames(FRAME_BYTES);
        List<FlowSpec> flows = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            long fromPs = random.nextLong(values.whole("apart") * Common.PS_PER_NS + 1);
            FlowSpec flow = FlowSpec.greedy("f" + (host + 1), host, (host + 2) % HOSTS, shape);
            if (hasRocc(values)) {
                flow = flow.paced(rocc(values));
            }
            flows.add(flow.during(fromPs, durationPs));
        }
        Recording recording =
                new Recording(durationPs / SAMPLES, FLOWS, List.of())
                        .with(Recording.Kind.BUFFER, IN);
        Experiment ringed =
                new Experiment(topology, flows, List.of(), durationPs, recording)
                        .on(new NetworkModel(Common.queues(values), null));
        return outcome(Beds.run(ringed, cell, context), values);
    }

    private static boolean hasRocc(Values values) {
        return values.word("control").equals(ROCC);
    }

    private static SendPattern rocc(Values values) {
        long periodNs = RoccConfig.publishedPeriodNs(values.whole("rate"));
        return new SendPattern.Controlled(
                new RoccReactionMechanism().use(RoccRuns.reaction(periodNs, periodNs)),
                values.whole("rate"));
    }

    private static Outcome outcome(Observation seen, Values values) {
        double bits = 0;
        for (String port : OUT) {
            PortFacts facts = seen.port(port);
            long overhead = facts.framesTransmitted() * Ethernet.WIRE_OVERHEAD_BYTES;
            bits += 8.0 * (facts.bytesTransmitted() + overhead);
        }
        double full = values.number("rate") * values.number("duration") / Common.NS_PER_S;
        long lost = 0;
        long highest = 0;
        for (String flow : FLOWS) {
            lost += seen.group(flow).framesReordered();
        }
        for (PortFacts port : seen.ports().values()) {
            lost += port.dropped();
            highest = Math.max(highest, port.bufferMaxBytes());
        }
        List<boolean[]> moves = FLOWS.stream().map(flow -> moves(seen, flow, values)).toList();
        long stuck = moves.stream().filter(each -> !each[each.length - 1]).count();
        long still = moves.stream().mapToLong(EscapeRing::countStill).sum();
        double percent = 100 * bits / (OUT.size() * full);
        return seen.outcome(
                List.of(
                        new Measure(UTILISATION, "%", percent),
                        new Measure(LOST, "frames", lost),
                        new Measure(STUCK, "flows", stuck),
                        new Measure(STILL, "windows", still),
                        new Measure(HIGHEST, "byte", highest)),
                List.of(
                        String.format(
                                Locale.ROOT,
                                "%d of 3 flows stand still at the end, a flow in %d of %d windows of"
                                        + " %.0f us each; the ring's links are in use for %.1f %%;"
                                        + " %d frames lost or out of order",
                                stuck,
                                still,
                                moves.stream().mapToInt(each -> each.length).sum(),
                                windowUs(values),
                                percent,
                                lost)));
    }

    /** Whether anything arrived of a flow, in each window from when all have begun. */
    private static boolean[] moves(Observation seen, String flow, Values values) {
        Series arrived = seen.seriesOf("throughput " + flow);
        double[] times = arrived.timesUs();
        double fromUs = values.number("apart") / 1e3;
        double eachUs = windowUs(values);
        boolean[] moves = new boolean[(int) ((times[times.length - 1] - fromUs) / eachUs)];
        for (int i = 0; i < times.length; i++) {
            int window = (int) Math.floor((times[i] - fromUs) / eachUs);
            if (window >= 0 && window < moves.length && arrived.values()[i] > 0) {
                moves[window] = true;
            }
        }
        return moves;
    }

    private static long countStill(boolean[] moves) {
        return IntStream.range(0, moves.length).filter(i -> !moves[i]).count();
    }

    private static boolean hasGfc(Values values) {
        return !values.word("gfc").equals(OFF);
    }

    private static String form(Values values) {
        return values.word("gfc").toUpperCase(Locale.ROOT);
    }

    private static boolean hasEscape(Values values) {
        return !values.word("tokens").equals(NONE);
    }

    private static boolean isXonNear(Values values) {
        return values.number("xon") >= NEAR_XOFF * values.number("xoff");
    }

    /**
     * Whether a port has tokens until the first is back that it has sent: with fewer the link waits
     * for them, and how much it is in use for says how many they are. The dissertation does not.
     */
    private static boolean tokensLastARoundTrip(Values values) {
        double frameNs =
                (FRAME_BYTES + Ethernet.WIRE_OVERHEAD_BYTES)
                        * Byte.SIZE
                        * Common.NS_PER_S
                        / values.number("rate");
        double roundTripNs = 2 * values.number("delay") + frameNs;
        return Integer.parseInt(values.word("tokens")) * frameNs >= roundTripNs;
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<CellResult> without = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            run.within(LOST, 0, 0, THEOREMS);
            boolean hasRocc = hasRocc(run.values());
            if (hasEscape(run.values())) {
                run.atMost(STILL, 0, FIGURE_8B);
                if (!hasRocc && tokensLastARoundTrip(run.values()) && isXonNear(run.values())) {
                    run.atLeast(UTILISATION, LEAST_PERCENT, FIGURE_7);
                }
            } else if (hasGfc(run.values())) {
                run.atMost(STILL, 0, PREVENTED);
                run.atMost(HIGHEST, run.values().number("xoff") - 1, NEVER_PAUSED);
            } else if (!hasRocc) {
                without.add(run.result());
            }
            run.repeat();
        }
        if (!without.isEmpty()) {
            concludeWithout(without, all);
        }
        all.say(
                String.format(
                        Locale.ROOT,
                        "the dissertation has %.0f %% with Escape, and about %.0f %% without PFC, both"
                                + " of payload: %.0f %% of what links carry",
                        PAPER_PERCENT,
                        PAPER_IDEAL_PERCENT,
                        100 * PAPER_PERCENT / PAPER_IDEAL_PERCENT));
        List<Figure> figures = new ArrayList<>();
        figures.add(figure(all, false));
        figures.add(figure(all, true));
        figures.removeIf(figure -> figure.lines().isEmpty());
        return all.with(figures);
    }

    private static void concludeWithout(List<CellResult> without, Conclusions all) {
        long stuck = without.stream().filter(result -> result.measure(STUCK) == 3).count();
        all.say(
                "without Escape, all three flows stand still at the end of %d of %d runs"
                        .formatted(stuck, without.size()));
        if (without.size() >= SEEDS) {
            all.check(
                    Check.atLeast(
                            "runs without Escape that deadlock",
                            "%",
                            100.0 * stuck / without.size(),
                            LEAST_STUCK_PERCENT,
                            FIGURE_8A));
        }
    }

    /** The buffers of the first run of each kind. */
    private static Figure figure(Conclusions all, boolean escape) {
        List<Line> lines = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            if (hasEscape(run.values()) == escape && lines.isEmpty()) {
                for (String threshold : List.of("xoff", "xon")) {
                    double kbytes = run.values().number(threshold) / 1e3;
                    limits.add(Limit.of(threshold, kbytes, "kB"));
                }
                IN.forEach(port -> lines.add(run.line(port, Style.LINE, "buffer " + port)));
            }
        }
        return new Figure(
                escape ? "with-escape" : "without-escape",
                escape ? "Buffers with Escape" : "Buffers without Escape",
                Axis.linear("time", "us"),
                Axis.linear("held", "kB"),
                lines,
                limits,
                escape
                        ? "They swing between xon and xoff (figure 4.8b)."
                        : "They rise to xoff, and stay (figure 4.8a).",
                escape ? "with Escape" : "without Escape");
    }
}
