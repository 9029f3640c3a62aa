package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport.Doubt;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.lab.PhaseFindings.Judged;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.LabSeries;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.scenario.Numbers;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Finds the reasons why the results of a user's lab may prove nothing: the machine, or the control
 * case.
 */
record PhaseDoubts(PhaseFindings findings) {
    private static final long NS_PER_MS = 1_000_000;

    /** The longest hold that leaves of a second enough to judge. */
    private static final long LONGEST_HOLD_NS = 500_000_000;

    /** What is averaged over the time of a flow. */
    static final String RATES = "what each flow got";

    private static final double MS_PER_S = 1e3;

    /** Lossless frames that found no room fail whatever the machine did. */
    private static final String HEADROOM = DropReason.HEADROOM_EXHAUSTED.name();

    private static final String LEAST_SECOND = "least second";

    /**
     * Why what follows a warm-up that does not come to rest shows nothing.
     *
     * @param holds until then
     */
    static Doubt ofWarmUp(Holds holds) {
        return new Doubt(
                "switches still held frames 5 s after the end of the warm-up, so the measured"
                        + " traffic did not begin at rest: reduce the traffic of the warm-up, or"
                        + " use headgate explain to see what stops these frames; "
                        + holds.sentence(),
                isHeld(holds));
    }

    /**
     * Doubts phases that show nothing: a sender that nothing else could hold back got no core, a
     * link that had room lost what was sent, or something else of a control case does not hold.
     */
    void add(Holds holds) {
        List<Judged> all = findings.judged();
        boolean fell = false;
        for (PhaseOutcome phase : findings.outcomes()) {
            boolean fellShort =
                    !findings.spec().holdsSenders()
                            && !PhaseFindings.dropsEnough(phase, all)
                            && holds.doubtSenders(
                                    findings.unheld(phase),
                                    findings.spec()::host,
                                    findings.report());
            fell |= fellShort;
            for (Judged one : all) {
                if (!one.phase().equals(phase) || !one.failsAsControl()) {
                    continue;
                }
                String sentence = one.check().sentence();
                if (one.expected().measure() == LabMeasure.SHARE_RECEIVED) {
                    boolean isOfMachine =
                            !findings.spec().hasCards()
                                    || isOfMachine(
                                            findings.flows(phase, one.expected().of()),
                                            phase,
                                            holds);
                    doubt(sentence, isOfMachine, holds);
                } else if (one.expected().isUpper() || !fellShort) {
                    findings.report().doubt(Doubt.ofControl(sentence));
                }
            }
        }
        boolean fellShort = fell;
        findings.compared()
                .forEach((one, check) -> {
                    if (!check.passed() && one.isControl() && !isOfSeconds(one)) {
                        doubt(check.sentence(), fellShort || isOfMachine(one, holds), holds);
                    }
                });
    }

    private void doubt(String sentence, boolean isOfMachine, Holds holds) {
        findings.report().doubt(control(sentence, isOfMachine, holds));
    }

    private static Doubt control(String sentence, boolean isOfMachine, Holds holds) {
        return new Doubt("the control case: " + sentence + "; " + holds.sentence(), isOfMachine);
    }

    /**
     * Doubts, whatever failed, a run that measures its worst second: a worker that was held for
     * half of a second, or for longer than buffers allow for where frames were lost, is why any of
     * it may have failed; and where the control case of series does not hold, what came after it
     * shows nothing.
     *
     * @param lost in the run
     */
    void addOfSeconds(Holds holds, List<Losses.Loss> lost) {
        if (!measuresSeconds()) {
            return;
        }
        findings.compared()
                .forEach((one, check) -> {
                    if (!check.passed() && one.isControl() && isOfSeconds(one)) {
                        findings.report()
                                .doubtWhateverFails(
                                        control(check.sentence(), isHeld(holds), holds));
                    }
                });
        boolean isLong = holds.exceed(LONGEST_HOLD_NS);
        boolean isLost = lost.stream().anyMatch(loss -> !loss.isBehind());
        if (isLong || (isLost && isHeld(holds))) {
            findings.report()
                    .doubtWhateverFails(
                            Doubt.ofMachine(
                                    holds.sentence()
                                            + (isLong
                                                    ? ", more than half of a judged second"
                                                    : ", and buffers allow for "
                                                            + LabPlan.HELD_MS
                                                            + " ms")));
        }
    }

