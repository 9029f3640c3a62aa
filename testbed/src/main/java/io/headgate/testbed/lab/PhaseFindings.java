package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.own.LabExpectation;
import io.headgate.testbed.lab.own.LabExpectation.Measure;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * What the phases of a user's lab came to, and whether each did what its file expects of it.
 *
 * @param outcomes of the phases that ran, in their order
 */
record PhaseFindings(OwnLabSpec spec, List<Phase.Outcome> outcomes, RunReport report) {
    private static final double PERCENT = 100;

    PhaseFindings {
        outcomes = List.copyOf(outcomes);
    }

    private String name(int host) {
        return spec.topology().hosts().get(host - 1).name();
    }

    private List<Iperf3.Outcome> flows(Protocol protocol) {
        return outcomes.stream()
                .flatMap(phase -> phase.flows().stream())
                .filter(flow -> flow.protocol() == protocol)
                .toList();
    }

    /** Adds tables of flows and, where hosts have no cards that count what is lost, of drops. */
    void describe() {
        if (outcomes.isEmpty()) {
            return;
        }
        if (!flows(Protocol.TCP).isEmpty()) {
            report.add(LabSections.tcp(outcomes, this::name));
        }
        if (!flows(Protocol.UDP).isEmpty()) {
            report.add(LabSections.udp(outcomes, this::name));
        }
        if (!spec.hasCards()) {
            report.add(LabSections.drops(outcomes));
        }
    }

    /** Adds headlines: on the last phase where a file has phases, else on all flows. */
    void headlines() {
        if (spec.hasPhases()) {
            headlines(outcomes.getLast());
            return;
        }
        List<Iperf3.Outcome> udp = flows(Protocol.UDP);
        int flows = udp.size() + flows(Protocol.TCP).size();
        if (flows == 0) {
            return;
        }
        report.headline(
                flows == 1
                        ? "received of the flow (payload)"
                        : "received of " + flows + " flows (payload, each while it lasts)",
                Numbers.rate(outcomes.getFirst().receivedBps()));
        if (udp.isEmpty()) {
            long again = flows(Protocol.TCP).stream().mapToLong(Iperf3.Outcome::retransmits).sum();
            report.headline("sent again (TCP)", again + " segments");
        } else {
            long sent = udp.stream().mapToLong(Iperf3.Outcome::datagrams).sum();
            long lost = outcomes.getFirst().missedDatagrams();
            report.headline("lost, of " + sent + " datagrams", Long.toString(lost));
        }
    }

    private void headlines(Phase.Outcome last) {
        Phase phase = last.phase();
        int flows = phase.flows().size();
        boolean isToOne = phase.mostToOne() == flows && flows > 1;
        report.headline(
                isToOne
                        ? "received by "
                                + name(phase.flows().getFirst().to())
                                + " of "
                                + flows
                                + " senders ("
                                + phase.protocol()
                                + " payload)"
                        : "received in \"" + phase.name() + "\" (payload)",
                Numbers.rate(last.receivedBps()));
        report.headline("dropped meanwhile, each with its reason", last.dropped() + " frames");
    }

    /** An expectation of a phase, and its result. */
    private record Judged(LabExpectation expected, Phase.Outcome of, Check check) {
        boolean failsAsControl() {
            return expected.isControl() && !check.passed();
        }
    }

    private List<Judged> judged() {
        List<Judged> all = new ArrayList<>();
        for (int phase = 0; phase < outcomes.size(); phase++) {
            Phase.Outcome of = outcomes.get(phase);
            for (LabExpectation one : spec.phases().get(phase).expectations()) {
                double measured = measured(one.measure(), of);
                all.add(new Judged(one, of, one.check(of.phase().name(), measured)));
            }
        }
        return all;
    }

    private static double measured(Measure measure, Phase.Outcome of) {
        return switch (measure) {
            case FRAMES_DROPPED -> of.dropped();
            case OUT_OF_ORDER -> of.reorderedDatagrams();
            case SHARE_RECEIVED -> {
                List<Iperf3.Outcome> udp =
                        of.flows().stream()
                                .filter(flow -> flow.protocol() == Protocol.UDP)
                                .toList();
                yield PERCENT
                        * udp.stream().mapToDouble(Iperf3.Outcome::receivedBps).sum()
                        / udp.stream().mapToDouble(Iperf3.Outcome::sentBps).sum();
            }
            case FRAMES_LOST, TIME_STOPPED ->
                    throw new IllegalArgumentException(measure + " of a phase");
        };
    }

    /** Judges all phases; what does not hold of a control case is left to {@link #doubt}. */
    List<Check> judge(Holds holds) {
        List<Judged> all = judged();
        for (Judged one : all) {
            if (one.check.passed() || one.expected.isControl()) {
                continue;
            }
            if (one.expected.isAtMost() || !fallShort(one.of, holds)) {
                report.problem(one.check.sentence());
            }
        }
        return all.stream().map(Judged::check).toList();
    }

    /** Whether the file says itself what must arrive for drops to be those of full links. */
    boolean judgeWhatArrives() {
        return spec.phases().stream()
                .flatMap(phase -> phase.expectations().stream())
                .anyMatch(one -> one.isControl() && one.measure() == Measure.SHARE_RECEIVED);
    }

    /**
     * Doubts phases that show nothing: a sender that nothing else could hold back got no core, a
     * link that had room lost what was sent, or something else of a control case does not hold.
     *
     * @param obeys whether something other than the machine may hold senders back
     */
    void doubt(boolean obeys, Holds holds) {
        List<Judged> all = judged();
        for (Phase.Outcome phase : outcomes) {
            // More than a link carries may be more than the machine can send.
            boolean isEnough =
                    all.stream()
                            .anyMatch(one ->
                                    one.of.equals(phase)
                                            && one.expected.measure() == Measure.FRAMES_DROPPED
                                            && !one.expected.isAtMost()
                                            && one.check.passed());
            boolean fellShort = !obeys && !isEnough && fallShort(phase, holds);
            for (Judged one : all) {
                if (!one.of.equals(phase) || !one.failsAsControl()) {
                    continue;
                }
                String sentence = one.check.sentence();
                if (one.expected.measure() == Measure.SHARE_RECEIVED) {
                    report.doubt(Doubt.ofMachine(sentence + "; " + holds.sentence()));
                } else if (one.expected.isAtMost() || !fellShort) {
                    report.doubt(Doubt.ofControl(sentence));
                }
            }
        }
    }

    /** Whether a sender of UDP sent less than it was asked for, which is the machine's doubt. */
    private boolean fallShort(Phase.Outcome phase, Holds holds) {
        List<Iperf3.Outcome> ran =
                phase.flows().stream().filter(flow -> flow.problem() == null).toList();
        return holds.doubtSenders(ran, phase.phase().udpBps(), this::name, report);
    }
}
