package io.headgate.perf.forwarding;

import io.headgate.control.report.Environment;
import io.headgate.control.report.Table;
import io.headgate.dataplane.device.afxdp.FrameGenerator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A result as a person reads it, and as a program does. */
public final class ForwardingReport {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final double MEGA = 1e6;
    private static final double NS_PER_US = 1e3;

    private ForwardingReport() {}

    /** Everything, raw measurements included; units are part of the names. */
    public static String toJson(ForwardingResult result) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("benchmark", "forwarding, after RFC 2544");
        map.put("environment", Environment.here());
        map.put("plan", result.plan());
        map.put(
                "generator",
                Map.of(
                        "kind", "XDP program run on live frames",
                        "batchFrames", FrameGenerator.BATCH_FRAMES,
                        "flows", FrameGenerator.FLOWS,
                        "maxCatchUpNs", FrameGenerator.MAX_CATCH_UP_NS,
                        "aloneFps", result.generatorAloneFps()));
        map.put("subjects", result.subjects());
        map.put("notMeasured", result.missing());
        map.put("headgateConfigurations", result.headgateConfigs());
        map.put("comparisons", result.comparisons());
        map.put("measurements", result.measurements());
        return JSON.writeValueAsString(map);
    }

    /** Tables of medians and ratios. */
    public static String toText(ForwardingResult result) {
        StringBuilder text = new StringBuilder();
        BenchPlan plan = result.plan();
        text.append("Forwarding after RFC 2544, two ports, one direction\n");
        text.append(Environment.here().toText());
        text.append(
                String.format(
                        Locale.ROOT,
                        "  generator, sink and probes on core %d, forwarding on core %d;"
                                + " %d round(s)%n",
                        plan.generatorCore(),
                        plan.deviceCore(),
                        plan.pairs()));
        subjects(text, result);
        text.append("\nMedians over the rounds\n").append(medians(result).indented(2));
        text.append(
                "  sizes with FCS; * the device took all the generator had; added latency: round"
                        + " trip less the wire's\n");
        Table ratios = ratios(result);
        text.append("\nHeadgate against each peer, paired within rounds\n");
        text.append(ratios.indented(2));
        text.append("  throughput: above 1 Headgate forwards more; round trip: below 1 faster\n");
        return text.toString();
    }

    private static void subjects(StringBuilder text, ForwardingResult result) {
        text.append("\nMeasured\n");
        for (ForwardingResult.Subject subject : result.subjects()) {
            text.append(
                    String.format(
                            "  %s (%s), %s%n",
                            subject.name(), subject.attachment(), subject.version()));
            subject.commands().forEach(command -> text.append("    " + command + "\n"));
        }
        if (!result.missing().isEmpty()) {
            text.append("\nNot measured\n");
            result.missing().forEach(sentence -> text.append("  " + sentence + "\n"));
        }
        text.append("\nGenerator alone, dropped on arrival\n");
        Table alone = new Table(">size (bytes)", ">sent (Mframe/s)");
        result.generatorAloneFps()
                .forEach((size, fps) -> alone.row(Integer.toString(size), mega(fps)));
        text.append(alone.indented(2));
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
                        number("%.2f", saturated * size * Byte.SIZE / 1e9),
                        mega(result.median(subject, size, Measurement::zeroLossFps)),
                        micros(result.median(subject, size, Measurement::addedP50Ns)),
                        micros(result.median(subject, size, Measurement::addedP99Ns)),
                        micros(result.median(subject, size, Measurement::addedP999Ns)),
                        micros(result.median(subject, size, Measurement::wireP50Ns)),
                        number("%.0f", result.median(subject, size, Measurement::probesLost)));
            }
        }
        return table;
    }

    private static Table ratios(ForwardingResult result) {
        Table table =
                new Table(
                        "Headgate on",
                        "peer",
                        ">size (bytes)",
                        "measure",
                        ">median ratio",
                        ">90 % interval",
                        ">pairs");
        for (ForwardingResult.Comparison comparison : result.comparisons()) {
            Ratio ratio = comparison.ratio();
            table.row(
                    comparison.attachment(),
                    comparison.peer(),
                    Integer.toString(comparison.sizeBytes()),
                    switch (comparison.metric()) {
                        case "saturated" -> "saturated throughput";
                        case "zeroLoss" -> "zero-loss throughput";
                        default -> "round trip p50";
                    },
                    number("%.3f", ratio.median()),
                    number("%.3f", ratio.low()) + " to " + number("%.3f", ratio.high()),
                    Integer.toString(ratio.pairs()));
        }
        return table;
    }

    private static String mega(double fps) {
        return number("%.3f", fps / MEGA);
    }

    private static String micros(double ns) {
        return number("%.2f", ns / NS_PER_US);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
