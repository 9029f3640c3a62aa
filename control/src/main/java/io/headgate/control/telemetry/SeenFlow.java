package io.headgate.control.telemetry;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.report.FlowText;
import io.headgate.control.report.Table;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.hostagent.telemetry.FlowPaths;
import io.headgate.hostagent.telemetry.PathWatch;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A flow that came to a host, with the ports by which its last frame came: for programs, and as
 * text.
 *
 * @param frames frames with telemetry
 * @param agoMs time since the last of them, in ms
 * @param isCut whether the frame says that some port on the path is missing
 * @param hops the first port first
 */
public record SeenFlow(
        String protocol,
        String source,
        int sourcePort,
        String destination,
        int destinationPort,
        long frames,
        long agoMs,
        boolean isCut,
        List<Hop> hops) {
    private static final long NS_PER_MS = 1_000_000;

    /**
     * A port; -1 for values that it did not report.
     *
     * @param in the port by which the frame came
     * @param out the port by which it left
     * @param queueBytes bytes that waited behind the frame
     * @param mostQueueBytes maximum of {@code queueBytes} since the flow came by this port
     * @param usePercent how much of the link was used
     * @param latencyNs time that the frame was in the switch
     * @param timeNs when the frame left, by the switch's clock
     * @param rateBps rate of the link
     */
    public record Hop(
            String node,
            String in,
            String out,
            int priority,
            long queueBytes,
            long mostQueueBytes,
            double usePercent,
            long latencyNs,
            long timeNs,
            long rateBps) {
        static Hop of(FlowPaths.Hop hop, SwitchNumbers numbers) {
            return new Hop(
                    numbers.name(hop.node()),
                    numbers.port(hop.node(), hop.ingressPort()),
                    numbers.port(hop.node(), hop.egressPort()),
                    hop.queue(),
                    hop.queueBytes(),
                    hop.mostQueueBytes(),
                    hop.usePermille() < 0 ? -1 : hop.usePermille() / 10.0,
                    hop.latencyNs(),
                    hop.timeNs(),
                    hop.rateBps() == 0 ? -1 : hop.rateBps());
        }
    }

    private static SeenFlow of(FlowPaths.Flow flow, SwitchNumbers numbers, long nowNs) {
        FiveTuple key = flow.key();
        boolean isIpv6 = key.isIpv6();
        return new SeenFlow(
                FlowText.protocol(key.protocol()),
                isIpv6
                        ? FlowText.ipv6(key.word(1), key.word(2))
                        : FlowText.ipv4((int) (key.word(1) >>> Integer.SIZE)),
                (int) (key.word(0) >>> Short.SIZE) & 0xFFFF,
                isIpv6 ? FlowText.ipv6(key.word(3), key.word(4)) : FlowText.ipv4((int) key.word(1)),
                (int) key.word(0) & 0xFFFF,
                flow.frames(),
                Math.max(0, nowNs - flow.lastNs()) / NS_PER_MS,
                flow.isCut(),
                flow.hops().stream().map(hop -> Hop.of(hop, numbers)).toList());
    }

    /**
     * All flows that a host has seen, the latest first.
     *
     * @param nowNs by this machine's monotonic clock
     */
    public static List<SeenFlow> of(FlowPaths.View view, SwitchNumbers numbers, long nowNs) {
        return view.flows().stream()
                .map(flow -> of(flow, numbers, nowNs))
                .sorted(
                        Comparator.comparingLong(SeenFlow::agoMs)
                                .thenComparing(SeenFlow::source)
                                .thenComparingInt(SeenFlow::sourcePort))
                .toList();
    }

    /** The flow, such as {@code UDP 10.0.0.1:50000 to 10.0.0.2:4791}. */
    String name() {
        return FlowText.of(protocol, source, sourcePort, destination, destinationPort);
    }

    /** For a person: whole lines. */
    public static String text(List<SeenFlow> flows, long unnotedFrames) {
        StringBuilder text = new StringBuilder();
        for (SeenFlow flow : flows) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%s: %,d frames, the last %,d ms ago%n",
                            flow.name(),
                            flow.frames,
                            flow.agoMs));
            text.append(table(flow.hops).indented(2));
            if (flow.isCut) {
                text.append(
                        "  at least one port on the path is missing: the frame had no room for"
                                + " its record\n");
            }
        }
        if (unnotedFrames > 0) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%,d frames belonged to further flows: at most %d flows are recorded at"
                                    + " a time%n",
                            unnotedFrames,
                            PathWatch.FLOWS));
        }
        return text.toString();
    }

    private static Table table(List<Hop> hops) {
        return Table.of(
                hops,
                column("switch", Hop::node),
                column("in", Hop::in),
                column("out", Hop::out),
                column(">priority", hop -> hop.priority < 0 ? "-" : hop.priority),
                number(">queue (bytes)", "%,.0f", Hop::queueBytes),
                number(">most (bytes)", "%,.0f", Hop::mostQueueBytes),
                number(">use (%)", "%.1f", hop -> known(hop.usePercent)),
                number(">in the switch (us)", "%,.1f", hop -> known((double) hop.latencyNs) / 1e3),
                number(">rate (Gb/s)", "%.3f", hop -> known((double) hop.rateBps) / 1e9));
    }

    private static double known(double value) {
        return value < 0 ? Double.NaN : value;
    }
}
