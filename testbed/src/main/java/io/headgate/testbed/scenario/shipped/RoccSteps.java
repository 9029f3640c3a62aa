package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Limit;
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
import java.util.stream.IntStream;

/** Flows that double in number from 3 to 100 and halve again, every 10 ms. */
public final class RoccSteps implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figure 3.6";
    private static final int[] FLOWS = {3, 6, 12, 24, 48, 100, 48, 24, 12, 6, 3};
    private static final int MOST_FLOWS = 100;

    /** Of {@link #FLOWS}: from here on they become fewer. */
    private static final int DOWN = 6;

    private static final double LOAD = 0.9;
    private static final double REFERENCE_KB = 150;
    private static final double PAPER_MS = 2;
    private static final double DOWN_MS = 3;
    private static final double US_PER_MS = 1e3;
    private static final double PS_PER_US = 1e6;
    private static final String PORT = RoccRuns.receiver(MOST_FLOWS);

    @Override
    public About about() {
        return new About(
                "rocc-steps",
                "RoCC: flows double in number from 3 to 100, and halve again",
                FIGURE,
                "The fair rate goes from 13.3 Gb/s to 0.4 Gb/s and back, and the queue returns to"
                        + " its reference within 2 ms of each step.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.duration("step", "10ms", "4ms", "1s", "between changes of number"));
    }

    private static String name(String what, int step) {
        return what + ", step " + (step + 1) + " (" + FLOWS[step] + " flows)";
    }

    private static double fairGbps(int step) {
        return RoccRuns.RATE_BPS / 1e9 / FLOWS[step];
    }

    private static List<FlowSpec> flows(long stepPs) {
        long demandBps = (long) (RoccRuns.RATE_BPS * LOAD);
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < MOST_FLOWS; i++) {
            int first = 0;
            while (FLOWS[first] <= i) {
                first++;
            }
            int end = first;
            while (end < FLOWS.length && FLOWS[end] > i) {
                end++;
            }
            FlowSpec flow = RoccRuns.flow("flows", i, MOST_FLOWS, demandBps, RoccRuns.reaction());
            flows.add(flow.during(first * stepPs, end * stepPs));
        }
        return flows;
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        long stepPs = values.whole("step") * Common.PS_PER_NS;
        PortTraffic ports = RoccRuns.ports(RoccRuns.XOFF_BYTES);
        Topology topology = RoccRuns.star(MOST_FLOWS, RoccRuns.RATE_BPS, ports);
        Observation seen =
                RoccRuns.observe(
                        topology,
                        flows(stepPs),
                        List.of(),
                        List.of(PORT),
                        FLOWS.length * values.whole("step"),
                        cell,
                        context);
        Series rate = seen.seriesOf(RoccRuns.RATE + " " + PORT);
        Series queue = seen.seriesOf(RoccRuns.QUEUE + " " + PORT);
        double stepUs = stepPs / 1e6;
        List<Measure> measures = new ArrayList<>();
        for (int step = 0; step < FLOWS.length; step++) {
            double fromUs = step * stepUs;
            double toUs = fromUs + stepUs;
            // Its last fifth, before the next change.
            double before = rate.mean(toUs - stepUs / 5, toUs);
            measures.add(new Measure(name(RoccRuns.RATE, step), "Gb/s", before));
            double rateUs =
                    RoccRuns.settledUs(rate, fromUs, toUs, fairGbps(step), RoccRuns.RATE_TOLERANCE);
            double queueUs =
                    RoccRuns.settledUs(queue, fromUs, toUs, REFERENCE_KB, RoccRuns.QUEUE_TOLERANCE);
            double settledMs = Math.max(rateUs, queueUs) / US_PER_MS;
            measures.add(new Measure(name("settled", step), "ms", settledMs));
        }
        return seen.outcome(measures, List.of());
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        for (Conclusions.Run run : all.runs()) {
            for (int step = 0; step < FLOWS.length; step++) {
                String rate = name(RoccRuns.RATE, step);
                run.near(rate, fairGbps(step), RoccRuns.RATE_TOLERANCE, FIGURE);
                String settled = name("settled", step);
                if (step >= DOWN) {
                    run.atMost(settled, DOWN_MS, FIGURE);
                }
                run.say(
                        String.format(
                                Locale.ROOT,
                                "%s after %.2f ms; the paper: less than %.0f ms",
                                settled,
                                run.measure(settled),
                                PAPER_MS));
            }
            RoccRuns.checkLossless(run);
        }
        List<Figure> figures =
                RoccRuns.figures(
                        results,
                        PORT,
                        _ -> REFERENCE_KB,
                        "The fair rate falls from 13.3 Gb/s to 0.4 Gb/s and rises again.",
                        "each step settles before the next; the numbers are of flows");
        List<Limit> counts = flowCounts(results.getFirst());
        return all.with(figures.stream().map(figure -> figure.withMarks(counts)).toList());
    }

    /** How many flows there are, from when on. */
    private static List<Limit> flowCounts(CellResult result) {
        double stepUs = result.cell().values().whole("step") * Common.PS_PER_NS / PS_PER_US;
        return IntStream.range(0, FLOWS.length)
                .mapToObj(step -> new Limit(Integer.toString(FLOWS[step]), step * stepUs))
                .toList();
    }
}
