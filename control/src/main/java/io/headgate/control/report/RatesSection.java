package io.headgate.control.report;

import static io.headgate.control.report.Table.column;

import io.headgate.dataplane.frame.RoccNotice;
import io.headgate.hostagent.rate.FlowRates;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The rates of a host's flows, and the congestion points that set them. */
public final class RatesSection {
    private static final long NS_PER_MS = 1_000_000;

    private RatesSection() {}

    /**
     * A flow, for programs.
     *
     * @param sinceNoticeMs time since the last notice that was obeyed; -1: there was none
     */
    public record Row(
            String protocol,
            String source,
            int sourcePort,
            String destination,
            int destinationPort,
            long rateBps,
            boolean limited,
            String congestionPoint,
            long notices,
            long sinceNoticeMs,
            int waitingFrames) {}

    /** The flows, limited ones first, the slowest before the others. */
    public static List<Row> shown(List<FlowRates.Row> rows) {
        long nowNs = System.nanoTime();
        return rows.stream()
                .map(row -> row(row, nowNs))
                .sorted(
                        Comparator.comparing(Row::limited)
                                .reversed()
                                .thenComparingLong(Row::rateBps)
                                .thenComparing(Row::source)
                                .thenComparingInt(Row::sourcePort))
                .toList();
    }

    private static Row row(FlowRates.Row flow, long nowNs) {
        boolean isNew = flow.noticedNs() == 0;
        return new Row(
                FlowText.protocol(flow.protocol()),
                FlowText.address(flow.sourceHigh(), flow.sourceLow()),
                flow.sourcePort(),
                FlowText.address(flow.destinationHigh(), flow.destinationLow()),
                flow.destinationPort(),
                flow.rateBps(),
                flow.isLimited(),
                flow.followed() == 0 ? "" : point(flow.followed(), flow.destinationHigh() == 0),
                flow.notices(),
                isNew ? -1 : Math.max(0, nowNs - flow.noticedNs()) / NS_PER_MS,
                flow.waitingFrames());
    }

    private static String point(long followed, boolean isIpv4) {
        // For an IPv6 address, a point's number holds only these 32 bits.
        String by =
                isIpv4
                        ? FlowText.address(0, followed >>> Integer.SIZE)
                        : "IPv6 no. %08x".formatted(followed >>> Integer.SIZE);
        int point = (int) followed;
        return "%s p%d priority %d"
                .formatted(by, RoccNotice.portOf(point), RoccNotice.queueOf(point));
    }

    public static String table(List<FlowRates.Row> rows) {
        return Table.of(
                        shown(rows),
                        column(
                                "flow",
                                row ->
                                        FlowText.of(
                                                row.protocol,
                                                row.source,
                                                row.sourcePort,
                                                row.destination,
                                                row.destinationPort)),
                        column(
                                ">rate (Mb/s)",
                                row ->
                                        String.format(Locale.ROOT, "%.3f", row.rateBps / 1e6)
                                                + (row.limited ? "" : " (line)")),
                        column(
                                "congestion point",
                                row ->
                                        row.congestionPoint.isEmpty()
                                                ? "none"
                                                : row.congestionPoint),
                        column(">notices", row -> row.notices),
                        column(
                                ">last (ms ago)",
                                row ->
                                        row.sinceNoticeMs < 0
                                                ? "-"
                                                : Long.toString(row.sinceNoticeMs)),
                        column(">waiting (frames)", row -> row.waitingFrames))
                .toString();
    }
}
