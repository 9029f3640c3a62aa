package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Tables and headlines of the results of the phases of a user's lab.
 *
 * @param outcomes of the phases that ran, in their order
 */
record PhaseTables(OwnLabSpec spec, List<PhaseOutcome> outcomes, RunReport report) {
    private static final double PERCENT = 100;
    private static final String UNEXPLAINED = "unexplained";

    PhaseTables {
        outcomes = List.copyOf(outcomes);
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
            report.add(LabSections.tcp(outcomes, spec::host));
        }
        if (!flows(Protocol.UDP).isEmpty()) {
            report.add(LabSections.udp(outcomes, spec::host));
        }
        if (!spec.hasCards()) {
            report.add(LabSections.drops(outcomes));
        }
        if (outcomes.stream().anyMatch(phase -> !phase.passages().isEmpty())) {
            report.add(whoLost());
        }
        if (spec.hasCards() && spec.hasPhases()) {
            report.add(why());
        }
    }

    void describeMarks() {
        if (outcomes.stream().anyMatch(phase -> !phase.marks().isEmpty())) {
            report.add(marks());
        }
    }

    private Section whoLost() {
        Table table = LabColumn.table(Of.WHO_LOST);
        for (PhaseOutcome phase : outcomes) {
            for (Passage passage : phase.passages()) {
                table.row(
                        phase.phase().shown(),
                        passage.host(),
                        "" + passage.sent(),
                        "" + passage.lostInHost(),
                        "" + passage.lostOnTheWay(),
                        "" + passage.lostInQueues(),
                        "" + passage.received(),
                        String.format(Locale.ROOT, "%.1f", PERCENT * passage.partLostInQueues()));
            }
        }
        return new Section(
                Of.WHO_LOST.section(),
                outcomes.stream().map(PhaseOutcome::passages).toList(),
                "in datagrams; datagrams that arrived after iperf3 had stopped reading count as"
                        + " lost behind the queues; a number below 0 means that frames other than"
                        + " datagrams were also counted",
                table);
    }

    /** The same by reason. */
    private Section why() {
        Table table = LabColumn.table(Of.WHY);
        for (PhaseOutcome phase : outcomes) {
            String name = phase.phase().shown();
            for (Loss loss : phase.losses()) {
                table.row(name, loss.where(), loss.reason(), "" + loss.frames(), loss.meaning());
            }
            if (!phase.passages().isEmpty()) {
                table.row(
                        name,
                        "anywhere",
                        UNEXPLAINED,
                        "" + phase.unexplained(),
                        "missing datagrams that no counter explains; a number below 0 means that"
                                + " frames of iperf3's own connections are counted above");
            }
        }
        return new Section(
                Of.WHY.section(), outcomes.stream().map(PhaseOutcome::losses).toList(), table);
    }

    private static String share(long marked, LabMarks.Count of) {
        return of.frames() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f", PERCENT * marked / of.frames());
    }

    private Section marks() {
        Table table = LabColumn.table(Of.MARKS);
        for (PhaseOutcome phase : outcomes) {
            for (LabMarks.Count one : phase.marks()) {
                table.row(
                        phase.phase().shown(),
                        one.flow(spec::host),
                        "" + one.frames(),
                        "" + one.congested(),
                        share(one.congested(), one),
                        "" + one.undetermined(),
                        share(one.undetermined(), one));
            }
        }
        return new Section(
                Of.MARKS.section(),
                outcomes.stream().map(PhaseOutcome::marks).toList(),
                "as tshark reads them in the frames that switches sent to the receivers of UDP",
                table);
    }

    /**
     * Adds headlines: on the last phase where a file has phases, else on all flows unless it has
     * measures of its own.
     */
    void headlines() {
        if (spec.hasPhases()) {
            boolean isOfLosses = spec.measures(LabMeasure.SHARE_LOST_IN_QUEUES);
            if (isOfLosses) {
                lossHeadlines();
            } else if (spec.derived().isEmpty()) {
                headlines(outcomes.getLast());
            }
            return;
        }
        List<Iperf3.Outcome> udp = flows(Protocol.UDP);
        int flows = udp.size() + flows(Protocol.TCP).size();
        if (flows == 0 || !spec.derived().isEmpty()) {
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

    private void headlines(PhaseOutcome last) {
        OwnLabSpec.Phase phase = last.phase();
        int flows = phase.flows().size();
        boolean isToOne = phase.mostToOne() == flows && flows > 1;
        report.headline(
                isToOne
                        ? "received by "
                                + spec.host(phase.flows().getFirst().to() + 1)
                                + " of "
                                + flows
                                + " senders ("
                                + phase.protocol()
                                + " payload)"
                        : "received in \"" + phase.name() + "\" (payload)",
                Numbers.rate(last.receivedBps()));
        report.headline("dropped meanwhile, each with its reason", last.dropped() + " frames");
    }

    /** What share of a host's datagrams each phase's queues lost, if that is asked for. */
    private void lossHeadlines() {
        for (PhaseOutcome phase : outcomes) {
            if (phase.passages().isEmpty()) {
                continue;
            }
            List<String> hosts = phase.passages().stream().map(Passage::host).toList();
            report.headline(
                    "lost by "
                            + String.join(", ", hosts.subList(0, hosts.size() - 1))
                            + (hosts.size() > 1 ? " and " : "")
                            + hosts.getLast()
                            + " with "
                            + phase.phase().shown(),
                    phase.passages().stream()
                                    .map(one ->
                                            String.format(
                                                    Locale.ROOT,
                                                    "%.0f",
                                                    PERCENT * one.partLostInQueues()))
                                    .collect(Collectors.joining(", "))
                            + " %");
        }
    }
}
