package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
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
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lab's four ports: three hosts send bursts to the fourth at the same time. The same switch and
 * the same hosts in virtual time and on real frames.
 */
public final class FourPortIncast implements Scenario {
    private static final int SENDERS = 3;
    private static final int SAMPLES_IN_BURST = 10;
    private static final String PORT = "s1/p4";
    private static final String QUEUE = "queue " + PORT;
    private static final String RECEIVED = "frames received";
    private static final String MISSING = "frames not received";
    private static final String MEAN_QUEUE = "mean queue";
    private static final String THROUGHPUT = "throughput";
    private static final String BEDS = "virtual bed, the same description";

    /** A machine that does other things meanwhile delays what happens, but adds and loses none. */
    private static final double SAME_FRAMES = 0.01;

    private static final double SAME_SHARE = 0.05;
    private static final double SAME_HIGHEST = 0.15;
    private static final double SAME_MEAN = 0.15;
    private static final double ALIKE = 0.95;

    @Override
    public About about() {
        return new About(
                "four-port-incast",
                "Four-port incast: bursts of three hosts to one, real frames beside virtual time",
                "the lab's incast; arithmetic: a burst of three links fills the queue by two",
                "In a burst of length T the queue grows to 2 T times the link's rate, and it empties"
                        + " in twice that time; the real switch, scaled, does the same.",
                Set.of(BedKind.VIRTUAL, BedKind.NETNS),
                2000);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Common.RATE,
                Common.DELAY,
                Common.FRAME,
                Parameter.number("on", Unit.DURATION, "100us", "10us", "10ms", "of a burst"),
                Parameter.number(
                        "off", Unit.DURATION, "300us", "10us", "100ms", "between two bursts"),
                Parameter.number("bursts", Unit.COUNT, "5", "1", "1000", "how many"),
                Parameter.number(
                        "queue", Unit.SIZE, "500kB", "10kB", "10MB", "limit of an egress queue"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Topology topology =
                Topologies.singleSwitch(SENDERS + 1, Common.link(values))
                        .withSizes(
                                Topology.Sizes.DEFAULT.withQueueLimitBytes(values.whole("queue")));
        long onPs = values.whole("on") * Common.PS_PER_NS;
        long offPs = values.whole("off") * Common.PS_PER_NS;
        SendPattern pattern =
                new SendPattern.OnOff(
                        values.whole("rate"), onPs, offPs, false, SendPattern.Lateness.MADE_UP);
        List<FlowSpec> flows = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            FrameShape shape = FrameShape.udp(values.count("frame"));
            flows.add(FlowSpec.greedy(group(sender), sender, SENDERS, shape).paced(pattern));
        }
        List<String> groups = flows.stream().map(FlowSpec::name).toList();
        long durationPs = (onPs + offPs) * values.count("bursts");
        Observation seen =
                Beds.run(
                        new Experiment(
                                topology,
                                flows,
                                List.of(),
                                durationPs,
                                new Recording(onPs / SAMPLES_IN_BURST, groups, List.of(PORT))),
                        cell,
                        context);
        Series total =
                SeriesMath.sum(
                        THROUGHPUT,
                        groups.stream().map(name -> seen.seriesOf("throughput " + name)).toList());
        long sent = groups.stream().mapToLong(name -> seen.group(name).framesSent()).sum();
        long received = groups.stream().mapToLong(name -> seen.group(name).framesReceived()).sum();
        return seen.withSeries(List.of(total, seen.seriesOf(QUEUE)))
                .outcome(
                        List.of(
                                new Measure(RECEIVED, "frames", received),
                                new Measure(MISSING, "frames", sent - received),
                                new Measure(
                                        THROUGHPUT,
                                        "Gb/s",
                                        groups.stream().mapToDouble(seen::throughputGbps).sum()),
                                new Measure(
                                        MEAN_QUEUE, "kB", SeriesMath.mean(seen.seriesOf(QUEUE)))),
                        List.of(seen.statement(values.whole("queue"))));
    }

    private static String group(int sender) {
        return "h" + (sender + 1);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<Line> queues = new ArrayList<>();
        List<Line> rates = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        for (CellResult result : results) {
            Outcome outcome = result.outcomeOrThrow();
            boolean real = result.cell().bed() == BedKind.NETNS;
            String name = real ? "real" : "virtual";
            List<CellResult> ofBed =
                    results.stream().filter(r -> r.cell().bed() == result.cell().bed()).toList();
            Style style = real ? Style.POINTS : Style.LINE;
            String called = Common.named(name, ofBed, result);
            queues.add(Line.of(called, style, outcome.series(QUEUE)));
            Style means = real ? Style.POINTS : Style.STEP;
            rates.add(Line.of(called, means, outcome.series(THROUGHPUT)));
            outcome.statements().forEach(s -> statements.add(name + ": " + s));
            if (real) {
                CellResult virtual = virtualBeside(results, result);
                if (virtual != null) {
                    compare(results, result, virtual, checks);
                }
            } else {
                arithmetic(results, result, checks);
            }
        }
        if (results.stream().noneMatch(result -> result.cell().bed() == BedKind.NETNS)) {
            statements.add("not run on real frames: --bed both lays them beside each other");
        }
        List<Figure> figures = List.of(queues(results, queues), rates(results, rates));
        return new Findings(checks, figures, statements);
    }

