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
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A few senders that go by DCQCN: queue, fairness and utilisation, over seeds. */
public final class DcqcnFairness implements Scenario {
    private static final String SOURCE =
            "Zhu et al., \"Congestion Control for Large-Scale RDMA Deployments\" (SIGCOMM 2015)";
    private static final long RATE_BPS = 40_000_000_000L;
    private static final long XOFF_BYTES = 500_000;
    private static final long PERIOD_NS = 40_000;

    @Override
    public About about() {
        return new About(
                "dcqcn-fairness",
                "DCQCN: queue, fairness and utilisation with 2 and 10 senders",
                SOURCE,
                "Flows come to equal shares of the link, which they fill, before a short queue."
                        + " Ports mark at random, so that each seed is another run: --seed 1..10.",
                Set.of(BedKind.VIRTUAL),
                1);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.number("senders", Unit.COUNT, "2,10", "2", "120", "hosts that send"),
                Parameter.number(
                        "stagger",
                        Unit.DURATION,
                        "0ns",
                        "0ns",
                        "1s",
                        "time over which flows begin, one after the other"),
                Parameter.number(
                        "load", Unit.NUMBER, "1", "0.5", "1", "of the rate, of each sender"),
                Parameter.number("duration", Unit.DURATION, "200ms", "1ms", "10s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int senders = values.count("senders");
        Compared control = Compared.DCQCN;
        Topology topology =
                RoccRuns.on(
                        Topologies.singleSwitch(
                                senders + 1, LinkSpec.of(RATE_BPS, RoccRuns.DELAY_NS)),
                        control.ports(XOFF_BYTES));
        List<String> names = RoccRuns.names(senders);
        long staggerPs = values.whole("stagger") * Common.PS_PER_NS;
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            flows.add(
                    control.flow(
                                    names.get(i),
                                    i,
                                    senders,
                                    (long) (RATE_BPS * values.number("load")),
                                    RoccRuns.reaction(PERIOD_NS, PERIOD_NS))
                            .during(staggerPs / senders * i, Long.MAX_VALUE));
        }
        String port = RoccRuns.receiver(senders);
        Observation seen =
                Compared.observe(
                        topology,
                        flows,
                        names,
                        List.of(port),
                        values.whole("duration"),
                        cell,
                        context);
        return seen.outcome(Compared.measures(names, port, RATE_BPS, seen), List.of());
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        Map<Integer, List<CellResult>> bySenders = new TreeMap<>();
        for (CellResult result : results) {
            checks.add(RoccRuns.lossless(results, result));
            bySenders
                    .computeIfAbsent(
                            result.cell().values().count("senders"), _ -> new ArrayList<>())
                    .add(result);
        }
        List<String> found = new ArrayList<>();
        bySenders.forEach((senders, runs) ->
                found.add(
                        senders
                                + " senders, "
                                + runs.size()
                                + (runs.size() == 1 ? " run: " : " runs: ")
                                + spread("queue", " kB", RoccRuns.QUEUE, "%.1f", runs)
                                + "; "
                                + spread("its deviation", " kB", Compared.SPREAD, "%.1f", runs)
                                + "; "
                                + spread("Jain's index", "", Compared.FAIRNESS, "%.4f", runs)
                                + "; "
                                + spread("utilisation", " %", Compared.UTILISATION, "%.1f", runs)));
        return new Findings(
                checks,
                List.of(
                        Compared.queues(
                                results,
                                RoccRuns.RECEIVER,
                                "The queue stays short.",
                                String.join("; ", found))),
                found);
    }

    /** The mean over runs, and the least and the largest. */
    private static String spread(
            String what, String unit, String measure, String form, List<CellResult> runs) {
        DoubleSummaryStatistics all =
                runs.stream().collect(Collectors.summarizingDouble(run -> run.measure(measure)));
        return String.format(
                Locale.ROOT,
                "%s " + form + "%s (" + form + " to " + form + ")",
                what,
                all.getAverage(),
                unit,
                all.getMin(),
                all.getMax());
    }
}
