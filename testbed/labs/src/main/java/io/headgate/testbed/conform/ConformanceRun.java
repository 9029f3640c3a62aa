package io.headgate.testbed.conform;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.ConfigException;
import io.headgate.config.key.Quantity;
import io.headgate.testbed.conform.CaseResult.Losses;
import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.netns.bed.DeviceUnderTest;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.bed.RealBed;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs conformance cases one after the other, and judges each. */
public final class ConformanceRun {
    private static final double NS_PER_S = 1e9;
    private static final String TESTER = "tester.yaml";
    private static final double US_PER_S = 1e6;

    private static final double LONGEST_PAUSE_BITS = 65535.0 * ConfigDefaults.QUANTUM_BITS;

    private static final String RATE = "rate";
    private static final String SENT = "frames sent of ";
    private static final String RECEIVED = "frames received of ";

    /** Figures that every scenario file gets for all its recordings: no curve was requested. */
    private static final Set<String> RECORDED =
            Set.of("throughput", "carried", "queue", "rate", "buffer", "headroom", "stopped", "on");

    /** Measures that only the device itself knows, in addition to its counters. */
    private static final Set<String> INSIDE =
            Set.of("frames dropped", "highest queue", "highest buffer");

    private static final Pattern COUNTER = Pattern.compile("s[0-9]+/\\S+ [A-Za-z0-9._$]+");
    private static final long CASES_BPS = 10_000_000_000L;
    private static final double LEAST_BPS = 10e6;
    private static final Findings NOTHING = new Findings(List.of(), List.of(), List.of());

    private final BedKind bed;
    private final String rates;
    private final int jobs;
    private final PrintStream progress;
    private final boolean terminal;
    private @Nullable DeviceUnderTest device;
    private int deviceScale;
    private MachineHold hold = MachineHold.NONE;
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

