package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.control.policy.PacketConfig;
import io.headgate.control.policy.PolicyMechanism;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Algorithms A, B and C of the OpenQueue chapter: what a buffer's admission and order are worth,
 * where packets have values. Two hosts send valuable packets in bursts and two send cheap ones all
 * the time, each from hosts of its own, so that packets are lost at the switch alone.
 */
public final class OpenQueueWeighted implements Scenario {
    private static final int SENDERS_OF_A_KIND = 2;
    private static final int FLOWS_OF_A_SENDER = 8;
    private static final int RECEIVER = 2 * SENDERS_OF_A_KIND;
    private static final int FIRST_SOURCE_PORT = 5_000;

    /** The upper six bits of ToS 63 and 1; the values that count are those of the chapter. */
    private static final int HIGH_DSCP = 15;

    private static final int HIGH_VALUE = 63;
    private static final int LOW_VALUE = 1;
    private static final String HIGH = "high";
    private static final String LOW = "low";
    private static final String WEIGHTED = "weighted throughput";
    private static final List<String> COUNTS = List.of("2", "4", "8");
    private static final String SOURCE = "Menikkumbura (Purdue, 2022), ";

    @Override
    public About about() {
        return new About(
                "openqueue-weighted",
                "OpenQueue: weighted throughput of algorithms A, B and C",
                SOURCE + "section 2.5.4, figures 2.19 (b) and (d)",
                "By the value of what arrives, tail drop (A) is worth less than push-out of cheap"
                        + " packets (B), and that less than sending valuable ones first, too (C);"
                        + " with 2, 4 and 8 queues C is worth more than A.",
                Set.of(BedKind.VIRTUAL, BedKind.NETNS),
                100);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "policy",
                        List.of("a", "b", "c", "a-2", "c-2", "a-4", "c-4", "a-8", "c-8"),
                        "the algorithm, and the number of its queues where there are several"),
                Parameter.number("low", "0.6", "0.1", "0.95", "of a link, of a cheap source"),
                Parameter.duration("on", "1ms", "10us", "100ms", "mean burst of valuable ones"),
                Parameter.duration("off", "4ms", "10us", "100ms", "mean time between bursts"),
                Common.RATE,
                Common.DELAY,
                Common.FRAME,
                Parameter.duration("duration", "200ms", "1ms", "10s", "of the run"));
    }

    private static PortTraffic ports(String algorithm) throws ScenarioException {
        return Common.policy("algorithm-" + algorithm + ".oq")
                .with(new PolicyMechanism(), "size-unit", PacketConfig.SizeUnit.PACKETS);
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Topology topology =
                Topologies.singleSwitch(RECEIVER + 1, Common.link(values))
                        .withPorts(ports(values.word("policy")));
        List<FlowSpec> flows = new ArrayList<>();
        for (int sender = 0; sender < SENDERS_OF_A_KIND; sender++) {
            flows.add(burst(values, sender));
            add(flows, values, SENDERS_OF_A_KIND + sender);
        }
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        Observation seen =
                Common.run(topology, flows, durationPs, Recording.NOTHING, cell, context);
        double high = packetsPerUs(seen, HIGH);
        double low = packetsPerUs(seen, LOW);
        return seen.outcome(
                List.of(
                        new Measure("valuable packets", "per us", high),
                        new Measure("cheap packets", "per us", low),
                        new Measure(WEIGHTED, "value per us", HIGH_VALUE * high + LOW_VALUE * low)),
                List.of());
    }

    private static double packetsPerUs(Observation seen, String group) {
        return seen.group(group).framesReceived() / seen.durationUs();
    }

    private static FlowSpec burst(Values values, int sender) {
        SendPattern bursts =
                new SendPattern.OnOff(
                        values.whole("rate"),
                        values.whole("on") * Common.PS_PER_NS,
                        values.whole("off") * Common.PS_PER_NS,
                        true,
                        SendPattern.Lateness.MADE_UP);
        FrameShape shape =
                FrameShape.udp(values.count("frame"))
                        .withPriority(0, HIGH_DSCP)
                        .withSourcePort(FIRST_SOURCE_PORT + sender);
        return FlowSpec.greedy(HIGH, sender, RECEIVER, shape).paced(bursts);
    }

    private static void add(List<FlowSpec> flows, Values values, int sender) {
        int bytes = values.count("frame");
        double intervalPs =
                Common.wireUs(bytes, values.number("rate"))
                        * 1e6
                        * FLOWS_OF_A_SENDER
                        / values.number("low");
        SendPattern steady =
                new SendPattern.PoissonFrames(intervalPs, SizeDistribution.uniform(bytes, bytes));
        for (int flow = 0; flow < FLOWS_OF_A_SENDER; flow++) {
            FrameShape shape =
                    FrameShape.udp(bytes).withSourcePort(FIRST_SOURCE_PORT + 10 * sender + flow);
            flows.add(FlowSpec.greedy(LOW, sender, RECEIVER, shape).paced(steady));
        }
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        atLeast(all, results, "a", "b", "figure 2.19 (b)");
        atLeast(all, results, "b", "c", "figure 2.19 (b)");
        Points a = new Points();
        Points c = new Points();
        add(a, results, 1, "a");
        add(c, results, 1, "c");
        for (String count : COUNTS) {
            atLeast(all, results, "a-" + count, "c-" + count, "figure 2.19 (d)");
            add(a, results, Integer.parseInt(count), "a-" + count);
            add(c, results, Integer.parseInt(count), "c-" + count);
        }
        for (Conclusions.Run run : all.runs()) {
            all.say(
                    "%s: %.3f valuable and %.3f cheap packets per us, worth %.3f"
                            .formatted(
                                    run.values().word("policy"),
                                    run.measure("valuable packets"),
                                    run.measure("cheap packets"),
                                    run.measure(WEIGHTED)));
        }
        return all.with(
                new Figure(
                        "weighted",
                        "Weighted throughput over the number of queues",
                        Axis.linear("queues", ""),
                        Axis.linear("value per µs", ""),
                        List.of(
                                a.line("tail drop (A)", Style.LINE),
                                c.line("push-out, by value (C)", Style.LINE)),
                        "Push-out and order by value are worth more, with any number of queues.",
                        all.said()));
    }

    private static @Nullable CellResult of(List<CellResult> results, String policy) {
        for (CellResult result : results) {
            if (result.cell().values().word("policy").equals(policy)) {
                return result;
            }
        }
        return null;
    }

    private static void add(Points points, List<CellResult> results, int queues, String policy) {
        CellResult result = of(results, policy);
        if (result != null) {
            points.add(queues, result.measure(WEIGHTED));
        }
    }

    private static void atLeast(
            Conclusions all, List<CellResult> results, String lower, String higher, String figure) {
        CellResult less = of(results, lower);
        CellResult more = of(results, higher);
        if (less != null && more != null) {
            all.check(
                    Check.atLeast(
                            WEIGHTED + " of " + higher + ", more than of " + lower,
                            "value per us",
                            more.measure(WEIGHTED),
                            Math.nextUp(less.measure(WEIGHTED)),
                            SOURCE + figure));
        }
    }
}
