package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.PhaseFindings.Judged;
import io.headgate.testbed.lab.PhaseFindings.Ran;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import java.util.List;
import java.util.Objects;

/**
 * Why what the phases of a user's lab came to may show nothing: the machine, or the control case.
 */
record PhaseDoubts(PhaseFindings findings) {
    private static final long NS_PER_MS = 1_000_000;

    /**
     * Doubts phases that show nothing: a sender that nothing else could hold back got no core, a
     * link that had room lost what was sent, or something else of a control case does not hold.
     */
    void add(Holds holds) {
        List<Judged> all = findings.judged();
        boolean fell = false;
        for (Ran phase : findings.phases()) {
            boolean fellShort =
                    !findings.spec().holdsSenders()
                            && !PhaseFindings.dropsEnough(phase, all)
                            && holds.doubtSenders(
                                    findings.unheld(phase),
                                    phase.of().phase().udpBps(),
                                    findings::name,
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
                                            phase.of(),
                                            holds);
                    doubt(sentence, isOfMachine, holds);
                } else if (one.expected().isAtMost() || !fellShort) {
                    findings.report().doubt(Doubt.ofControl(sentence));
                }
            }
        }
        boolean fellShort = fell;
        findings.compared()
                .forEach((one, check) -> {
                    if (!check.passed() && one.isControl()) {
                        doubt(check.sentence(), fellShort || isOfMachine(one, holds), holds);
                    }
                });
    }

    private void doubt(String sentence, boolean isOfMachine, Holds holds) {
        findings.report()
                .doubt(
                        new Doubt(
                                "the control case: " + sentence + "; " + holds.sentence(),
                                isOfMachine));
    }

    private boolean isOfMachine(LabDerived.Expected one, Holds holds) {
        List<Ran> phases = findings.phases();
        return one.derived().names().stream()
                .map(findings.spec()::measure)
                .filter(Objects::nonNull)
                .anyMatch(of -> {
                    Ran phase = phases.get(of.phase());
                    return isOfMachine(findings.flows(phase, of.of()), phase.of(), holds);
                });
    }

    /**
     * Whether the machine is why flows got less than they must: a worker was held, or what is
     * missing was mostly lost where one was, or where a receiver did not read.
     */
    private static boolean isOfMachine(
            List<Iperf3.Outcome> flows, Phase.Outcome phase, Holds holds) {
        long missed = flows.stream().mapToLong(Iperf3.Outcome::lostDatagrams).sum();
        long ofMachine = Losses.ofMachine(phase.losses());
        return holds.exceed(LabPlan.HELD_MS * NS_PER_MS)
                || (ofMachine > 0 && 2 * ofMachine >= missed);
    }
}