    private static Figure queues(List<CellResult> results, List<Line> lines) {
        return new Figure(
                "queue",
                "Queue towards the receiver; the real bed scaled back",
                Axis.linear("time", "us"),
                Axis.linear("queue", "kB"),
                lines,
                "A triangle for each burst, up at twice the link's rate and down at once.",
                "highest queue " + highest(results));
    }

    private static Figure rates(List<CellResult> results, List<Line> lines) {
        Values values = results.getFirst().cell().values();
        return new Figure(
                "throughput",
                "What the receiver gets; the real bed scaled back",
                Axis.linear("time", "us"),
                Axis.linear("throughput", "Gb/s"),
                lines,
                List.of(Limit.fullLink(values.number("frame"), values.number("rate"))),
                "The link's full rate for three times the length of a burst.",
                "mean throughput " + throughput(results));
    }

    private static @Nullable CellResult virtualBeside(List<CellResult> results, CellResult real) {
        for (CellResult other : results) {
            if (other.cell().bed() == BedKind.VIRTUAL
                    && other.cell().seed() == real.cell().seed()
                    && other.cell().values().texts().equals(real.cell().values().texts())) {
                return other;
            }
        }
        return null;
    }

    private static void arithmetic(
            List<CellResult> results, CellResult result, List<Check> checks) {
        Values values = result.cell().values();
        double frame = values.number("frame");
        double frameUs = Common.wireUs(frame, values.number("rate"));
        double framesInBurst = Math.ceil(values.number("on") / 1e3 / frameUs);
        double highest = (SENDERS - 1) * framesInBurst * frame;
        if (highest > values.number("queue")
                || SENDERS * framesInBurst * frameUs * 1e3
                        > values.number("on") + values.number("off")) {
            return;
        }
        checks.add(
                Check.within(
                        Common.named("highest queue", results, result),
                        "byte",
                        result.measure("highest queue"),
                        highest,
                        2 * frame,
                        "arithmetic: 2 of 3 frames of a burst wait at its end"));
        checks.add(
                Check.within(
                        Common.named("frames dropped", results, result),
                        "frames",
                        result.measure("frames dropped"),
                        0,
                        0,
                        "the queue's limit is not reached"));
    }

    private static void compare(
            List<CellResult> results, CellResult real, CellResult virtual, List<Check> checks) {
        near(results, real, virtual, RECEIVED, "frames", SAME_FRAMES, checks);
        checks.add(
                Check.within(
                        Common.named(MISSING, results, real),
                        "frames",
                        real.measure(MISSING),
                        0,
                        0,
                        "nothing is lost where the queue's limit is not reached"));
        for (int sender = 0; sender < SENDERS; sender++) {
            String what = "frames received of " + group(sender);
            checks.add(
                    Check.near(
                            Common.named("share of " + group(sender), results, real),
                            "",
                            real.measure(what) / real.measure(RECEIVED),
                            virtual.measure(what) / virtual.measure(RECEIVED),
                            SAME_SHARE,
                            BEDS));
        }
        near(results, real, virtual, "highest queue", "byte", SAME_HIGHEST, checks);
        near(results, real, virtual, MEAN_QUEUE, "kB", SAME_MEAN, checks);
        checks.add(
                Check.atLeast(
                        Common.named("correlation of the queues", results, real),
                        "",
                        SeriesMath.likeness(
                                real.outcomeOrThrow().series(QUEUE),
                                virtual.outcomeOrThrow().series(QUEUE)),
                        ALIKE,
                        BEDS));
    }

    private static void near(
            List<CellResult> results,
            CellResult real,
            CellResult virtual,
            String what,
            String unit,
            double share,
            List<Check> checks) {
        checks.add(
                Check.near(
                        Common.named(what, results, real),
                        unit,
                        real.measure(what),
                        virtual.measure(what),
                        share,
                        BEDS));
    }

    private static String highest(List<CellResult> results) {
        return String.join(
                ", ",
                results.stream()
                        .map(r ->
                                String.format(
                                        "%.1f kB (%s)",
                                        r.measure("highest queue") / 1e3, r.cell().bed().word()))
                        .toList());
    }

    private static String throughput(List<CellResult> results) {
        return String.join(
                ", ",
                results.stream()
                        .map(r ->
                                String.format(
                                        "%.4f Gb/s (%s)",
                                        r.measure(THROUGHPUT), r.cell().bed().word()))
                        .toList());
    }
}
