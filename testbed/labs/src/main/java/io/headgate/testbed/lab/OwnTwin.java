package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.LabSeries;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.lab.series.CounterLooks;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a run of a lab in virtual time, with the numbers that its file computes from it.
 *
 * @param totals names of counters that only grow
 */
record OwnTwin(OwnLabSpec spec, long seed, Set<String> totals) {
    private static final double US_PER_MS = 1e3;
    private static final double BPS_PER_GBPS = 1e9;
    private static final double MS_PER_S = 1e3;
    private static final String DROPPED = "frames dropped";

    OwnTwin {
        totals = Set.copyOf(totals);
    }

    /**
     * Runs it, which takes a moment; where it fails the report says so.
     *
     * @param isClosed whether the lab ends
     * @return null if it failed
     * @throws BedException if the lab ended
     */
    @Nullable PhaseOutcome run(BooleanSupplier isClosed, RunReport report) throws BedException {
        try {
            return run(isClosed::getAsBoolean);
        } catch (BedException e) {
            if (isClosed.getAsBoolean()) {
                throw e;
            }
            report.problem(Reason.of(e));
            return null;
        }
    }

    private PhaseOutcome run(RunContext context) throws BedException {
        Outcome seen;
        try {
            Scenario scenario = ScenarioReader.read(spec.twin(), "the lab's twin");
            EnumSet<BedKind> bed = EnumSet.of(BedKind.VIRTUAL);
            Sweep sweep = Sweep.of(scenario, List.of(), Long.toString(seed), bed, 0);
            seen = scenario.run(sweep.cells().getFirst(), context);
        } catch (ConfigException | ScenarioException e) {
            throw new BedException("in virtual time: " + Reason.of(e), e);
        }
        List<Series> recorded = new ArrayList<>();
        for (String counter : spec.counters()) {
            recorded.add(
                    seen.series(Kind.COUNTER.series(counter)).map(counter, "", value -> value));
        }
        List<Series> counted = List.copyOf(recorded);
        for (LabSeries one : spec.series()) {
            recorded.add(CounterLooks.made(one.name(), one.unit(), one.value(), counted, totals));
        }
        double stoppedUs =
                spec.topology().hosts().stream()
                        .mapToDouble(host -> seen.measure("time stopped of " + host.name()))
                        .sum();
        recorded.add(one(LabMeasure.TIME_STOPPED, stoppedUs / US_PER_MS));
        double repeated =
                IntStream.rangeClosed(1, spec.rdma().size())
                        .mapToDouble(flow -> seen.measure("packets repeated of flow-" + flow))
                        .sum();
        recorded.add(one(LabMeasure.PACKETS_REPEATED, repeated));
        long dropped = Math.round(seen.measure(DROPPED));
        long lost = dropped + Math.round(seen.measure("frames dropped by hosts"));
        String where = OwnLabSpec.VIRTUAL;
        return new PhaseOutcome(
                spec.phases().getFirst().withName(where),
                List.of(),
                dropped == 0 ? List.of() : List.of(new Drop("", false, DROPPED, where, dropped)),
                0,
                List.of(),
                lost == 0 ? List.of() : List.of(new Losses.Loss(where, DROPPED, lost, "")),
                List.of(),
                List.of(),
                recorded,
                received(seen));
    }

    private static Series one(LabMeasure measure, double value) {
        return Series.of(measure.word(), measure.unit(), List.of(new double[] {0, value}));
    }

    /** Of payload, each flow in its own time. */
    private List<RdmaFlow.Received> received(Outcome seen) {
        List<RdmaFlow.Received> received = new ArrayList<>();
        for (RdmaFlow flow : spec.rdma()) {
            double gbps = seen.measure("goodput of flow-" + (received.size() + 1));
            double times = spec.seconds() * MS_PER_S / flow.durationMs();
            received.add(new RdmaFlow.Received(flow, gbps * BPS_PER_GBPS * times));
        }
        return received;
    }
}
