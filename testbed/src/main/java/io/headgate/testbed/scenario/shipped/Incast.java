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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Several senders at line rate to one receiver: the queue fills, and its tail drops. */
public final class Incast implements Scenario {
    private static final int SAMPLES = 200;

    /** What can be measured no better than to this share is not checked. */
    private static final double COARSE = 0.35;

    private static final String ARITHMETIC = "arithmetic: n links fill a queue that one empties";

    @Override
    public About about() {
        return new About(
                "incast",
                "Incast of several senders to one receiver, tail drop",
                ARITHMETIC,
                "The queue grows by (n - 1) times the link's rate until it is full; from then on the"
                        + " link to the receiver is never idle and (n - 1) of n frames are dropped.",
                Set.of(BedKind.VIRTUAL),
                1);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.number("senders", Unit.COUNT, "3", "2", "120", "hosts that send"),
                Common.RATE,
                Common.DELAY,
                Common.FRAME,
                Parameter.number(
                        "queue", Unit.SIZE, "500kB", "10kB", "10MB", "limit of an egress queue"),
                Parameter.number("duration", Unit.DURATION, "2ms", "100us", "1s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int senders = values.count("senders");
        Topology topology =
                Topologies.singleSwitch(senders + 1, Common.link(values))
                        .withSizes(
                                Topology.Sizes.DEFAULT.withQueueLimitBytes(values.whole("queue")));
        List<FlowSpec> flows = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            String name = "h" + (sender + 1);
            names.add(name);
            flows.add(
                    FlowSpec.greedy(name, sender, senders, FrameShape.udp(values.count("frame"))));
        }
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        String port = "s1/p" + (senders + 1);
        Observation seen =
                Beds.run(
                        new Experiment(
                                topology,
                                flows,
                                List.of(),
                                durationPs,
                                new Recording(durationPs / SAMPLES, names, List.of(port))),
                        cell,
                        context);
        List<Series> parts = names.stream().map(n -> seen.seriesOf("throughput " + n)).toList();
        Series total = SeriesMath.sum("throughput", parts);
        Series queue = seen.seriesOf("queue " + port);
        double durationUs = seen.durationUs();
        double fullKbytes = (values.number("queue") - values.number("frame")) / 1e3;
        List<Measure> more =
                List.of(
                        new Measure(
                                "throughput at the end",
                                "Gb/s",
                                total.mean(durationUs / 2, durationUs)),
                        new Measure("queue full after", "us", queue.firstAtLeastUs(fullKbytes)));
        return seen.withSeries(List.of(total, queue))
                .outcome(more, List.of(seen.statement(values.whole("queue"))));
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<Line> queues = new ArrayList<>();
        List<Line> rates = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        for (CellResult result : results) {
            checkThroughput(results, result, checks, statements);
            checks(results, result, checks, statements);
            Outcome outcome = result.outcomeOrThrow();
            String port = "s1/p" + (result.cell().values().count("senders") + 1);
            queues.add(
                    Line.of(
                            Common.named("queue", results, result),
                            Style.LINE,
                            outcome.series("queue " + port)));
            rates.add(
                    Line.of(
                            Common.named("received", results, result),
                            Style.STEP,
                            outcome.series("throughput")));
            outcome.statements().forEach(s -> statements.add(Common.named(s, results, result)));
        }
        CellResult first = results.getFirst();
        return new Findings(
                checks,
                List.of(
                        new Figure(
                                "queue",
                                "Queue towards the receiver",
                                Axis.linear("time", "us"),
                                Axis.linear("queue", "kB"),
                                queues,
                                limits(results),
                                "A straight line of (n - 1) times the link's rate up to the limit,"
                                        + " then level.",
                                String.format(
                                        "full after %.1f us, highest %.1f kB",
                                        first.measure("queue full after"),
                                        first.measure("highest queue") / 1e3)),
                        new Figure(
                                "throughput",
                                "What the receiver gets",
                                Axis.linear("time", "us"),
                                Axis.linear("throughput", "Gb/s"),
                                rates,
                                List.of(fullLink(first)),
                                "The link's rate less preamble, FCS and gap, from the first frame"
                                        + " on.",
                                String.format(
                                        "%.4f Gb/s in the second half",
                                        first.measure("throughput at the end")))),
                statements);
    }

    private static Limit fullLink(CellResult result) {
        Values values = result.cell().values();
        return Limit.fullLink(values.number("frame"), values.number("rate"));
    }

    private static List<Limit> limits(List<CellResult> results) {
        return results.stream()
                .mapToDouble(result -> result.cell().values().number("queue") / 1e3)
                .distinct()
                .mapToObj(kbytes -> Limit.of("limit", kbytes, "kB"))
                .toList();
    }

    private static void checkThroughput(
            List<CellResult> results,
            CellResult result,
            List<Check> checks,
            List<String> statements) {
        Values values = result.cell().values();
        double rate = values.number("rate");
        double frame = values.number("frame");
        double frames = values.number("duration") / 1e3 / Common.wireUs(frame, rate);
        double share = 0.002 + 2 / frames;
        if (share < COARSE) {
            checks.add(
                    Check.near(
                            Common.named("throughput at the end", results, result),
                            "Gb/s",
                            result.measure("throughput at the end"),
                            Limit.fullGbps(frame, rate),
                            share,
                            ARITHMETIC));
        } else {
            statements.add(
                    Common.named(
                            "the throughput is not checked: the run lasts as long as %.1f frames"
                                    .formatted(frames),
                            results,
                            result));
        }
    }

    private static void checks(
            List<CellResult> results,
            CellResult result,
            List<Check> checks,
            List<String> statements) {
        Values values = result.cell().values();
        double frame = values.number("frame");
        double frameUs = Common.wireUs(frame, values.number("rate"));
        double fillFrames = Math.floor(values.number("queue") / frame);
        int senders = values.count("senders");
        double firstArrivalUs = frameUs + values.number("delay") / 1e3;
        double fullUs = firstArrivalUs + fillFrames * frameUs / (senders - 1);
        double durationUs = values.number("duration") / 1e3;
        if (fullUs > 0.9 * durationUs) {
            statements.add(
                    Common.named(
                            "the queue is not checked: it would be full after "
                                    + Math.round(fullUs)
                                    + " us, and the run lasts "
                                    + values.text("duration"),
                            results,
                            result));
            return;
        }
        double toleranceUs = 2 * durationUs / SAMPLES + 2 * frameUs;
        if (toleranceUs < COARSE * fullUs) {
            checks.add(
                    Check.within(
                            Common.named("queue full after", results, result),
                            "us",
                            result.measure("queue full after"),
                            fullUs,
                            toleranceUs,
                            ARITHMETIC));
        } else {
            statements.add(
                    Common.named(
                            ("when the queue is full is not checked: it is known no better than to"
                                            + " %.1f us")
                                    .formatted(toleranceUs),
                            results,
                            result));
        }
        checks.add(
                Check.within(
                        Common.named("highest queue", results, result),
                        "byte",
                        result.measure("highest queue"),
                        fillFrames * frame,
                        0,
                        "the most whole frames that the limit holds"));
        checks.add(
                Check.within(
                        Common.named("frames dropped", results, result),
                        "frames",
                        result.measure("frames dropped"),
                        (senders - 1) * (durationUs - firstArrivalUs) / frameUs - fillFrames,
                        2.0 * (senders + 1),
                        ARITHMETIC));
    }
}
