package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import java.util.List;

/** Ten senders to one receiver: what they have and what the queue is, with each control. */
public final class RoccCompared implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figure 3.8";
    private static final int SENDERS = 10;
    private static final List<String> NAMES = RoccRuns.names(SENDERS);
    private static final String PORT = RoccRuns.receiver(SENDERS);
    private static final double FAIR_GBPS = 4;
    private static final double LEAST_FAIRNESS = 0.99;

    // With DCQCN: rates are comparable, and the queue swings about 100 kB.
    private static final long SETTLED_NS = 100_000_000;
    private static final double LEAST_COMPARABLE = 0.95;
    private static final double LEAST_UTILISATION = 99;
    private static final double SWINGS_ABOUT_KB = 100;

    // With HPCC: flows are alike and have less than 4 Gb/s, and the queue is near 0.
    private static final double HPCC_USE = 92.5;
    private static final String HPCC_USE_SOURCE =
            FIGURE + ": 3.6 to 3.8 Gb/s for each, eta of 4 less telemetry";
    private static final double NEAR_ZERO_KB = 20;

    // With PI the queue is stable; with TIMELY rates are not alike, and the queue swings.
    private static final String SPREAD_OF_RED = Compared.SPREAD + ", of that without PI";
    private static final double MUCH_LESS = 0.5;
    private static final double TIMELY_SWINGS_ABOUT_KB = 200;

    @Override
    public About about() {
        return new About(
                "rocc-compared",
                "RoCC, DCQCN, DCQCN+PI, HPCC, TIMELY and QCN: ten senders to one receiver",
                FIGURE,
                "With RoCC each flow has 4 Gb/s and the queue is at its reference, 150 kB; with"
                        + " DCQCN the rates are comparable, and the queue swings about 100 kB, with"
                        + " PI much less; with HPCC they are alike and below 4 Gb/s, and the queue"
                        + " is near 0; with TIMELY they are far from alike, and the queue swings"
                        + " about 200 kB.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Compared.parameter(),
                Parameter.number("load", "0.9", "0.5", "1", "of the rate, of each sender"),
                Parameter.duration("duration", "100ms", "1ms", "10s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        return Compared.of(cell.values()).run(SENDERS, cell, context);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        for (Conclusions.Run run : all.runs()) {
            if (Compared.of(run.values()).isRocc()) {
                for (String name : NAMES) {
                    String rate = RoccRuns.rateOf(name);
                    run.near(rate, FAIR_GBPS, RoccRuns.RATE_TOLERANCE, FIGURE);
                }
                run.atLeast(Compared.FAIRNESS, LEAST_FAIRNESS, FIGURE);
                double kbytes = Compared.REFERENCE_KB;
                run.near(RoccRuns.QUEUE, kbytes, RoccRuns.QUEUE_TOLERANCE, FIGURE);
            } else if (Compared.of(run.values()) == Compared.HPCC) {
                run.near(Compared.UTILISATION, HPCC_USE, RoccRuns.RATE_TOLERANCE, HPCC_USE_SOURCE);
                run.atLeast(Compared.FAIRNESS, LEAST_FAIRNESS, FIGURE);
                run.atMost(RoccRuns.QUEUE, NEAR_ZERO_KB, FIGURE);
            } else if (run.values().whole("duration") >= SETTLED_NS) {
                concludeSettled(run, all);
            }
            RoccRuns.checkLossless(run);
            run.say(Compared.sentence(run));
        }
        return all.with(
                RoccRuns.throughputs(results, NAMES, "With RoCC each flow has 4 Gb/s.", all.said()),
                Compared.queues(
                        results,
                        PORT,
                        "RoCC holds the queue at 150 kB; with DCQCN it fluctuates about 100 kB, with"
                                + " TIMELY about 200; with PI it is stable, with HPCC near 0.",
                        all.said()));
    }

    /** The text has nothing on QCN: what it has is shown, and held to nothing. */
    private static void concludeSettled(Conclusions.Run run, Conclusions all) {
        switch (Compared.of(run.values())) {
            case DISSERTATION, DCQCN -> {
                run.atLeast(Compared.FAIRNESS, LEAST_COMPARABLE, FIGURE);
                run.atLeast(Compared.UTILISATION, LEAST_UTILISATION, FIGURE);
                run.atMost(Compared.LOWEST, SWINGS_ABOUT_KB, FIGURE);
                run.atLeast(Compared.HIGHEST, SWINGS_ABOUT_KB, FIGURE);
            }
            case PI -> {
                run.atLeast(Compared.FAIRNESS, LEAST_COMPARABLE, FIGURE);
                run.atLeast(Compared.UTILISATION, LEAST_UTILISATION, FIGURE);
                run.alike("load", "duration").stream()
                        .filter(other ->
                                Compared.of(other.cell().values()) == Compared.DISSERTATION)
                        .forEach(other ->
                                all.check(
                                        Check.atMost(
                                                run.named(SPREAD_OF_RED),
                                                "",
                                                run.measure(Compared.SPREAD)
                                                        / other.measure(Compared.SPREAD),
                                                MUCH_LESS,
                                                FIGURE)));
            }
            case TIMELY -> {
                run.atMost(Compared.FAIRNESS, LEAST_COMPARABLE, FIGURE);
                run.atMost(Compared.LOWEST, TIMELY_SWINGS_ABOUT_KB, FIGURE);
                run.atLeast(Compared.HIGHEST, TIMELY_SWINGS_ABOUT_KB, FIGURE);
            }
            default -> {}
        }
    }
}
