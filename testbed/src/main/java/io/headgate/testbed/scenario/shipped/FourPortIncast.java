package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
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
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.NetnsScenarioBed;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.virtual.host.FlowSpec;
import io.headgate.testbed.virtual.host.FrameShape;
import io.headgate.testbed.virtual.host.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lab's four ports: three hosts send bursts to the fourth at the same time. The same switch and
 * the same hosts in virtual time and on real frames.
 */
final class FourPortIncast implements Scenario {
    private static final int SENDERS = 3;
    private static final String PORT = "s1/p4";
    private static final String GROUP = "bursts";
    private static final double SAME_SHARE = 0.1;
    private static final double TOO_LONG_SHARE = 0.05;
    private static final String BEDS = "virtual bed, the same description";

    @Override
    public About about() {
        return new About(
                "four-port-incast",
                "Four-port incast: bursts of three hosts to one, real frames beside virtual time",
                "the lab's incast; arithmetic: a burst of three links fills the queue by two",
                "In a burst of length T the queue grows to 2 T times the link's rate, and it empties"
                        + " in twice that time; the real switch, scaled, does the same.",
                Set.of(BedKind.VIRTUAL, BedKind.NETNS),
                500);
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
                        "queue", Unit.SIZE, "500KB", "10KB", "10MB", "limit of an egress queue"));
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
            flows.add(
                    FlowSpec.greedy(GROUP, sender, SENDERS, FrameShape.udp(values.count("frame")))
                            .paced(pattern));
        }
        long durationPs = (onPs + offPs) * values.count("bursts");
        Observation seen =
                Beds.run(
                        new Experiment(
                                topology,
                                flows,
                                List.of(),
                                durationPs,
                                new Recording(onPs / 10, List.of(GROUP), List.of(PORT))),
                        cell,
                        context);
        return seen.outcome(
                List.of(
                        new Measure(
                                "mean queue",
                                "kB",
                                SeriesMath.mean(seen.seriesOf("queue " + PORT)))),
                List.of(seen.statement(values.whole("queue"))));
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
            String name = real ? "real, scaled back" : "virtual";
            List<CellResult> ofBed =
                    results.stream().filter(r -> r.cell().bed() == result.cell().bed()).toList();
            Style style = real ? Style.DASHED : Style.LINE;
            queues.add(
                    Line.of(
                            Common.named(name, ofBed, result),
                            style,
                            outcome.series("queue " + PORT)));
            rates.add(
                    Line.of(
                            Common.named(name, ofBed, result),
                            style,
                            outcome.series("throughput " + GROUP)));
            outcome.statements().forEach(s -> statements.add(name + ": " + s));
            if (real) {
                heldUp(result, statements);
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
        return new Findings(
                checks,
                List.of(
                        new Figure(
                                "queue",
                                "Queue towards the receiver, real and virtual",
                                Axis.linear("time", "us"),
                                Axis.linear("queue", "kB"),
                                queues,
                                "A triangle for each burst: up at twice the link's rate, down at"
                                        + " once.",
                                "highest " + highest(results)),
                        new Figure(
                                "throughput",
                                "What the receiver gets, real and virtual",
                                Axis.linear("time", "us"),
                                Axis.linear("throughput", "Gb/s"),
                                rates,
                                "The link's full rate for three times the length of a burst.",
                                "in the mean " + throughput(results))),
                statements);
    }

    /** A machine that is busy with something else is no test bed, and says so. */
    private static void heldUp(CellResult real, List<String> statements) {
        double pauseUs =
                Math.max(
                        real.measure(NetnsScenarioBed.HELD_UP),
                        real.measure(NetnsScenarioBed.WOKE_LATE));
        if (pauseUs > real.cell().values().number("on") / 1e3 * TOO_LONG_SHARE) {
            statements.add(
                    String.format(
                            "the machine held the real bed up for %.1f us, scaled back: less"
                                    + " other work on it or a larger --scale makes a fair"
                                    + " comparison",
                            pauseUs));
        }
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
        for (String what :
                List.of(
                        "frames received of " + GROUP,
                        "throughput of " + GROUP,
                        "highest queue",
                        "mean queue")) {
            String unit =
                    virtual.outcomeOrThrow().measures().stream()
                            .filter(measure -> measure.name().equals(what))
                            .findFirst()
                            .map(Measure::unit)
                            .orElse("");
            checks.add(
                    Check.near(
                            Common.named(what, results, real),
                            unit,
                            real.measure(what),
                            virtual.measure(what),
                            what.contains("queue") ? SAME_SHARE : 0.02,
                            BEDS));
        }
        Series realQueue = real.outcomeOrThrow().series("queue " + PORT);
        Series virtualQueue = virtual.outcomeOrThrow().series("queue " + PORT);
        checks.add(
                Check.atMost(
                        Common.named("queues apart (root mean square)", results, real),
                        "kB",
                        SeriesMath.distance(realQueue, virtualQueue),
                        SAME_SHARE * virtualQueue.max(),
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
                                        r.measure("throughput of " + GROUP), r.cell().bed().word()))
                        .toList());
    }
}
