package io.headgate.testbed.scenario.shipped;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.dataplane.credit.CreditTransmitter;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
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
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Several senders at line rate to one receiver over lossless links: nothing is lost, no buffer
 * takes more than was promised, and the receiver's link is never idle. Under pauses and under
 * credits, with the buffers of the TCD paper's test bed.
 */
public final class LosslessIncast implements Scenario {
    private static final int SAMPLES = 400;

    /** In all: while buffers drain, which takes long at low rates, series are recorded, too. */
    private static final int MOST_SAMPLES = 900_000;

    private static final double FULL_PERCENT = 99;
    private static final double STOPPED_TOLERANCE_PERCENT = 3;
    private static final double DRAIN_MARGIN = 1.2;

    /** For what is under way, and the last frame's own way. */
    private static final int SPARE_TIMES = 4;

    private static final long DRAIN_EXTRA_PS = 200_000_000;

    /** Shorter frames run out of slots before bytes: the link is no longer what bounds them. */
    private static final double FULL_SIZE_BYTES = 1000;

    private static final String BUFFER = "buffer s1/p1";
    private static final String STOPPED = "stopped senders";
    private static final String THROUGHPUT = "throughput";
    private static final String LOST = "frames lost or reordered";
    private static final String HIGHEST = "highest buffer";
    private static final String PROMISED = "promised buffer";
    private static final String UTILISATION = "use of the receiver's link";
    private static final String TIME_STOPPED = "time that senders are stopped";

    private static final String LOSSLESS = "IEEE 802.1Q-2022, clause 36: no loss for congestion";
    private static final String HEADROOM =
            "threshold and headroom (IEEE 802.1Q, annex N), or the buffer behind the credits";
    private static final String ARITHMETIC = "arithmetic: n links share one";