    /**
     * Doubts rates of RoCEv2 over time where a worker was held for a part of them, or for longer
     * than buffers allow for and frames were lost: endpoints and switch share the machine. What
     * fails of anything else does so, and flows under 1 s do not say how long a hold may be.
     */
    void addOfRates(Holds holds) {
        OwnLabSpec spec = findings.spec();
        if (measuresSeconds() || spec.rdma().isEmpty() || spec.series().isEmpty()) {
            return;
        }
        List<Losses.Loss> lost =
                findings.outcomes().stream().flatMap(one -> one.lost().stream()).toList();
        boolean areExcused =
                holds.exceedAnyBuffer()
                        && lost.stream()
                                        .filter(loss -> !loss.reason().equals(HEADROOM))
                                        .filter(loss -> loss.isOfHolds() || loss.isOfQueues())
                                        .count()
                                == lost.size();
        String losses = Losses.sentence(lost) + Losses.reasons(lost);
        if (!failsOfSeriesAlone(areExcused ? losses : "")) {
            return;
        }
        double seconds =
                spec.rdma().stream()
                        .mapToDouble(flow -> flow.durationMs() / MS_PER_S)
                        .filter(one -> one >= 1)
                        .min()
                        .orElse(Double.POSITIVE_INFINITY);
        Doubt ofRates = holds.ofRates(RATES, seconds);
        if (ofRates != null) {
            findings.report().doubtWhateverFails(ofRates);
        } else if (areExcused && lost.stream().anyMatch(loss -> !loss.isBehind())) {
            findings.report()
                    .doubtWhateverFails(
                            Doubt.ofMachine(Losses.sentence(lost) + "; " + holds.sentence()));
        }
    }

    /**
     * Doubts what failed of series in a run that measures its worst second where the machine was
     * late with an order, or with anything else that was due, and held a worker: seconds are
     * counted from the file's times on.
     *
     * @param lateNs by which something was begun too late
     */
    void addOfLateness(long lateNs, Holds holds) {
        boolean fails = !findings.report().problems().isEmpty();
        if (fails
                && measuresSeconds()
                && lateNs > LONGEST_HOLD_NS
                && isHeld(holds)
                && failsOfSeriesAlone("")) {
            findings.report()
                    .doubtWhateverFails(
                            Doubt.ofMachine(
                                    "flows or orders began up to "
                                            + Numbers.shown((double) lateNs, "ns")
                                            + " late, more than half of a judged second; "
                                            + holds.sentence()));
        }
    }

    /**
     * Whether nothing failed but what is made of series.
     *
     * @param excused another sentence that does not count
     */
    private boolean failsOfSeriesAlone(String excused) {
        List<String> ofSeries =
                findings.compared().entrySet().stream()
                        .filter(one -> !one.getValue().passed() && isOfSeriesAlone(one.getKey()))
                        .map(one -> one.getValue().sentence())
                        .toList();
        return findings.report().problems().stream()
                .allMatch(problem -> problem.equals(excused) || ofSeries.contains(problem));
    }

    private boolean measuresSeconds() {
        return findings.spec().derived().stream()
                .flatMap(one -> one.names().stream())
                .map(findings.spec()::recorded)
                .filter(Objects::nonNull)
                .map(LabSeries.Of::statistic)
                .anyMatch(of -> of != null && of.statistic().equals(LEAST_SECOND));
    }

    /** Whether it is of a run that measures seconds, and made of series alone. */
    private boolean isOfSeconds(LabDerived.Expected one) {
        return measuresSeconds() && isOfSeriesAlone(one);
    }

    private boolean isOfSeriesAlone(LabDerived.Expected one) {
        return measured(one.derived()).allMatch(name -> findings.spec().measure(name) == null);
    }

    /** What a number is made of in the end: it may be made of others that the file makes. */
    private Stream<String> measured(LabDerived one) {
        return one.names().stream()
                .flatMap(name ->
                        findings.spec().derived().stream()
                                .filter(own -> own.name().equals(name))
                                .findFirst()
                                .map(this::measured)
                                .orElseGet(() -> Stream.of(name)));
    }

    private static boolean isHeld(Holds holds) {
        return holds.exceed(LabPlan.HELD_MS * NS_PER_MS);
    }

    private boolean isOfMachine(LabDerived.Expected one, Holds holds) {
        if (isOfSeriesAlone(one)) {
            return isHeld(holds);
        }
        return measured(one.derived())
                .map(findings.spec()::measure)
                .filter(Objects::nonNull)
                .anyMatch(of -> {
                    PhaseOutcome phase = findings.outcomes().get(of.phase());
                    return isOfMachine(findings.flows(phase, of.of()), phase, holds);
                });
    }

    /**
     * Whether the machine is why flows got less than they must: a worker was held, or what is
     * missing was mostly lost where one was, or where a receiver did not read.
     */
    private static boolean isOfMachine(
            List<Iperf3.Outcome> flows, PhaseOutcome phase, Holds holds) {
        long missed = flows.stream().mapToLong(Iperf3.Outcome::lostDatagrams).sum();
        long ofMachine = Losses.ofMachine(phase.losses());
        return isHeld(holds) || (ofMachine > 0 && 2 * ofMachine >= missed);
    }
}
