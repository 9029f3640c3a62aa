package io.headgate.perf.datacenter;

import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.HolLab.Comparison;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A result as a person reads it, and as a program does. */
public final class DatacenterReport {
    private static final double MEGA = 1e6;

    private DatacenterReport() {}

    /**
     * The report: a table for each test, what is to be read in it, and every round for programs.
     *
     * @param command the command line
     */
    public static RunReport of(DatacenterResult result, String command) {
        RunReport report = new RunReport(command);
        report.options(Map.of("plan", result.plan()));
        result.problems().forEach(report::problem);
        if (!result.buffering().isEmpty()) {
            report.add(buffering(result));
        }
        if (!result.microbursts().isEmpty()) {
            report.add(microbursts(result));
        }
        HeadOfLine.Result headOfLine = result.headOfLine();
        if (headOfLine != null) {
            report.add(headOfLine(headOfLine));
            headOfLine
                    .comparisons()
                    .forEach(one ->
                            report.headline(
                                    "of what the victim asks for, with "
                                            + HeadOfLine.word(one.mode()),
                                    number("%.0f", 100 * one.victimShare()) + " %"));
        }
        if (!result.incasts().isEmpty()) {
            report.add(incast(result));
        }
        Map<String, Object> configs = new LinkedHashMap<>();
        result.configs().forEach((test, config) -> configs.put(test, SwitchConfigs.toMap(config)));
        report.add(new Section("Configurations", configs, ""));
        return report;
    }

    private static Section buffering(DatacenterResult result) {
        Table table =
                new Table(
                        "ports",
                        ">size (bytes)",
                        ">round",
                        ">held (frames)",
                        ">by configuration",
                        ">ratio",
                        ">held (bytes)",
                        ">latency (ms)",
                        "bound by");
        for (Buffering.Result one : result.buffering()) {
            table.row(
                    one.pattern(),
                    Integer.toString(one.sizeBytes()),
                    Integer.toString(one.round()),
                    Long.toString(one.foundFrames()),
                    Long.toString(one.expectedFrames()),
                    number("%.3f", one.ratio()),
                    Long.toString(one.foundBytes()),
                    number("%.1f", one.latencyMs()),
                    one.bound());
        }
        return new Section(
                "Buffering (section 3)",
                result.buffering(),
                String.format(
                        Locale.ROOT,
                        "ports at %.0f Mb/s: frames held before the first drop, in all congested"
                                + " ports; latency: of the last frame of a full buffer, by the"
                                + " ports' rate",
                        result.plan().burstRateBps() / MEGA),
                table);
    }

    private static Section microbursts(DatacenterResult result) {
        Table table =
                new Table(
                        "ports",
                        ">size (bytes)",
                        ">round",
                        ">burst a port (frames)",
                        ">by configuration",
                        ">ratio",
                        ">left meanwhile",
                        ">held at its end",
                        ">lost of one more step");
        for (Microburst.Result one : result.microbursts()) {
            table.row(
                    one.pattern(),
                    Integer.toString(one.sizeBytes()),
                    Integer.toString(one.round()),
                    Long.toString(one.burstFrames()),
                    Long.toString(one.expectedFrames()),
                    number("%.3f", one.ratio()),
                    Long.toString(one.drainedFrames()),
                    Long.toString(one.heldFrames()),
                    one.lost() + " of " + one.lossAtFrames() * one.senders());
        }
        return new Section(
                "Microbursts (section 4)",
                result.microbursts(),
                String.format(
                        Locale.ROOT,
                        "ports at %.0f Mb/s: largest burst without loss; by configuration: what"
                                + " fits, and what left while the burst came",
                        result.plan().burstRateBps() / MEGA),
                table);
    }

    private static Section headOfLine(HeadOfLine.Result result) {
        Table table =
                new Table(
                        "flow control",
                        ">victim asks (Mb/s)",
                        ">victim gets (Mb/s)",
                        ">of it (%)",
                        ">victim lost (datagrams)",
                        ">congested port (Mb/s)",
                        ">lost in all (frames)");
        for (Comparison one : result.comparisons()) {
            table.row(
                    HeadOfLine.word(one.mode()),
                    number("%.1f", one.victimOfferedBps() / MEGA),
                    number("%.1f", one.victimBps() / MEGA),
                    number("%.0f", 100 * one.victimShare()),
                    Long.toString(one.victimLost()),
                    number("%.1f", one.congestedBps() / MEGA),
                    Long.toString(one.lostFrames()));
        }
        return new Section(
                "Head-of-line blocking (section 5)",
                result.comparisons(),
                "two ports to two, one of them congested; the victim's own port is idle: less than"
                        + " 100 % is head-of-line blocking",
                table);
    }

    private static Section incast(DatacenterResult result) {
        Table table =
                new Table(
                        ">TCP flows",
                        "UDP flow's priority",
                        ">goodput (Mb/s)",
                        ">limit (Mb/s)",
                        ">fairness",
                        ">sent again",
                        ">p50 (ms)",
                        ">p99 (ms)",
                        ">longest (ms)",
                        ">lost",
                        ">full queue (ms)",
                        ">dropped");
        for (Incast.Result one : result.incasts()) {
            boolean any = one.statefulFlows() > 0;
            table.row(
                    Integer.toString(one.statefulFlows()),
                    one.ownPriority() ? "higher" : "the same",
                    any ? number("%.1f", one.totalGoodputBps() / MEGA) : "-",
                    number("%.1f", one.goodputLimitBps() / MEGA),
                    any ? number("%.3f", one.fairness()) : "-",
                    Long.toString(one.retransmits()),
                    number("%.2f", one.latency().p50Us() / 1e3),
                    number("%.2f", one.latency().p99Us() / 1e3),
                    number("%.2f", one.latency().maxUs() / 1e3),
                    one.latency().lost() + " of " + one.latency().sent(),
                    number("%.1f", one.fullQueueMs()),
                    Long.toString(one.dropped()));
        }
        return new Section(
                "Incast (section 6)",
                result.incasts(),
                String.format(
                        Locale.ROOT,
                        "ports at %.0f Mb/s: goodput of stateful flows, latency of a stateless one"
                                + " beside them; full queue: what a frame waits behind a full queue"
                                + " of full-size frames",
                        result.plan().flowRateBps() / MEGA),
                table);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
