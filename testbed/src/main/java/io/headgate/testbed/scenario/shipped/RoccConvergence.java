package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Many senders to one receiver: the fair rate and the queue settle, however many there are. */
public final class RoccConvergence implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figure 3.5";
    private static final String RATE_SETTLED = "fair rate settled after";
    private static final String QUEUE_SETTLED = "queue settled after";
    private static final long FAST_BPS = 70_000_000_000L;
    private static final long PERIOD_NS = 40_000;

    @Override
    public About about() {
        return new About(
                "rocc-convergence",
                "RoCC: the fair rate of many senders, and the queue at its reference",
                FIGURE,
                "The fair rate settles at the link's share of each sender, and the queue at its"
                        + " reference, for 2, 10 and 100 senders; in about 2 ms.",
                Set.of(BedKind.VIRTUAL),
                1);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.number("senders", Unit.COUNT, "2,10,100", "2", "120", "hosts that send"),
                Parameter.number(
                        "rate",
                        Unit.RATE,
                        "40Gbps,100Gbps",
                        "40Gbps",
                        "100Gbps",
                        "rate of every link"),
                Parameter.number(
                        "stagger",
                        Unit.DURATION,
                        "0ns,1ms",
                        "0ns",
                        "10ms",
                        "time over which flows begin, one after the other"),
                Parameter.number(
                        "load", Unit.NUMBER, "0.9", "0.5", "1", "of the rate, of each sender"),
                Parameter.number("duration", Unit.DURATION, "24ms", "1ms", "1s", "of the run"));
    }

    private static double referenceKb(Values values) {
        return isFast(values) ? 300 : 150;
    }

    private static boolean isFast(Values values) {
        return values.whole("rate") > FAST_BPS;
    }

    private static double fairGbps(Values values) {
        return values.number("rate") / values.count("senders") / 1e9;
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int senders = values.count("senders");
        LinkSpec link = LinkSpec.of(values.whole("rate"), RoccRuns.DELAY_NS);
        Topology topology =
                RoccRuns.on(
                        Topologies.singleSwitch(senders + 1, link),
                        RoccRuns.ports(isFast(values) ? 800_000 : 500_000));
        long demandBps = (long) (values.number("rate") * values.number("load"));
        long staggerPs = values.whole("stagger") * Common.PS_PER_NS;
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            flows.add(
                    RoccRuns.flow(
                                    "flows",
                                    i,
                                    senders,
                                    demandBps,
                                    RoccRuns.reaction(PERIOD_NS, PERIOD_NS))
                            .during(staggerPs / senders * i, Long.MAX_VALUE));
        }
        String port = RoccRuns.receiver(senders);
        Observation seen =
                RoccRuns.observe(
                        topology,
                        flows,
                        List.of(),
                        List.of(port),
                        values.whole("duration"),
                        cell,
                        context);
        Series rate = seen.seriesOf(RoccRuns.RATE + " " + port);
        Series queue = seen.seriesOf(RoccRuns.QUEUE + " " + port);
        List<Measure> measures =
                List.of(
                        RoccRuns.settled(RoccRuns.RATE, rate, seen),
                        RoccRuns.settled(RoccRuns.QUEUE, queue, seen),
                        after(RATE_SETTLED, rate, fairGbps(values), RoccRuns.RATE_TOLERANCE),
                        after(QUEUE_SETTLED, queue, referenceKb(values), RoccRuns.QUEUE_TOLERANCE),
                        new Measure("fairness", "", seen.group("flows").fairness()));
        return seen.outcome(measures, List.of());
    }

    private static Measure after(String what, Series series, double target, double share) {
        return new Measure(
                what, "us", RoccRuns.settledUs(series, 0, Double.POSITIVE_INFINITY, target, share));
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        for (CellResult result : results) {
            Values values = result.cell().values();
            checks.add(
                    RoccRuns.near(
                            RoccRuns.RATE,
                            "Gb/s",
                            fairGbps(values),
                            RoccRuns.RATE_TOLERANCE,
                            FIGURE,
                            results,
                            result));
            checks.add(
                    RoccRuns.near(
                            RoccRuns.QUEUE,
                            "kB",
                            referenceKb(values),
                            RoccRuns.QUEUE_TOLERANCE,
                            FIGURE,
                            results,
                            result));
            checks.add(RoccRuns.lossless(results, result));
            statements.add(
                    Common.named(
                            String.format(
                                    Locale.ROOT,
                                    "settled after %.2f ms (fair rate) and %.2f ms (queue); the"
                                            + " paper: about 2 ms",
                                    result.measure(RATE_SETTLED) / 1e3,
                                    result.measure(QUEUE_SETTLED) / 1e3),
                            results,
                            result));
        }
        return new Findings(
                checks,
                RoccRuns.figures(
                        results,
                        RoccRuns.RECEIVER,
                        result -> referenceKb(result.cell().values()),
                        "The fair rate converges in about 2 ms for all numbers of senders, the"
                                + " faster the more there are.",
                        String.join("; ", statements)),
                statements);
    }
}
