package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            report.add(tcp());
        }
        if (!flows(Protocol.UDP).isEmpty()) {
            report.add(udp());
        }
        if (!spec.hasCards()) {
            report.add(drops());
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

    private Section tcp() {
        RateUnit unit = RateUnit.of(outcomes);
        Table table = LabColumn.table(Of.TCP, unit.word);
        forEach(
                Protocol.TCP,
                (phase, number, flow) ->
                        table.row(
                                when(phase.phase(), number),
                                name(flow),
                                unit.rate(flow, flow.receivedBps()),
                                Long.toString(flow.retransmits())));
        return new Section("TCP", data(Protocol.TCP), table);
    }

    private Section udp() {
        RateUnit unit = RateUnit.of(outcomes);
        Table table = LabColumn.table(Of.UDP, unit.word);
        forEach(
                Protocol.UDP,
                (phase, number, flow) -> {
                    long total = Math.max(1, flow.datagrams());
                    table.row(
                            when(phase.phase(), number),
                            name(flow),
                            unit.rate(flow, flow.sentBps()),
                            unit.rate(flow, flow.receivedBps()),
                            flow.lostDatagrams() + "/" + flow.datagrams(),
                            String.format("%.2f", 100.0 * flow.lostDatagrams() / total),
                            String.format("%.3f", flow.jitterMs()));
                });
        return new Section("UDP", data(Protocol.UDP), table);
    }

    @FunctionalInterface
    private interface OfPhase {
        void add(PhaseOutcome phase, int number, Iperf3.Outcome flow);
    }

    private void forEach(Protocol protocol, OfPhase each) {
        for (PhaseOutcome phase : outcomes) {
            for (int number = 0; number < phase.flows().size(); number++) {
                Iperf3.Outcome flow = phase.flows().get(number);
                if (flow.protocol() == protocol) {
                    each.add(phase, number, flow);
                }
            }
        }
    }

    private static String when(OwnLabSpec.Phase phase, int flow) {
        double start = phase.flows().get(flow).startSeconds();
        return start == 0
                ? phase.shown()
                : String.format(Locale.ROOT, "%s, after %.1f s", phase.shown(), start);
    }

    private String name(Iperf3.Outcome flow) {
        return spec.host(flow.flow().from()) + "→" + spec.host(flow.flow().to());
    }

    /** The unit of a table's rates, chosen so that three digits are meaningful. */
    private enum RateUnit {
        MBPS("Mb/s", 1e6, "%.1f"),
        GBPS("Gb/s", 1e9, "%.3f");

        private final String word;
        private final double bps;
        private final String format;

        RateUnit(String word, double bps, String format) {
            this.word = word;
            this.bps = bps;
            this.format = format;
        }

        static RateUnit of(List<PhaseOutcome> phases) {
            double most =
                    phases.stream()
                            .flatMap(phase -> phase.flows().stream())
                            .mapToDouble(flow -> Math.max(flow.sentBps(), flow.receivedBps()))
                            .max()
                            .orElse(0);
            return most < 2e8 ? MBPS : GBPS;
        }

        String rate(Iperf3.Outcome flow, double flowBps) {
            return flow.problem() == null ? String.format(format, flowBps / bps) : "failed";
        }
    }

    /** Without iperf3's own output, which has files of its own. */
    private List<Map<String, Object>> data(Protocol protocol) {
        List<Map<String, Object>> data = new ArrayList<>();
        forEach(protocol, (phase, number, flow) -> data.add(entry(phase.phase(), number, flow)));
        return data;
    }

    private Map<String, Object> entry(OwnLabSpec.Phase phase, int number, Iperf3.Outcome flow) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("phase", phase.shown());
        entry.put("number", number + 1);
        entry.put("startSeconds", phase.flows().get(number).startSeconds());
        entry.put("protocol", flow.protocol().name());
        entry.put("from", spec.host(flow.flow().from()));
        entry.put("to", spec.host(flow.flow().to()));
        entry.put("offeredBps", flow.flow().udpBps());
        entry.put("control", phase.flows().get(number).rateControl());
        entry.put("sentBps", flow.sentBps());
        entry.put("receivedBps", flow.receivedBps());
        entry.put("retransmits", flow.retransmits());
        entry.put("lostDatagrams", flow.lostDatagrams());
        entry.put("datagrams", flow.datagrams());
        entry.put("jitterMs", flow.jitterMs());
        String problem = flow.problem();
        if (problem != null) {
            entry.put("problem", problem);
        }
        return entry;
    }

    private Section drops() {
        Table table = LabColumn.table(Of.DROPS);
        boolean any = false;
        for (PhaseOutcome phase : outcomes) {
            for (Drop drop : phase.drops()) {
                any = true;
                table.row(
                        phase.phase().shown(),
                        drop.port(),
                        drop.ingress() ? "in" : "out",
                        drop.reason(),
                        Long.toString(drop.frames()),
                        why(drop, phase.phase().mostToOne()));
            }
            if (phase.socketDrops() > 0) {
                any = true;
                table.row(
                        phase.phase().shown(),
                        "-",
                        "-",
                        "(host's socket)",
                        Long.toString(phase.socketDrops()),
                        "not the switch: the receiver's socket buffer was full");
            }
        }
        Map<String, List<Drop>> data = new LinkedHashMap<>();
        outcomes.forEach(phase -> data.put(phase.phase().shown(), phase.drops()));
        return any ? new Section("Drops", data, table) : new Section("Drops", data, "none");
    }

    private static String why(Drop drop, int senders) {
        return switch (DropReason.valueOf(drop.reason())) {
            case QUEUE_FULL ->
                    senders > 1
                            ? "tail drop: up to %d senders offer more than one port can send"
                                    .formatted(senders)
                            : "tail drop: a sender's burst was longer than the queue";
            case ACCOUNT_AT_CAP -> "its sender filled its share of the switch's memory";
            case KERNEL_RX_RING_FULL, KERNEL_RX_FILL_EMPTY, TAP_RING_FULL, KERNEL_RX_INTERFACE ->
                    drop.description() + "; usual where hosts and switch share few cores";
            default -> drop.description();
        };
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
