package io.headgate.testbed.scenario.shipped;

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
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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
                        + " link to the receiver is never idle and (n - 1) of n frames are dropped.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.count("senders", "3", "2", "120", "hosts that send"),
                Common.RATE,
                Common.DELAY,
                Common.FRAME,
                Parameter.size("queue", "500kB", "10kB", "10MB", "limit of an egress queue"),
                Parameter.duration("duration", "2ms", "100us", "1s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int senders = values.count("senders");
        Topology topology =
                Topologies.singleSwitch(senders + 1, Common.link(values))
                        .withSizes(
                                Topology.Sizes.DEFAULT.withQueueLimitBytes(values.whole("queue")));
        FrameShape shape = FrameShape.udp(values.count("frame"));
        List<FlowSpec> flows =
                IntStream.range(0, senders)
                        .mapToObj(i -> FlowSpec.greedy("h" + (i + 1), i, senders, shape))
                        .toList();
        List<String> names = flows.stream().map(FlowSpec::name).toList();
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        String port = "s1/p" + (senders + 1);
        Recording recording = new Recording(durationPs / SAMPLES, names, List.of(port));
        Observation seen = Common.run(topology, flows, durationPs, recording, cell, context);
        Series total = Common.throughput(names, seen);
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
        Conclusions all = new Conclusions(results);
        List<Line> queues = new ArrayList<>();
        List<Line> rates = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            checkThroughput(run);
            checkQueue(run);
            String port = "s1/p" + (run.values().count("senders") + 1);
            queues.add(run.line("queue", Style.LINE, "queue " + port));
            rates.add(run.line("received", Style.STEP, "throughput"));
            run.repeat();
        }
        CellResult first = results.getFirst();
        return all.with(
                new Figure(
                        "queue",
                        "Queue towards the receiver",
                        Axis.linear("time", "us"),
                        Axis.linear("queue", "kB"),
                        queues,
                        limits(results),
                        "A straight line of (n - 1) times the link's rate up to the limit, then"
                                + " level.",
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
                        List.of(Common.fullLink(first)),
                        "The link's rate less preamble, FCS and gap, from the first frame on.",
                        String.format(
                                "%.4f Gb/s in the second half",
                                first.measure("throughput at the end"))));
    }

    private static List<Limit> limits(List<CellResult> results) {
        return results.stream()
                .mapToDouble(result -> result.cell().values().number("queue") / 1e3)
                .distinct()
                .mapToObj(kbytes -> Limit.of("limit", kbytes, "kB"))
                .toList();
    }

    private static void checkThroughput(Conclusions.Run run) {
        double rate = run.values().number("rate");
        double frame = run.values().number("frame");
        double frames = run.values().number("duration") / 1e3 / Common.wireUs(frame, rate);
        double share = 0.002 + 2 / frames;
        if (share < COARSE) {
            double gbps = Limit.fullGbps(frame, rate);
            run.near("throughput at the end", gbps, share, ARITHMETIC);
        } else {
            run.say(
                    "the throughput is not checked: the run lasts as long as %.1f frames"
                            .formatted(frames));
        }
    }

    private static void checkQueue(Conclusions.Run run) {
        Values values = run.values();
        double frame = values.number("frame");
        double frameUs = Common.wireUs(frame, values.number("rate"));
        double fillFrames = Math.floor(values.number("queue") / frame);
        int senders = values.count("senders");
        double firstArrivalUs = frameUs + values.number("delay") / 1e3;
        double fullUs = firstArrivalUs + fillFrames * frameUs / (senders - 1);
        double durationUs = values.number("duration") / 1e3;
        if (fullUs > 0.9 * durationUs) {
            run.say(
                    "the queue is not checked: it would be full after "
                            + Math.round(fullUs)
                            + " us, and the run lasts "
                            + values.text("duration"));
            return;
        }
        double toleranceUs = 2 * durationUs / SAMPLES + 2 * frameUs;
        if (toleranceUs < COARSE * fullUs) {
            run.within("queue full after", fullUs, toleranceUs, ARITHMETIC);
        } else {
            run.say(
                    "when the queue is full is not checked: it is known no better than to %.1f us"
                            .formatted(toleranceUs));
        }
        String whole = "the most whole frames that the limit holds";
        run.within("highest queue", fillFrames * frame, 0, whole);
        double dropped = (senders - 1) * (durationUs - firstArrivalUs) / frameUs - fillFrames;
        run.within("frames dropped", dropped, 2.0 * (senders + 1), ARITHMETIC);
    }
}
