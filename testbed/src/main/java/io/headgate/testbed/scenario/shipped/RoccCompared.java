package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Ten senders to one receiver: what they have, and what the queue is, with RoCC and DCQCN. */
public final class RoccCompared implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figure 3.8";
    private static final int SENDERS = 10;
    private static final List<String> NAMES = RoccRuns.names(SENDERS);
    private static final String PORT = RoccRuns.receiver(SENDERS);
    private static final long RATE_BPS = 40_000_000_000L;
    private static final double FAIR_GBPS = 4;
    private static final double LEAST_FAIRNESS = 0.99;
    private static final long PERIOD_NS = 40_000;
    private static final long XOFF_BYTES = 500_000;

    @Override
    public About about() {
        return new About(
                "rocc-compared",
                "RoCC and DCQCN: ten senders to one receiver",
                FIGURE,
                "With RoCC each flow has 4 Gb/s and the queue is at its reference, 150 kB; with"
                        + " DCQCN the rates are comparable, and the queue swings about 100 kB.",
                Set.of(BedKind.VIRTUAL),
                1);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Compared.parameter(),
                Parameter.number(
                        "load", Unit.NUMBER, "0.9", "0.5", "1", "of the rate, of each sender"),
                Parameter.number("duration", Unit.DURATION, "100ms", "1ms", "10s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Compared control = Compared.of(values);
        Topology topology =
                RoccRuns.on(
                        Topologies.singleSwitch(
                                SENDERS + 1, LinkSpec.of(RATE_BPS, RoccRuns.DELAY_NS)),
                        control.ports(XOFF_BYTES));
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            flows.add(
                    control.flow(
                            NAMES.get(i),
                            i,
                            SENDERS,
                            (long) (RATE_BPS * values.number("load")),
                            RoccRuns.reaction(PERIOD_NS, PERIOD_NS)));
        }
        Observation seen =
                Compared.observe(
                        topology,
                        flows,
                        NAMES,
                        List.of(PORT),
                        values.whole("duration"),
                        cell,
                        context);
        return seen.outcome(Compared.measures(NAMES, PORT, RATE_BPS, seen), List.of());
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (CellResult result : results) {
            if (Compared.of(result.cell().values()).isRocc()) {
                addChecks(checks, results, result);
            }
            checks.add(RoccRuns.lossless(results, result));
            found.add(Common.named(Compared.sentence(result), results, result));
        }
        String all = String.join("; ", found);
        return new Findings(
                checks,
                List.of(
                        RoccRuns.throughputs(
                                results, NAMES, "With RoCC each flow has 4 Gb/s.", all),
                        Compared.queues(
                                results,
                                PORT,
                                "RoCC holds the queue at 150 kB; with DCQCN it fluctuates about"
                                        + " 100 kB.",
                                all)),
                found);
    }

    private static void addChecks(List<Check> checks, List<CellResult> results, CellResult result) {
        for (String name : NAMES) {
            checks.add(
                    RoccRuns.near(
                            RoccRuns.rateOf(name),
                            "Gb/s",
                            FAIR_GBPS,
                            RoccRuns.RATE_TOLERANCE,
                            FIGURE,
                            results,
                            result));
        }
        checks.add(
                Check.atLeast(
                        Common.named(Compared.FAIRNESS, results, result),
                        "",
                        result.measure(Compared.FAIRNESS),
                        LEAST_FAIRNESS,
                        FIGURE));
        checks.add(
                RoccRuns.near(
                        RoccRuns.QUEUE,
                        "kB",
                        Compared.REFERENCE_KB,
                        RoccRuns.QUEUE_TOLERANCE,
                        FIGURE,
                        results,
                        result));
    }
}
