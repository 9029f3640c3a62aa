package io.headgate.perf.forwarding;

import static io.headgate.control.report.Table.cell;
import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.device.afxdp.FrameGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes a result for people and for programs. */
public final class ForwardingReport {
    private static final double MEGA = 1e6;
    private static final double NS_PER_US = 1e3;

    private ForwardingReport() {}

    /**
     * The report: tables of medians and ratios for people, and raw measurements for programs.
     *
     * @param command the command line
     */
    public static RunReport of(ForwardingResult result, String command) {
        BenchPlan plan = result.plan();
        RunReport report = new RunReport(command);
        report.measures();
        report.options(Map.of("plan", plan));
        report.add(subjects(result));
        if (!result.missing().isEmpty()) {
            report.add(
                    new Section(
                            "Not measured", result.missing(), String.join("\n", result.missing())));
        }
        report.add(generator(result));
        report.add(
                new Section(
                        "Medians over the rounds",
                        result.measurements(),
                        "sizes with FCS; * the device accepted all frames of the generator; added"
                                + " latency: round trip minus that of a wire",
                        medians(result)));
        report.add(
                new Section(
                        "Headgate against each peer, paired within rounds",
                        result.comparisons(),
                        "throughput: above 1, Headgate forwards more; round trip: below 1, Headgate"
                                + " is faster",
                        ratios(result)));
        report.add(new Section("Headgate's configurations", result.headgateConfigs(), ""));
        headlines(result, report);
        return report;
    }

    /** The rate at which Headgate forwards the smallest frames, on each of its devices. */
    private static void headlines(ForwardingResult result, RunReport report) {
        int size = result.plan().sizesBytes().stream().min(Integer::compare).orElseThrow();
        for (ForwardingResult.Subject subject : result.subjects()) {
            double fps = result.median(subject.name(), size, Measurement::forwardedFps);
            if (subject.name().startsWith("Headgate") && !Double.isNaN(fps)) {
                report.headline(
                        subject.name() + ", frames of " + size + " bytes", mega(fps) + " Mframe/s");
            }
        }
    }

    private static Section subjects(ForwardingResult result) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "two ports, one direction; generator, sink and probes on core %d, forwarding on core"
                                .formatted(result.plan().generatorCore())
                        + " %d; %d round(s)"
                                .formatted(result.plan().deviceCore(), result.plan().pairs()));
        for (ForwardingResult.Subject subject : result.subjects()) {
            lines.add(
                    "%s (%s), %s"
                            .formatted(subject.name(), subject.attachment(), subject.version()));
            subject.commands().forEach(command -> lines.add("  " + command));
        }
        return new Section(
                "Forwarding after RFC 2544", result.subjects(), String.join("\n", lines));
    }

    private static Section generator(ForwardingResult result) {
        Table alone = new Table(">size (bytes)", ">sent (Mframe/s)");
        result.generatorAloneFps()
                .forEach((size, fps) -> alone.row(Integer.toString(size), mega(fps)));
        return new Section(
                "Generator alone, dropped on arrival",
                Map.of(
                        "kind", "XDP program run on live frames",
                        "batchFrames", FrameGenerator.BATCH_FRAMES,
                        "flows", FrameGenerator.FLOWS,
                        "maxCatchUpNs", FrameGenerator.MAX_CATCH_UP_NS,
                        "aloneFps", result.generatorAloneFps()),
                alone);
    }

    private static Table medians(ForwardingResult result) {
        Table table =
                new Table(
                        ">size (bytes)",
                        "device",
                        ">offered (Mframe/s)",
                        ">saturated (Mframe/s)",
                        ">(Gb/s)",
                        ">zero loss (Mframe/s)",
                        ">added p50 (µs)",
                        ">p99 (µs)",
                        ">p99.9 (µs)",
                        ">wire p50 (µs)",
                        ">probes lost");
        for (int size : result.plan().sizesBytes()) {
            for (String subject : result.measuredSubjects()) {
                double saturated = result.median(subject, size, Measurement::forwardedFps);
                double offered = result.median(subject, size, Measurement::offeredFps);
                table.row(
                        Integer.toString(size),
                        subject,
                        mega(offered),
                        mega(saturated) + (saturated > 0.99 * offered ? "*" : ""),
                        cell("%.2f", saturated * size * Byte.SIZE / 1e9),
                        mega(result.median(subject, size, Measurement::zeroLossFps)),
                        micros(result.median(subject, size, Measurement::addedP50Ns)),
                        micros(result.median(subject, size, Measurement::addedP99Ns)),
                        micros(result.median(subject, size, Measurement::addedP999Ns)),
                        micros(result.median(subject, size, Measurement::wireP50Ns)),
                        cell("%.0f", result.median(subject, size, Measurement::probesLost)));
            }
        }
        return table;
    }

    private static Table ratios(ForwardingResult result) {
        return Table.of(
                result.comparisons(),
                column("Headgate on", ForwardingResult.Comparison::attachment),
                column("peer", ForwardingResult.Comparison::peer),
                column(">size (bytes)", ForwardingResult.Comparison::sizeBytes),
                column(
                        "measure",
                        one ->
                                switch (one.metric()) {
                                    case "saturated" -> "saturated throughput";
                                    case "zeroLoss" -> "zero-loss throughput";
                                    default -> "round trip p50";
                                }),
                number(">median ratio", "%.3f", one -> one.ratio().median()),
                column(">90 % interval", one -> one.ratio().interval("%.3f")),
                column(">pairs", one -> one.ratio().pairs()));
    }

    private static String mega(double fps) {
        return cell("%.3f", fps / MEGA);
    }

    private static String micros(double ns) {
        return cell("%.2f", ns / NS_PER_US);
    }
}
