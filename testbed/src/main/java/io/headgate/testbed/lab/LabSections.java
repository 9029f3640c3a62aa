package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.Ping;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sections of a lab's report. */
final class LabSections {
    private LabSections() {}

    static Section pings(List<Ping.Outcome> pings, int hosts, String name) {
        String[] headings = new String[hosts + 1];
        headings[0] = "from \\ to";
        for (int to = 1; to <= hosts; to++) {
            headings[to] = ">h" + to;
        }
        Table table = new Table(headings);
        for (int from = 1; from <= hosts; from++) {
            String[] row = new String[hosts + 1];
            row[0] = "h" + from;
            for (int to = 1; to <= hosts; to++) {
                row[to] = "-";
            }
            for (Ping.Outcome ping : pings) {
                if (ping.from() == from) {
                    row[ping.to()] = cell(ping);
                }
            }
            table.row(row);
        }
        long reachable = pings.stream().filter(Ping.Outcome::reachable).count();
        String note =
                String.format(
                        "%d of %d pairs reachable; shortest round trip in ms:",
                        reachable, pings.size());
        return new Section(name, pings, note, table);
    }

    private static String cell(Ping.Outcome ping) {
        return ping.reachable() ? String.format("%.3f", ping.minimumMs()) : "none";
    }

    static Section tcp(List<Phase.Outcome> phases) {
        RateUnit unit = RateUnit.of(phases);
        Table table = LabColumn.table(Of.TCP, unit.word);
        for (Phase.Outcome phase : phases) {
            for (Iperf3.Outcome flow : phase.flows()) {
                if (flow.protocol() == Protocol.TCP) {
                    table.row(
                            phase.phase().name(),
                            name(flow),
                            unit.rate(flow, flow.receivedBps()),
                            Long.toString(flow.retransmits()));
                }
            }
        }
        return new Section("TCP", data(phases, Protocol.TCP), table);
    }

    static Section udp(List<Phase.Outcome> phases) {
        RateUnit unit = RateUnit.of(phases);
        Table table = LabColumn.table(Of.UDP, unit.word);
        for (Phase.Outcome phase : phases) {
            for (Iperf3.Outcome flow : phase.flows()) {
                if (flow.protocol() == Protocol.UDP) {
                    long total = Math.max(1, flow.datagrams());
                    table.row(
                            phase.phase().name(),
                            name(flow),
                            unit.rate(flow, flow.sentBps()),
                            unit.rate(flow, flow.receivedBps()),
                            flow.lostDatagrams() + "/" + flow.datagrams(),
                            String.format("%.2f", 100.0 * flow.lostDatagrams() / total),
                            String.format("%.3f", flow.jitterMs()));
                }
            }
        }
        return new Section("UDP", data(phases, Protocol.UDP), table);
    }

    private static String name(Iperf3.Outcome flow) {
        return "h" + flow.flow().from() + "→h" + flow.flow().to();
    }

    /** What a table's rates are shown in, so that three digits tell something. */
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

        static RateUnit of(List<Phase.Outcome> phases) {
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
    private static List<Map<String, Object>> data(List<Phase.Outcome> phases, Protocol protocol) {
        return phases.stream()
                .flatMap(phase -> phase.flows().stream().map(flow -> entry(phase, flow)))
                .filter(entry -> protocol.name().equals(entry.get("protocol")))
                .toList();
    }

    private static Map<String, Object> entry(Phase.Outcome phase, Iperf3.Outcome flow) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("phase", phase.phase().name());
        entry.put("protocol", flow.protocol().name());
        entry.put("from", "h" + flow.flow().from());
        entry.put("to", "h" + flow.flow().to());
        entry.put("offeredBps", phase.phase().udpBps());
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

    static Section drops(List<Phase.Outcome> phases) {
        Table table = LabColumn.table(Of.DROPS);
        boolean any = false;
        for (Phase.Outcome phase : phases) {
            for (Drop drop : phase.drops()) {
                any = true;
                table.row(
                        phase.phase().name(),
                        drop.port(),
                        drop.ingress() ? "in" : "out",
                        drop.reason(),
                        Long.toString(drop.frames()),
                        why(drop, phase.phase().congested()));
            }
            if (phase.socketDrops() > 0) {
                any = true;
                table.row(
                        phase.phase().name(),
                        "-",
                        "-",
                        "(host's socket)",
                        Long.toString(phase.socketDrops()),
                        "not the switch: the receiver's socket buffer was full");
            }
        }
        Map<String, List<Drop>> data = new LinkedHashMap<>();
        phases.forEach(phase -> data.put(phase.phase().name(), phase.drops()));
        return any ? new Section("Drops", data, table) : new Section("Drops", data, "none");
    }

    private static String why(Drop drop, boolean congested) {
        return switch (DropReason.valueOf(drop.reason())) {
            case QUEUE_FULL ->
                    congested
                            ? "tail drop: three senders offer more than one port can send"
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