    /**
     * Judges a device that joins interfaces of this machine, and not the switch of a bed. Its links
     * have the rate of this run, and cases the times that fit it.
     *
     * @throws ScenarioException if cases cannot have the rate
     */
    public void judge(DeviceUnderTest other) throws ScenarioException {
        Long bps = Quantity.RATE.parse(rates);
        if (bps == null || bps < LEAST_BPS || bps > CASES_BPS || CASES_BPS % bps != 0) {
            throw new ScenarioException(
                    "--rate cannot be '"
                            + Words.shown(rates)
                            + "' with --device-under-test: allowed is the rate of its links, 10Mbps"
                            + " or more, such that 10Gbps is a whole multiple of it, such as"
                            + " 100Mbps or 1Gbps");
        }
        device = other;
        deviceScale = (int) (CASES_BPS / bps);
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
     * Measures how fast the tester's own cards obey pauses, on a link that it makes.
     *
     * @return the answer, in a sentence
     * @throws ScenarioException if that cannot be tried
     */
    public String tester() throws ScenarioException {
        Scenario scenario = ScenarioReader.read(ConformanceCase.resource(TESTER), TESTER);
        Sweep sweep =
                Sweep.of(scenario, settings(scenario), "1", EnumSet.of(BedKind.NETNS), deviceScale);
        CellResult cell =
                new Campaign(
                                sweep,
                                sweep.cells(),
                                new Campaign.Options(1, false, null, progress, terminal))
                        .run()
                        .getFirst();
        if (cell.outcome() == null) {
            throw new ScenarioException(String.valueOf(cell.failure()));
        }
        return TesterReaction.sentence(cell.outcome(), deviceScale);
    }

    /**
     * Runs a case.
     *
     * @throws ScenarioException if it cannot be run with these rates
     */
    public CaseResult run(ConformanceCase one) throws ScenarioException {
        CaseResult result = once(one);
        while (hold.excuses(result) && !cancelled) {
            List<String> tries = hold.tries(result);
            result = once(one).withTries(tries);
        }
        return result;
    }

    private static double pauseUs(CellResult cell) {
        boolean isChosen = cell.cell().values().names().contains(RATE);
        double bps = isChosen ? cell.cell().values().number(RATE) : CASES_BPS;
        return LONGEST_PAUSE_BITS / bps * US_PER_S;
    }

    private CaseResult once(ConformanceCase one) throws ScenarioException {
        hold = MachineHold.NONE;
        long startNs = System.nanoTime();
        DeviceUnderTest other = device;
        Scenario scenario;
        try {
            scenario = other == null ? one.scenario() : one.scenario(other);
        } catch (ConfigException e) {
            throw new ScenarioException(e.getMessage(), e);
        }
        if (!scenario.about().beds().contains(bed)) {
            String why =
                    bed == BedKind.NETNS
                            ? "in virtual time only: no real machine is exact enough for its"
                                    + " measures"
                            : "on real frames only";
            return result(one, scenario, Verdict.SKIP, why, NOTHING, startNs);
        }
        Sweep sweep =
                Sweep.of(
                        scenario,
                        settings(scenario),
                        "1",
                        EnumSet.of(bed),
                        other == null ? 0 : deviceScale);
        List<String> unseen = new ArrayList<>();
        List<Cell> cells = runnable(sweep, unseen);
        if (cells.isEmpty()) {
            String why = scenario.lacks(sweep.cells().getFirst());
            return result(one, scenario, Verdict.SKIP, why, NOTHING, startNs);
        }
        Campaign campaign =
                new Campaign(
                        sweep, cells, new Campaign.Options(jobs, false, null, progress, terminal));
        running = campaign;
        if (cancelled) {
            campaign.cancel();
        }
        List<CellResult> results = campaign.run();
        for (CellResult cell : results) {
            hold = hold.and(cell, pauseUs(cell));
            if (cell.outcome() == null) {
                String why = sweep.label(cell.cell()) + ": " + cell.failure();
                return result(one, scenario, Verdict.FAIL, why, NOTHING, startNs);
            }
        }
        if (results.size() < cells.size()) {
            return result(one, scenario, Verdict.SKIP, "ended early", NOTHING, startNs);
        }
        Findings all = scenario.conclude(results);
        Findings findings = other == null ? all : seenFromOutside(one, all, results, unseen);
        if (other != null && findings.checks().isEmpty()) {
            String why = "only the device itself knows: " + String.join("; ", unseen);
            return result(one, scenario, Verdict.SKIP, why, NOTHING, startNs);
        }
        boolean passed = findings.passed() && !findings.checks().isEmpty();
        return result(one, scenario, passed ? Verdict.PASS : Verdict.FAIL, "", findings, startNs)
                .withLosses(losses(sweep, results))
                .withUnseen(unseen);
    }

    /** The cells that can be run; the reasons for the others go to {@code unseen}. */
    private static List<Cell> runnable(Sweep sweep, List<String> unseen) {
        List<Cell> cells = new ArrayList<>();
        for (Cell cell : sweep.cells()) {
            String lacks = sweep.scenario().lacks(cell);
            if (lacks.isEmpty()) {
                cells.add(cell);
            } else {
                unseen.add(sweep.label(cell) + ": " + lacks);
            }
        }
        return cells;
    }

    private static List<Losses> losses(Sweep sweep, List<CellResult> results) {
        return results.stream()
                .map(cell -> losses(sweep, cell))
                .filter(run -> !run.isNone())
                .toList();
    }

    private static Losses losses(Sweep sweep, CellResult cell) {
        Map<String, Long> missing = new LinkedHashMap<>();
        for (Measure sent : cell.outcomeOrThrow().measures()) {
            if (sent.name().startsWith(SENT)) {
                String group = sent.name().substring(SENT.length());
                long frames = Math.round(sent.value() - cell.measure(RECEIVED + group));
                if (frames != 0) {
                    missing.put(group, frames);
                }
            }
        }
        double waiting = cell.measure(RealBed.WAITING);
        return new Losses(
                sweep.label(cell.cell()),
                cell.outcomeOrThrow().dropped(),
                missing,
                Double.isNaN(waiting) ? 0 : Math.round(waiting));
    }

    /** Findings of what a tester sees; the rest is named. */
    private static Findings seenFromOutside(
            ConformanceCase one, Findings all, List<CellResult> results, List<String> unseen) {
        Set<String> seen =
                results.stream()
                        .flatMap(cell -> cell.outcomeOrThrow().series().stream())
                        .map(Series::name)
                        .collect(Collectors.toSet());
        List<Check> checks = new ArrayList<>();
        for (Check check : all.checks()) {
            String what = Labels.split(check.what()).text();
            boolean unknown = Double.isNaN(check.measured()) || Double.isNaN(check.expected());
            if (unknown && isInside(what, one, seen)) {
                if (!unseen.contains(what)) {
                    unseen.add(what);
                }
            } else {
                checks.add(check);
            }
        }
        return new Findings(checks, all.figures(), all.statements());
    }

    /** Whether a measure depends on counters that only the device has. */
    private static boolean isInside(String measure, ConformanceCase one, Set<String> seen) {
        String definition =
                one.text()
                        .lines()
                        .filter(line -> line.contains("name: " + measure + ","))
                        .findFirst()
                        .orElse(measure);
        if (INSIDE.stream().anyMatch(definition::contains)) {
            return true;
        }
        return COUNTER.matcher(definition)
                .results()
                .map(MatchResult::group)
                .anyMatch(counter -> seen.stream().noneMatch(("counter " + counter)::equals));
    }

    private List<String> settings(Scenario scenario) {
        if (scenario.parameters().stream().noneMatch(p -> p.name().equals(RATE))) {
            return List.of();
        }
        if (device != null) {
            return List.of(RATE + "=" + CASES_BPS + "bps");
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
                List.of(),
                List.of(),
                List.of(),
                (System.nanoTime() - startNs) / NS_PER_S);
    }

    private static boolean isAskedFor(Figure figure) {
        return !RECORDED.contains(figure.name()) && !figure.name().startsWith("counter-");
    }
}
