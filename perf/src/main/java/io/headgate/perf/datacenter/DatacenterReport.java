package io.headgate.perf.datacenter;

import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.report.Environment;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.HolLab.Comparison;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A result as a person reads it, and as a program does. */
public final class DatacenterReport {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final double MEGA = 1e6;

    private DatacenterReport() {}

    /** Everything, every round included; units are part of the names. */
    public static String toJson(DatacenterResult result) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("benchmark", "data center, after RFC 8239");
        map.put("environment", Environment.here());
        map.put("plan", result.plan());
        Map<String, Object> configs = new LinkedHashMap<>();
        result.configs().forEach((test, config) -> configs.put(test, SwitchConfigs.toMap(config)));
        map.put("switchConfigurations", configs);
        map.put("problems", result.problems());
        map.put("buffering", result.buffering());
        map.put("microburst", result.microbursts());
        HeadOfLine.Result headOfLine = result.headOfLine();
        map.put("headOfLine", headOfLine == null ? List.of() : headOfLine.comparisons());
        map.put("incast", result.incasts());
        return JSON.writeValueAsString(map);
    }

    /** A table for each test, and what is to be read in it. */
    public static String toText(DatacenterResult result) {
        StringBuilder text = new StringBuilder();
        text.append("Data center benchmarks after RFC 8239, four ports, AF_PACKET\n");
        text.append(Environment.here().toText());
        if (!result.buffering().isEmpty()) {
            buffering(text, result);
        }
        if (!result.microbursts().isEmpty()) {
            microbursts(text, result);
        }
        HeadOfLine.Result headOfLine = result.headOfLine();
        if (headOfLine != null) {
            headOfLine(text, headOfLine);
        }
        if (!result.incasts().isEmpty()) {
            incast(text, result);
        }
        if (!result.problems().isEmpty()) {
            text.append("\nProblems\n");
            result.problems().forEach(problem -> text.append("  ").append(problem).append('\n'));
        }
        return text.toString();
    }

    private static void buffering(StringBuilder text, DatacenterResult result) {
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
        text.append(
                String.format(
                        Locale.ROOT,
                        "%nBuffering (section 3), ports at %s Mb/s: frames held before the first"
                                + " drop, in all congested ports%n",
                        number("%.0f", result.plan().burstRateBps() / MEGA)));
        text.append(table.indented(2));
        text.append("  latency: of the last frame of a full buffer, by the ports' rate\n");
    }

    private static void microbursts(StringBuilder text, DatacenterResult result) {
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
        text.append(
                String.format(
                        Locale.ROOT,
                        "%nMicrobursts (section 4), ports at %s Mb/s: largest burst without loss%n",
                        number("%.0f", result.plan().burstRateBps() / MEGA)));
        text.append(table.indented(2));
        text.append("  by configuration: what fits, and what left while the burst came\n");
    }

    private static void headOfLine(StringBuilder text, HeadOfLine.Result result) {
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
        text.append(
                "\nHead-of-line blocking (section 5): two ports to two, one of them congested\n");
        text.append(table.indented(2));
        text.append("  the victim's own port is idle: less than 100 % is head-of-line blocking\n");
    }

    private static void incast(StringBuilder text, DatacenterResult result) {
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
        text.append(
                String.format(
                        Locale.ROOT,
                        "%nIncast (section 6), ports at %s Mb/s: goodput of stateful flows, latency"
                                + " of a stateless one beside them%n",
                        number("%.0f", result.plan().flowRateBps() / MEGA)));
        text.append(table.indented(2));
        text.append("  full queue: what a frame waits behind a full queue of full-size frames\n");
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
