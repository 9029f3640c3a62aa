package io.headgate.testbed.conform;

import io.headgate.config.ConfigException;
import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs cases, one after the other, and judges each. */
public final class ConformanceRun {
    private static final double NS_PER_S = 1e9;
    private static final String RATE = "rate";

    /** Figures that every scenario file gets of all that it records: no curve was asked for. */
    private static final Set<String> RECORDED =
            Set.of("throughput", "carried", "queue", "rate", "buffer", "headroom", "stopped", "on");

    private static final Findings NOTHING = new Findings(List.of(), List.of(), List.of());

    private final BedKind bed;
    private final String rates;
    private final int jobs;
    private final PrintStream progress;
    private final boolean terminal;
    private volatile boolean cancelled;
    private volatile @Nullable Campaign running;

    /**
     * @param rates of links, as {@code 10Gbps,100Gbps}; empty: those of each case
     * @param jobs runs in virtual time at once
     */
    public ConformanceRun(
            BedKind bed, String rates, int jobs, PrintStream progress, boolean terminal) {
        this.bed = bed;
        this.rates = rates;
        this.jobs = jobs;
        this.progress = progress;
        this.terminal = terminal;
    }

    /** Ends it early. Any thread. */
    public void cancel() {
        cancelled = true;
        Campaign now = running;
        if (now != null) {
            now.cancel();
        }
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * Runs a case.
     *
     * @throws ScenarioException if it cannot be run with these rates
     */
    public CaseResult run(ConformanceCase one) throws ScenarioException {
        long startNs = System.nanoTime();
        Scenario scenario;
        try {
            scenario = one.scenario();
        } catch (ConfigException e) {
            throw new ScenarioException(e.getMessage(), e);
        }
        if (!scenario.about().beds().contains(bed)) {
            String why =
                    bed == BedKind.NETNS
                            ? "in virtual time only: what it measures no real machine keeps exact"
                            : "on real frames only";
            return result(one, scenario, Verdict.SKIP, why, NOTHING, startNs);
        }
        Sweep sweep = Sweep.of(scenario, settings(scenario), "1", EnumSet.of(bed), 0);
        Campaign campaign =
                new Campaign(
                        sweep,
                        sweep.cells(),
                        new Campaign.Options(jobs, false, null, progress, terminal));
        running = campaign;
        if (cancelled) {
            campaign.cancel();
        }
        List<CellResult> results = campaign.run();
        for (CellResult cell : results) {
            if (cell.outcome() == null) {
                String why = sweep.label(cell.cell()) + ": " + cell.failure();
                return result(one, scenario, Verdict.FAIL, why, NOTHING, startNs);
            }
        }
        if (results.size() < sweep.cells().size()) {
            return result(one, scenario, Verdict.SKIP, "ended early", NOTHING, startNs);
        }
        Findings findings = scenario.conclude(results);
        boolean passed = findings.passed() && !findings.checks().isEmpty();
        return result(one, scenario, passed ? Verdict.PASS : Verdict.FAIL, "", findings, startNs);
    }

    private List<String> settings(Scenario scenario) {
        if (scenario.parameters().stream().noneMatch(p -> p.name().equals(RATE))) {
            return List.of();
        }
        // On real frames it is divided by the case's scale.
        String wanted = rates.isEmpty() && bed == BedKind.NETNS ? "10Gbps" : rates;
        return wanted.isEmpty() ? List.of() : List.of(RATE + "=" + wanted);
    }

    private static CaseResult result(
            ConformanceCase one,
            Scenario scenario,
            Verdict verdict,
            String why,
            Findings findings,
            long startNs) {
        return new CaseResult(
                one,
                scenario.about().title(),
                scenario.about().source(),
                scenario.about().claim(),
                verdict,
                why,
                findings.checks(),
                findings.figures().stream().filter(ConformanceRun::isAskedFor).toList(),
                (System.nanoTime() - startNs) / NS_PER_S);
    }

    private static boolean isAskedFor(Figure figure) {
        return !RECORDED.contains(figure.name()) && !figure.name().startsWith("counter-");
    }
}
