package io.headgate.perf.virtual;

import io.headgate.control.report.Environment;
import io.headgate.control.report.Table;
import io.headgate.perf.forwarding.Ratio;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A result as a person reads it, and as a program does. */
public final class VirtualReport {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final double MEGA = 1e6;
    private static final double KILO = 1e3;
    private static final double NS_PER_S = 1e9;

    private VirtualReport() {}

    /** Everything, every measurement included; units are part of the names. */
    public static String toJson(VirtualResult result) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("benchmark", "frame-hops in virtual time");
        map.put("environment", Environment.here());
        map.put("plan", result.plan());
        map.put("ns3", result.ns3Version());
        map.put("commands", result.commands());
        map.put("notMeasured", result.missing());
        map.put("idleHostBytes", result.idleHostBytes());
        Map<String, Double> growth = new LinkedHashMap<>();
        for (Queues queues : Queues.values()) {
            growth.put(queues.word(), result.costGrowth(queues.simulator()));
        }
        map.put("costOfAHop1024To4Hosts", growth);
        map.put("comparisons", result.comparisons());
        map.put("trials", result.trials());
        return JSON.writeValueAsString(map);
    }

    /** Tables of medians and ratios. */
    public static String toText(VirtualResult result) {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "Frame-hops in virtual time, all on core %d, %d round(s)%n",
                        result.plan().core(),
                        result.plan().rounds()));
        text.append(Environment.here().toText());
        if (!result.ns3Version().isEmpty()) {
            text.append("  ").append(result.ns3Version()).append('\n');
        }
        result.commands().forEach(command -> text.append("  $ ").append(command).append('\n'));
        result.missing().forEach(sentence -> text.append("  ").append(sentence).append('\n'));
        for (NetworkCase network : result.plan().networks()) {
            text.append('\n').append(network.title()).append('\n');
            text.append("  ").append(network.traffic()).append('\n');
            text.append(rates(result, network.word()).indented(2));
        }
        text.append(
                "  run: from the first event to the last, ours once compiled; first run: the same"
                        + " in a new JVM;\n  whole: from the start of the process to the end of"
                        + " its first run\n");
        if (!result.comparisons().isEmpty()) {
            text.append("\nHeadgate's speed in terms of the other's, paired within rounds\n");
            text.append(ratios(result).indented(2));
        }
        text.append(
                String.format(
                        Locale.ROOT,
                        "%nMemory of an idle host: %.1f KB%n",
                        result.idleHostBytes() / KILO));
        for (Queues queues : Queues.values()) {
            double growth = result.costGrowth(queues.simulator());
            if (!Double.isNaN(growth)) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                "Cost of a hop, 1,024 hosts to 4, %s: %.2f%n",
                                queues.word(),
                                growth));
            }
        }
        return text.toString();
    }

    private static Table rates(VirtualResult result, String network) {
        Table table =
                new Table(
                        "simulator",
                        ">hops (M)",
                        ">dropped (M)",
                        ">set-up (s)",
                        ">run (s)",
                        ">rate (M hops/s)",
                        ">(ns a hop)",
                        ">first run (s)",
                        ">whole (s)",
                        ">memory (MB)");
        for (String simulator : result.simulators(network)) {
            double rate = result.median(network, simulator, Trial::hopsPerSec);
            table.row(
                    simulator,
                    number("%.3f", result.median(network, simulator, Trial::hops) / MEGA),
                    number("%.3f", result.median(network, simulator, Trial::dropped) / MEGA),
                    number("%.2f", result.median(network, simulator, Trial::setUpSeconds)),
                    number("%.2f", result.median(network, simulator, Trial::runSeconds)),
                    number("%.2f", rate / MEGA),
                    number("%.0f", NS_PER_S / rate),
                    number("%.2f", result.median(network, simulator, Trial::firstRunSeconds)),
                    number("%.2f", result.median(network, simulator, Trial::wallSeconds)),
                    number("%.0f", result.median(network, simulator, Trial::peakBytes) / MEGA));
        }
        return table;
    }

    private static Table ratios(VirtualResult result) {
        Table table =
                new Table(
                        "network",
                        "beside",
                        ">once compiled",
                        ">90 % interval",
                        ">first run",
                        ">whole process",
                        ">pairs");
        for (VirtualResult.Comparison comparison : result.comparisons()) {
            Ratio rate = comparison.rate();
            table.row(
                    comparison.network(),
                    comparison.simulator(),
                    number("%.1f", rate.median()),
                    number("%.1f", rate.low()) + " to " + number("%.1f", rate.high()),
                    number("%.1f", comparison.firstRun().median()),
                    number("%.1f", comparison.wall().median()),
                    Integer.toString(rate.pairs()));
        }
        return table;
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
