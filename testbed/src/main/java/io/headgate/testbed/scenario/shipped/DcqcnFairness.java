package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A few senders that go by DCQCN: queue, fairness and utilisation, over seeds. */
public final class DcqcnFairness implements Scenario {
    private static final String SOURCE =
            "Zhu et al., \"Congestion Control for Large-Scale RDMA Deployments\" (SIGCOMM 2015)";

    @Override
    public About about() {
        return new About(
                "dcqcn-fairness",
                "DCQCN: queue, fairness and utilisation with 2 and 10 senders",
                SOURCE,
                "Flows come to equal shares of the link, which they fill, before a short queue."
                        + " Ports mark at random, so that each seed is another run: --seed 1..10.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.count("senders", "2,10", "2", "120", "hosts that send"),
                Parameter.duration(
                        "stagger",
                        "0ns",
                        "0ns",
                        "1s",
                        "time over which flows begin, one after the other"),
                Parameter.number("load", "1", "0.5", "1", "of the rate, of each sender"),
                Parameter.duration("duration", "200ms", "1ms", "10s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        long staggerPs = values.whole("stagger") * Common.PS_PER_NS;
        return Compared.DCQCN.run(values.count("senders"), staggerPs, cell, context);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        all.runs().forEach(RoccRuns::checkLossless);
        Map<Integer, List<CellResult>> bySenders =
                results.stream()
                        .collect(
                                Collectors.groupingBy(
                                        result -> result.cell().values().count("senders"),
                                        TreeMap::new,
                                        Collectors.toList()));
        bySenders.forEach((senders, runs) ->
                all.say(
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
        return all.with(
                Compared.queues(results, RoccRuns.RECEIVER, "The queue stays short.", all.said()));
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