    @Override
    public About about() {
        return new About(
                "lossless-incast",
                "Incast over lossless links: pauses (PFC) and credits, nothing lost",
                "Zhang et al., TCD (SIGCOMM 2021), section 5: thresholds and credits of its test"
                        + " bed; arithmetic",
                "Buffers fill to the threshold, then senders are stopped for (n - 1) of n parts of"
                        + " the time; nothing is lost and the link to the receiver is never idle.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "flow-control",
                        List.of("pfc", "credits"),
                        "pauses (IEEE 802.1Qbb PFC) or credits (InfiniBand's, over Ethernet)"),
                Parameter.count("senders", "2", "2", "100", "hosts that send"),
                Common.RATE,
                Common.DELAY,
                Common.FRAME,
                Parameter.size("xoff", "800kB", "10kB", "2MB", "pfc: pauses from here on"),
                Parameter.size("xon", "770kB", "1kB", "2MB", "pfc: resumes down from here"),
                Parameter.size("buffer", "800kB", "10kB", "2MB", "credits: of each port"),
                Parameter.duration("period", "60us", "1us", "1ms", "credits: between updates"),
                Parameter.duration("duration", "20ms", "1ms", "1s", "for which hosts send"));
    }

    /** As the configuration of a port has it. */
    private static PortTraffic ports(Values values) throws ScenarioException {
        if (values.word("flow-control").equals("pfc")) {
            return Common.pauses(values.whole("xoff"), values.whole("xon"));
        }
        // Blocks no larger than a window of that many needs: frames take whole ones.
        int scale = 0;
        while (CreditTransmitter.windowBytes(scale) < values.whole("buffer")) {
            scale++;
        }
        return Common.lossless()
                .with("flow-control", FlowControlConfig.Mode.CREDITS)
                .with("credits.update", FlowControlConfig.Credits.Update.PERIODIC)
                .with("credits.period", values.whole("period"))
                .with("credits.block-scale", scale)
                .with("credits.buffer", values.whole("buffer"));
    }

    private static long promisedBytes(Topology topology) {
        FlowControlConfig flow =
                NetworkPlan.of(topology, PlanOptions.virtual(1))
                        .switches()
                        .getFirst()
                        .ports()
                        .getFirst()
                        .flowControl();
        FlowControlConfig.Buffers buffers = flow.buffers();
        FlowControlConfig.Credits credits = flow.credits();
        if (buffers != null) {
            return buffers.xoffBytes() + buffers.headroomBytes();
        }
        return credits == null ? 0 : credits.bufferBytes();
    }

    /**
     * Upper bound of the time until all that hosts have made has arrived. The receiver's rate
     * bounds it, and, if a sender learns of free room late, a buffer's worth each time.
     */
    private static long drainPs(Values values, long promised) {
        double atRatePs = values.count("senders") * promised * 8e12 / values.number("rate");
        double inCardBytes = CardSetup.Slots.SMALL.app() * values.number("frame");
        double times = SPARE_TIMES + Math.ceil(inCardBytes / promised);
        // There and back over two links, each time.
        double untilToldNs = 4 * values.number("delay") + untilUpdateNs(values);
        return (long) (DRAIN_MARGIN * atRatePs + times * untilToldNs * Common.PS_PER_NS)
                + DRAIN_EXTRA_PS;
    }

    /** With credits, the longest time until senders receive an update. */
    private static double untilUpdateNs(Values values) {
        return values.word("flow-control").equals("credits") ? values.number("period") : 0;
    }

    @Override
    public void check(Values values) throws ScenarioException {
        if (values.word("flow-control").equals("pfc")) {
            Common.checkXon(values);
        }
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int senders = values.count("senders");
        Topology topology =
                Topologies.singleSwitch(senders + 1, Common.link(values)).withPorts(ports(values));
        long promised = promisedBytes(topology);
        long sendPs = values.whole("duration") * Common.PS_PER_NS;
        long durationPs = sendPs + drainPs(values, promised);
        FrameShape shape = Common.losslessFrames(values.count("frame"));
        List<String> names = IntStream.rangeClosed(1, senders).mapToObj(n -> "h" + n).toList();
        List<FlowSpec> flows = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            flows.add(FlowSpec.greedy(names.get(sender), sender, senders, shape).during(0, sendPs));
        }
        String queue = "s1/p" + (senders + 1);
        long intervalPs = Math.max(sendPs / SAMPLES, durationPs / MOST_SAMPLES);
        Recording recording =
                new Recording(intervalPs, names, List.of(queue))
                        .with(Recording.Kind.BUFFER, List.of("s1/p1"))
                        .with(Recording.Kind.STOPPED, names);
        Observation seen = Common.run(topology, flows, durationPs, recording, cell, context);
        return outcome(seen, values, names, promised);
    }

    private static Outcome outcome(
            Observation seen, Values values, List<String> names, long promised) {
        Series total = Common.throughput(names, seen);
        List<Series> each = names.stream().map(n -> seen.seriesOf("stopped " + n)).toList();
        Series stopped = SeriesMath.sum(STOPPED, each).map(STOPPED, "%", sum -> sum / names.size());
        Series queue = seen.seriesOf("queue s1/p" + (names.size() + 1));
        double sendUs = values.number("duration") / 1e3;
        double full = Limit.fullGbps(values.number("frame"), values.number("rate"));
        long lost = 0;
        long highest = 0;
        for (int i = 0; i < names.size(); i++) {
            var flow = seen.group(names.get(i));
            lost += flow.framesSent() - flow.framesReceived() + flow.framesReordered();
            highest = Math.max(highest, seen.port("s1/p" + (i + 1)).bufferMaxBytes());
        }
        List<Measure> more =
                List.of(
                        new Measure(LOST, "frames", lost),
                        new Measure(HIGHEST, "byte", highest),
                        new Measure(PROMISED, "byte", promised),
                        new Measure(UTILISATION, "%", 100 * total.mean(sendUs / 4, sendUs) / full),
                        new Measure(TIME_STOPPED, "%", stopped.mean(sendUs / 2, sendUs)));
        String statement =
                String.format(
                        Locale.ROOT,
                        "%d frames lost or out of order; no port held more than %.1f of the"
                                + " %.1f kB that were promised",
                        lost,
                        highest / 1e3,
                        promised / 1e3);
        return seen.withSeries(List.of(total, queue, seen.seriesOf(BUFFER), stopped))
                .outcome(more, List.of(statement));
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<Line> buffers = new ArrayList<>();
        List<Line> stops = new ArrayList<>();
        List<Line> rates = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            checks(run);
            String queue = "queue s1/p" + (run.values().count("senders") + 1);
            buffers.add(run.line("buffer of a sender's port", Style.LINE, BUFFER));
            buffers.add(run.line("queue to the receiver", Style.LINE, queue));
            stops.add(run.line("senders stopped", Style.STEP, STOPPED));
            rates.add(run.line("received", Style.STEP, THROUGHPUT));
            run.repeat();
        }
        CellResult first = results.getFirst();
        return all.with(buffers(first, buffers), stops(first, stops), rates(first, rates));
    }

    private static Figure buffers(CellResult first, List<Line> lines) {
        return new Figure(
                "buffer",
                "What the switch holds",
                Axis.linear("time", "us"),
                Axis.linear("held by the switch", "kB"),
                lines,
                "Up to the threshold, or to the buffer behind the credits; then level, as long as"
                        + " hosts send.",
                String.format(
                        Locale.ROOT,
                        "at most %.1f kB of %.1f kB promised",
                        first.measure(HIGHEST) / 1e3,
                        first.measure(PROMISED) / 1e3));
    }

    private static Figure stops(CellResult first, List<Line> lines) {
        return new Figure(
                "stopped",
                "How much of the time senders are stopped",
                Axis.linear("time", "us"),
                Axis.linear("senders stopped", "%"),
                lines,
                "(n - 1) of n parts of the time, once the buffers are full.",
                String.format(Locale.ROOT, "stopped for %.1f %%", first.measure(TIME_STOPPED)));
    }

    private static Figure rates(CellResult first, List<Line> lines) {
        return new Figure(
                "throughput",
                "What the receiver gets",
                Axis.linear("time", "us"),
                Axis.linear("throughput", "Gb/s"),
                lines,
                List.of(Common.fullLink(first)),
                "The receiver's link is full throughout.",
                String.format(
                        Locale.ROOT, "the link in use for %.2f %%", first.measure(UTILISATION)));
    }

    private static void checks(Conclusions.Run run) {
        Values values = run.values();
        run.within(LOST, 0, 0, LOSSLESS);
        run.atMost(HIGHEST, run.measure(PROMISED), HEADROOM);
        if (values.number("frame") < FULL_SIZE_BYTES) {
            return;
        }
        // Flow control takes effect at a sender a round trip later, and may be sent late.
        double laterNs = 2 * values.number("delay") + untilUpdateNs(values);
        double laterBytes = values.number("rate") / 8 * laterNs / Common.NS_PER_S;
        if (run.measure(PROMISED) < 2 * laterBytes) {
            run.say(
                    String.format(
                            Locale.ROOT,
                            "the use of links is not checked: until news of room reaches a sender, it could"
                                    + " send %.1f kB, too much for these buffers",
                            laterBytes / 1e3));
            return;
        }
        run.atLeast(UTILISATION, FULL_PERCENT, ARITHMETIC);
        int senders = values.count("senders");
        double percent = 100.0 * (senders - 1) / senders;
        run.within(TIME_STOPPED, percent, STOPPED_TOLERANCE_PERCENT, ARITHMETIC);
    }
}
