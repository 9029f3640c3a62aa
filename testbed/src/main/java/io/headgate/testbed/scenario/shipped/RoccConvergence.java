package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
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
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Many senders to one receiver: the fair rate and the queue settle, however many there are. */
public final class RoccConvergence implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figure 3.5";
    private static final String RATE_SETTLED = "fair rate settled after";
    private static final String QUEUE_SETTLED = "queue settled after";
    private static final String SETTLED = "settled after the last flow's start";

    // In ms. The dissertation says "about 2 ms", and faster for larger N. With its gains, and with
    // flows that begin at the line's rate, a fluid model needs up to 8 ms with 2 senders, 3 to 4
    // with 10, and with 100 that begin together 6 to 7, as 25 MB have to drain first.
    private static final double PAPER_MS = 2;
    private static final double DIFFERS = 1.5;
    private static final int FEW = 10;
    private static final double FEW_MS = 8;
    private static final double MOST_MS = 5;
    private static final double MANY_TOGETHER_MS = 7;
    private static final int MANY = 100;
    private static final String MODEL = "fluid model with the dissertation's gains";

    private static final long FAST_BPS = 70_000_000_000L;

    @Override
    public About about() {
        return new About(
                "rocc-convergence",
                "RoCC: the fair rate of many senders, and the queue at its reference",
                FIGURE,
                "The fair rate settles at the link's share of each sender, and the queue at its"
                        + " reference, for 2, 10 and 100 senders; in about 2 ms, the faster the more there"
                        + " are. Here it takes 3 to 7 ms.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.count("senders", "2,10,100", "2", "120", "hosts that send"),
                Parameter.rate("rate", "40Gbps,100Gbps", "40Gbps", "100Gbps", "rate of every link"),
                Parameter.duration(
                        "stagger",
                        "0ns,1ms",
                        "0ns",
                        "10ms",
                        "time over which flows begin, one after the other"),
                Parameter.number("load", "0.9", "0.5", "1", "of the rate, of each sender"),
                Parameter.duration("duration", "24ms", "1ms", "1s", "of the run"));
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
        PortTraffic ports = RoccRuns.ports(isFast(values) ? 800_000 : RoccRuns.XOFF_BYTES);
        Topology topology = RoccRuns.star(senders, values.whole("rate"), ports);
        long demandBps = (long) (values.number("rate") * values.number("load"));
        long staggerPs = values.whole("stagger") * Common.PS_PER_NS;
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            flows.add(
                    RoccRuns.flow("flows", i, senders, demandBps, RoccRuns.reaction())
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
        double fromUs = staggerPs / 1e6;
        Measure rateAfter =
                after(RATE_SETTLED, rate, fromUs, fairGbps(values), RoccRuns.RATE_TOLERANCE);
        Measure queueAfter =
                after(QUEUE_SETTLED, queue, fromUs, referenceKb(values), RoccRuns.QUEUE_TOLERANCE);
        List<Measure> measures =
                List.of(
                        RoccRuns.settled(RoccRuns.RATE, rate, seen),
                        RoccRuns.settled(RoccRuns.QUEUE, queue, seen),
                        rateAfter,
                        queueAfter,
                        new Measure(
                                SETTLED,
                                "ms",
                                Math.max(rateAfter.value(), queueAfter.value()) / 1e3),
                        new Measure("fairness", "", seen.group("flows").fairness()));
        return seen.outcome(measures, List.of());
    }

    private static Measure after(
            String what, Series series, double fromUs, double target, double share) {
        double us = RoccRuns.settledUs(series, fromUs, Double.POSITIVE_INFINITY, target, share);
        return new Measure(what, "us", us);
    }

    private static double mostMs(Values values) {
        if (values.count("senders") < FEW) {
            return FEW_MS;
        }
        boolean drains = values.count("senders") >= MANY && values.whole("stagger") == 0;
        return drains ? MANY_TOGETHER_MS : MOST_MS;
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        for (Conclusions.Run run : all.runs()) {
            Values values = run.values();
            run.near(RoccRuns.RATE, fairGbps(values), RoccRuns.RATE_TOLERANCE, FIGURE);
            run.near(RoccRuns.QUEUE, referenceKb(values), RoccRuns.QUEUE_TOLERANCE, FIGURE);
            RoccRuns.checkLossless(run);
            run.atMost(SETTLED, mostMs(values), MODEL);
            run.say(
                    String.format(
                            Locale.ROOT,
                            "settled %.2f ms (fair rate) and %.2f ms (queue) after the last flow's"
                                    + " start; the dissertation: about %.0f ms%s",
                            run.measure(RATE_SETTLED) / 1e3,
                            run.measure(QUEUE_SETTLED) / 1e3,
                            PAPER_MS,
                            run.measure(SETTLED) > DIFFERS * PAPER_MS ? ", which differs" : ""));
        }
        return all.with(
                RoccRuns.figures(
                        results,
                        RoccRuns.RECEIVER,
                        RoccConvergence::referenceKb,
                        "The fair rate converges in about 2 ms for all numbers of senders, the"
                                + " faster the more there are.",
                        all.said()));
    }
}
