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
import io.headgate.testbed.scenario.Labels;
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
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
                "Four-port incast: bursts of three hosts to one, on real frames and in virtual time",
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
                Parameter.duration("on", "100us", "10us", "10ms", "of a burst"),
                Parameter.duration("off", "300us", "10us", "100ms", "between two bursts"),
                Parameter.count("bursts", "5", "1", "1000", "how many"),
                Parameter.size("queue", "500kB", "10kB", "10MB", "limit of an egress queue"));
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
        Recording recording = new Recording(onPs / SAMPLES_IN_BURST, groups, List.of(PORT));
        Observation seen = Common.run(topology, flows, durationPs, recording, cell, context);
        Series total = Common.throughput(groups, seen);
        long sent = groups.stream().mapToLong(name -> seen.group(name).framesSent()).sum();
        long received = groups.stream().mapToLong(name -> seen.group(name).framesReceived()).sum();
        double gbps = groups.stream().mapToDouble(seen::throughputGbps).sum();
        Series queue = seen.seriesOf(QUEUE);
        List<Measure> measures =
                List.of(
                        new Measure(RECEIVED, "frames", received),
                        new Measure(MISSING, "frames", sent - received),
                        new Measure(THROUGHPUT, "Gb/s", gbps),
                        new Measure(MEAN_QUEUE, "kB", SeriesMath.mean(queue)));
        return seen.withSeries(List.of(total, queue))
                .outcome(measures, List.of(seen.statement(values.whole("queue"))));
    }

    private static String group(int sender) {
        return "h" + (sender + 1);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<Line> queues = new ArrayList<>();
        List<Line> rates = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            BedKind bed = run.result().cell().bed();
            boolean real = bed == BedKind.NETNS;
            String name = real ? "real" : "virtual";
            List<CellResult> ofBed = results.stream().filter(r -> r.cell().bed() == bed).toList();
            String called = Labels.behind(name, ofBed, run.result());
            queues.add(Line.of(called, real ? Style.POINTS : Style.LINE, run.series(QUEUE)));
            rates.add(Line.of(called, real ? Style.POINTS : Style.STEP, run.series(THROUGHPUT)));
            Outcome outcome = run.result().outcomeOrThrow();
            outcome.statements().forEach(s -> all.say(name + ": " + s));
            CellResult virtual = real ? virtualBeside(results, run.result()) : null;
            if (virtual != null) {
                compare(run, virtual, all);
            } else if (!real) {
                arithmetic(run);
            }
        }
        if (results.stream().noneMatch(result -> result.cell().bed() == BedKind.NETNS)) {
            all.say("not run on real frames: --bed both compares the two");
        }
        return all.with(queues(results, queues), rates(results, rates));
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
        return new Figure(
                "throughput",
                "What the receiver gets; the real bed scaled back",
                Axis.linear("time", "us"),
                Axis.linear("throughput", "Gb/s"),
                lines,
                List.of(Common.fullLink(results.getFirst())),
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

    private static void arithmetic(Conclusions.Run run) {
        Values values = run.values();
        double frame = values.number("frame");
        double frameUs = Common.wireUs(frame, values.number("rate"));
        double framesInBurst = Math.ceil(values.number("on") / 1e3 / frameUs);
        double highest = (SENDERS - 1) * framesInBurst * frame;
        double emptyNs = SENDERS * framesInBurst * frameUs * 1e3;
        if (highest <= values.number("queue")
                && emptyNs <= values.number("on") + values.number("off")) {
            String waiting = "arithmetic: 2 of 3 frames of a burst wait at its end";
            run.within("highest queue", highest, 2 * frame, waiting);
            run.within("frames dropped", 0, 0, "the queue's limit is not reached");
        }
    }

    private static void compare(Conclusions.Run real, CellResult virtual, Conclusions all) {
        real.near(RECEIVED, virtual.measure(RECEIVED), SAME_FRAMES, BEDS);
        real.within(MISSING, 0, 0, "nothing is lost where the queue's limit is not reached");
        for (int sender = 0; sender < SENDERS; sender++) {
            String what = "frames received of " + group(sender);
            real.nearNumber(
                    "share of " + group(sender),
                    real.measure(what) / real.measure(RECEIVED),
                    virtual.measure(what) / virtual.measure(RECEIVED),
                    SAME_SHARE,
                    BEDS);
        }
        real.near("highest queue", virtual.measure("highest queue"), SAME_HIGHEST, BEDS);
        real.near(MEAN_QUEUE, virtual.measure(MEAN_QUEUE), SAME_MEAN, BEDS);
        String what = real.named("correlation of the queues");
        Series queue = virtual.outcomeOrThrow().series(QUEUE);
        double likeness = SeriesMath.likeness(real.series(QUEUE), queue);
        all.check(Check.atLeast(what, "", likeness, ALIKE, BEDS));
    }

    private static String highest(List<CellResult> results) {
        return ofBeds(results, r -> "%.1f kB".formatted(r.measure("highest queue") / 1e3));
    }

    private static String throughput(List<CellResult> results) {
        return ofBeds(results, r -> "%.4f Gb/s".formatted(r.measure(THROUGHPUT)));
    }

    private static String ofBeds(List<CellResult> results, Function<CellResult, String> what) {
        return results.stream()
                .map(r -> what.apply(r) + " (" + r.cell().bed().word() + ")")
                .collect(Collectors.joining(", "));
    }
}
