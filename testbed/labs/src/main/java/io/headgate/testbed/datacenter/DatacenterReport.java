package io.headgate.testbed.datacenter;

import static io.headgate.control.report.Table.cell;
import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes a result for people and for programs. */
public final class DatacenterReport {
    private static final double MEGA = 1e6;

    private DatacenterReport() {}

    /**
     * The report: a table for each test, how to read it, and every round for programs.
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
                    .trials()
                    .forEach(one ->
                            report.headline(
                                    "of what the victim asks for, with " + one.word(),
                                    cell("%.0f", 100 * one.victimShare()) + " %"));
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
                Table.of(
                        result.buffering(),
                        column("ports", one -> one.pattern()),
                        column(">size (bytes)", one -> one.sizeBytes()),
                        column(">round", one -> one.round()),
                        column(">held (frames)", one -> one.foundFrames()),
                        column(">by configuration", one -> one.expectedFrames()),
                        number(">ratio", "%.3f", one -> one.ratio()),
                        column(">held (bytes)", one -> one.foundBytes()),
                        number(">latency (ms)", "%.1f", one -> one.latencyMs()),
                        column("bound by", one -> one.bound()));
        return new Section(
                "Buffering (section 3)",
                result.buffering(),
                String.format(
                        Locale.ROOT,
                        "ports at %.0f Mb/s: frames held before the first drop, in all congested"
                                + " ports; latency: of the last frame of a full buffer, computed"
                                + " from the ports' rate",
                        result.plan().burstRateBps() / MEGA),
                table);
    }

    private static Section microbursts(DatacenterResult result) {
        Table table =
                Table.of(
                        result.microbursts(),
                        column("ports", one -> one.pattern()),
                        column(">size (bytes)", one -> one.sizeBytes()),
                        column(">round", one -> one.round()),
                        column(">burst a port (frames)", one -> one.burstFrames()),
                        column(">by configuration", one -> one.expectedFrames()),
                        number(">ratio", "%.3f", one -> one.ratio()),
                        column(">left meanwhile", one -> one.drainedFrames()),
                        column(">held at its end", one -> one.heldFrames()),
                        column(
                                ">lost of one more step",
                                one -> one.lost() + " of " + one.lossAtFrames() * one.senders()));
        return new Section(
                "Microbursts (section 4)",
                result.microbursts(),
                String.format(
                        Locale.ROOT,
                        "ports at %.0f Mb/s: largest burst without loss; by configuration: the"
                                + " frames that fit, plus those that left during the burst",
                        result.plan().burstRateBps() / MEGA),
                table);
    }

    private static Section headOfLine(HeadOfLine.Result result) {
        Table table =
                Table.of(
                        result.trials(),
                        column("flow control", one -> one.word()),
                        number(">victim asks (Mb/s)", "%.1f", one -> one.victimOfferedBps() / MEGA),
                        number(">victim gets (Mb/s)", "%.1f", one -> one.victimBps() / MEGA),
                        number(">of it (%)", "%.0f", one -> 100 * one.victimShare()),
                        column(">victim lost (datagrams)", one -> one.victimLost()),
                        number(">congested port (Mb/s)", "%.1f", one -> one.congestedBps() / MEGA),
                        column(">lost in all (frames)", one -> one.lostFrames()));
        return new Section(
                "Head-of-line blocking (section 5)",
                result.trials(),
                "two ports to two, one of them congested; the victim's own port is idle: less than"
                        + " 100 % is head-of-line blocking",
                table);
    }

    private static Section incast(DatacenterResult result) {
        Table table =
                Table.of(
                        result.incasts(),
                        column(">TCP flows", Incast.Result::statefulFlows),
                        column(
                                "UDP flow's priority",
                                one -> one.ownPriority() ? "higher" : "the same"),
                        column(
                                ">goodput (Mb/s)",
                                one ->
                                        one.statefulFlows() > 0
                                                ? cell("%.1f", one.totalGoodputBps() / MEGA)
                                                : "-"),
                        number(">limit (Mb/s)", "%.1f", one -> one.goodputLimitBps() / MEGA),
                        column(
                                ">fairness",
                                one ->
                                        one.statefulFlows() > 0
                                                ? cell("%.3f", one.fairness())
                                                : "-"),
                        column(">sent again", Incast.Result::retransmits),
                        number(">p50 (ms)", "%.2f", one -> one.latency().p50Us() / 1e3),
                        number(">p99 (ms)", "%.2f", one -> one.latency().p99Us() / 1e3),
                        number(">longest (ms)", "%.2f", one -> one.latency().maxUs() / 1e3),
                        column(
                                ">lost",
                                one -> one.latency().lost() + " of " + one.latency().sent()),
                        number(">full queue (ms)", "%.1f", one -> one.fullQueueMs()),
                        column(">dropped", Incast.Result::dropped));
        return new Section(
                "Incast (section 6)",
                result.incasts(),
                String.format(
                        Locale.ROOT,
                        "ports at %.0f Mb/s: goodput of stateful flows, latency of a stateless one"
                                + " with them; full queue: the time that a frame waits behind a"
                                + " full queue of full-size frames",
                        result.plan().flowRateBps() / MEGA),
                table);
    }
}
