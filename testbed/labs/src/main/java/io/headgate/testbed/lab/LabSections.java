package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;

/** The sections of a lab's report. */
final class LabSections {
    private LabSections() {}

    /**
     * Flows of TCP.
     *
     * @param nameOf a host by its number, from 1
     */
    static Section tcp(List<PhaseOutcome> phases, IntFunction<String> nameOf) {
        RateUnit unit = RateUnit.of(phases);
        Table table = LabColumn.table(Of.TCP, unit.word);
        forEach(
                phases,
                Protocol.TCP,
                (phase, number, flow) ->
                        table.row(
                                when(phase.phase(), number),
                                name(flow, nameOf),
                                unit.rate(flow, flow.receivedBps()),
                                Long.toString(flow.retransmits())));
        return new Section("TCP", data(phases, Protocol.TCP, nameOf), table);
    }

    static Section udp(List<PhaseOutcome> phases, IntFunction<String> nameOf) {
        RateUnit unit = RateUnit.of(phases);
        Table table = LabColumn.table(Of.UDP, unit.word);
        forEach(
                phases,
                Protocol.UDP,
                (phase, number, flow) -> {
                    long total = Math.max(1, flow.datagrams());
                    table.row(
                            when(phase.phase(), number),
                            name(flow, nameOf),
                            unit.rate(flow, flow.sentBps()),
                            unit.rate(flow, flow.receivedBps()),
                            flow.lostDatagrams() + "/" + flow.datagrams(),
                            String.format("%.2f", 100.0 * flow.lostDatagrams() / total),
                            String.format("%.3f", flow.jitterMs()));
                });
        return new Section("UDP", data(phases, Protocol.UDP, nameOf), table);
    }

    @FunctionalInterface
    private interface OfPhase {
        void add(PhaseOutcome phase, int number, Iperf3.Outcome flow);
    }

    private static void forEach(List<PhaseOutcome> phases, Protocol protocol, OfPhase each) {
        for (PhaseOutcome phase : phases) {
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

    private static String name(Iperf3.Outcome flow, IntFunction<String> nameOf) {
        return nameOf.apply(flow.flow().from()) + "→" + nameOf.apply(flow.flow().to());
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
    private static List<Map<String, Object>> data(
            List<PhaseOutcome> phases, Protocol protocol, IntFunction<String> nameOf) {
        List<Map<String, Object>> data = new ArrayList<>();
        forEach(
                phases,
                protocol,
                (phase, number, flow) -> data.add(entry(phase.phase(), number, flow, nameOf)));
        return data;
    }

    private static Map<String, Object> entry(
            OwnLabSpec.Phase phase, int number, Iperf3.Outcome flow, IntFunction<String> nameOf) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("phase", phase.shown());
        entry.put("number", number + 1);
        entry.put("startSeconds", phase.flows().get(number).startSeconds());
        entry.put("protocol", flow.protocol().name());
        entry.put("from", nameOf.apply(flow.flow().from()));
        entry.put("to", nameOf.apply(flow.flow().to()));
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

    static Section drops(List<PhaseOutcome> phases) {
        Table table = LabColumn.table(Of.DROPS);
        boolean any = false;
        for (PhaseOutcome phase : phases) {
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
        phases.forEach(phase -> data.put(phase.phase().shown(), phase.drops()));
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

    static Section flowControl(List<FlowControlSection.Row> rows) {
        String name = "Flow control";
        return rows.isEmpty()
                ? new Section(name, rows, "none")
                : new Section(name, rows, FlowControlSection.table(rows));
    }

    static Section balance(Balance balance) {
        Table table = LabColumn.table(Of.FRAMES);
        for (Balance.PortBalance port : balance.ports()) {
            table.row(
                    port.port(),
                    Long.toString(port.hostSent()),
                    Long.toString(port.received()),
                    Long.toString(port.droppedIn()),
                    Long.toString(port.forwarded()),
                    Long.toString(port.transmitted()),
                    Long.toString(port.droppedOut()),
                    Long.toString(port.hostReceived()),
                    Long.toString(port.unexplainedIn() + port.unexplainedOut()));
        }
        return new Section("Frames", balance, table);
    }
}
