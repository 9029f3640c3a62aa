package io.headgate.perf.virtual;

import static io.headgate.control.report.Table.cell;
import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Writes a result for people and for programs. */
public final class VirtualReport {
    private static final double MEGA = 1e6;
    private static final double KILO = 1e3;
    private static final double NS_PER_S = 1e9;

    private VirtualReport() {}

    /**
     * The report: tables of medians and ratios for people, and every measurement for programs.
     *
     * @param command the command line
     */
    public static RunReport of(VirtualResult result, String command) {
        RunReport report = new RunReport(command);
        report.measures();
        report.options(Map.of("plan", result.plan()));
        report.add(programs(result));
        for (NetworkCase network : result.plan().networks()) {
            report.add(
                    new Section(
                            network.title(),
                            result.trials().stream()
                                    .filter(trial -> trial.network().equals(network.word()))
                                    .toList(),
                            network.traffic(),
                            rates(result, network.word())));
        }
        report.add(
                new Section(
                        "Times",
                        List.of(),
                        "run: from the first event to the last, for Headgate once compiled; first"
                                + " run: the same in a new JVM;\n"
                                + "whole: from the start of the process to the end of its first"
                                + " run"));
        if (!result.comparisons().isEmpty()) {
            report.add(
                    new Section(
                            "Headgate's speed in terms of the other's, paired within rounds",
                            result.comparisons(),
                            ratios(result)));
        }
        if (!result.parted().isEmpty()) {
            report.add(
                    new Section(
                            "Several threads in terms of one, paired within rounds",
                            result.parted(),
                            parted(result)));
        }
        report.add(new Section("Memory of an idle host", result.idleHostBytes(), idle(result)));
        report.add(growth(result));
        headlines(result, report);
        return report;
    }

    private static Section programs(VirtualResult result) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "all on core %d%s, %d round(s)"
                        .formatted(
                                result.plan().core(),
                                result.plan().threadCores().isEmpty()
                                        ? ""
                                        : ", several threads on " + result.plan().threadCores(),
                                result.plan().rounds()));
        if (!result.ns3Version().isEmpty()) {
            lines.add(result.ns3Version());
        }
        result.commands().forEach(command -> lines.add("$ " + command));
        lines.addAll(result.missing());
        return new Section(
                "Measured",
                Map.of(
                        "ns3", result.ns3Version(),
                        "commands", result.commands(),
                        "notMeasured", result.missing()),
                String.join("\n", lines));
    }

    private static String idle(VirtualResult result) {
        return String.format(Locale.ROOT, "%.1f kB", result.idleHostBytes() / KILO);
    }

    private static Section growth(VirtualResult result) {
        Map<String, Double> growths = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        for (Queues queues : Queues.values()) {
            double growth = result.costGrowth(queues.simulator());
            if (!Double.isNaN(growth)) {
                growths.put(queues.word(), growth);
                lines.add(String.format(Locale.ROOT, "%s: %.2f times", queues.word(), growth));
            }
        }
        return new Section("Cost of a hop, 1,024 hosts to 4", growths, String.join("\n", lines));
    }

    /** The fastest network's rate, the first comparison, and memory. */
    private static void headlines(VirtualResult result, RunReport report) {
        for (Queues queues : Queues.values()) {
            result.plan().networks().stream()
                    .mapToDouble(network ->
                            result.median(network.word(), queues.simulator(), Trial::hopsPerSec))
                    .filter(rate -> !Double.isNaN(rate))
                    .max()
                    .ifPresent(rate ->
                            report.headline(
                                    "frame-hops per second, " + queues.word() + ", at best",
                                    cell("%.2f", rate / MEGA) + " million"));
        }
        report.headline("memory of an idle host", idle(result));
    }

    private static Table rates(VirtualResult result, String network) {
        return Table.of(
                result.simulators(network),
                column("simulator", simulator -> simulator),
                median(">hops (M)", "%.3f", result, network, one -> one.hops() / MEGA),
                median(">dropped (M)", "%.3f", result, network, one -> one.dropped() / MEGA),
                median(">set-up (s)", "%.2f", result, network, Trial::setUpSeconds),
                median(">run (s)", "%.2f", result, network, Trial::runSeconds),
                median(">rate (M hops/s)", "%.2f", result, network, one -> one.hopsPerSec() / MEGA),
                number(
                        ">(ns/hop)",
                        "%.0f",
                        simulator ->
                                NS_PER_S / result.median(network, simulator, Trial::hopsPerSec)),
                median(">first run (s)", "%.2f", result, network, Trial::firstRunSeconds),
                median(">whole (s)", "%.2f", result, network, Trial::wallSeconds),
                median(">memory (MB)", "%.0f", result, network, VirtualReport::megabytes));
    }

    private static double megabytes(Trial trial) {
        return trial.peakBytes() < 0 ? Double.NaN : trial.peakBytes() / MEGA;
    }

    private static Column<String> median(
            String heading,
            String format,
            VirtualResult result,
            String network,
            ToDoubleFunction<Trial> value) {
        return number(heading, format, simulator -> result.median(network, simulator, value));
    }

    private static Table parted(VirtualResult result) {
        return Table.of(
                result.parted(),
                column("network", VirtualResult.Parted::network),
                column("by", VirtualResult.Parted::simulator),
                number(">once compiled", "%.2f", one -> one.rate().median()),
                column(">90 % interval", one -> one.rate().interval("%.2f")),
                column(">pairs", one -> one.rate().pairs()));
    }

    private static Table ratios(VirtualResult result) {
        return Table.of(
                result.comparisons(),
                column("network", VirtualResult.Comparison::network),
                column("compared with", VirtualResult.Comparison::simulator),
                number(">once compiled", "%.1f", one -> one.rate().median()),
                column(">90 % interval", one -> one.rate().interval("%.1f")),
                number(">first run", "%.1f", one -> one.firstRun().median()),
                number(">whole process", "%.1f", one -> one.wall().median()),
                column(">pairs", one -> one.rate().pairs()));
    }
}
