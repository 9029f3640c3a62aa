package io.headgate.perf.forwarding;

import io.headgate.control.report.Median;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * All results of a run.
 *
 * @param subjects what was measured, and by which commands it was set up
 * @param missing what was not measured, and why, a sentence each
 * @param headgateConfigs the switch's resolved configuration by name and attachment
 * @param generatorAloneFps the generator by itself, by frame size, in frames a second
 */
public record ForwardingResult(
        BenchPlan plan,
        List<Subject> subjects,
        List<String> missing,
        Map<String, Object> headgateConfigs,
        Map<Integer, Double> generatorAloneFps,
        List<Measurement> measurements) {

    private static final String OURS = "Headgate";

    /** A device that was measured. */
    public record Subject(String name, String attachment, String version, List<String> commands) {}

    /**
     * Headgate compared with a peer.
     *
     * @param metric {@code saturated} and {@code zeroLoss}: above 1 Headgate forwards more; {@code
     *     roundTripP50}: below 1 Headgate is faster
     */
    public record Comparison(
            String attachment, String peer, int sizeBytes, String metric, Ratio ratio) {}

    public ForwardingResult {
        subjects = List.copyOf(subjects);
        missing = List.copyOf(missing);
        headgateConfigs = new LinkedHashMap<>(headgateConfigs);
        generatorAloneFps = new LinkedHashMap<>(generatorAloneFps);
        measurements = List.copyOf(measurements);
    }

    /** The subjects' names in the order in which they were measured first. */
    public Set<String> measuredSubjects() {
        Set<String> names = new LinkedHashSet<>();
        measurements.forEach(measurement -> names.add(measurement.subject()));
        return names;
    }

    /**
     * The median over the rounds of one number of one subject at one size; NaN if it was not
     * measured.
     */
    public double median(String subject, int sizeBytes, ToDoubleFunction<Measurement> number) {
        return Median.of(
                measurements.stream()
                        .filter(m -> m.subject().equals(subject) && m.sizeBytes() == sizeBytes)
                        .mapToDouble(number)
                        .filter(value -> value != -1));
    }

    /** Headgate compared with every peer, paired within each round. */
    public List<Comparison> comparisons() {
        List<Comparison> comparisons = new ArrayList<>();
        for (String attachment : plan.devices()) {
            for (String peer : measuredSubjects()) {
                boolean comparable =
                        !peer.startsWith(OURS + " (")
                                && (peer.contains(attachment) || peer.contains("kernel"));
                if (comparable) {
                    for (int size : plan.sizesBytes()) {
                        compare(comparisons, attachment, peer, size);
                    }
                }
            }
        }
        return comparisons;
    }

    private void compare(List<Comparison> into, String attachment, String peer, int sizeBytes) {
        add(into, attachment, peer, sizeBytes, "saturated", Measurement::forwardedFps);
        add(into, attachment, peer, sizeBytes, "zeroLoss", Measurement::zeroLossFps);
        add(into, attachment, peer, sizeBytes, "roundTripP50", Measurement::roundTripP50Ns);
    }

    private void add(
            List<Comparison> into,
            String attachment,
            String peer,
            int sizeBytes,
            String metric,
            ToDoubleFunction<Measurement> number) {
        String ours = OURS + " (" + attachment + ")";
        double[] ratios = new double[plan.pairs()];
        for (int round = 0; round < ratios.length; round++) {
            double mine = number(ours, sizeBytes, round, number);
            double theirs = number(peer, sizeBytes, round, number);
            ratios[round] = mine > 0 && theirs > 0 ? mine / theirs : Double.NaN;
        }
        Ratio ratio = Ratio.of(ratios, plan.seed());
        if (ratio.pairs() > 0) {
            into.add(new Comparison(attachment, peer, sizeBytes, metric, ratio));
        }
    }

    private double number(
            String subject, int sizeBytes, int round, ToDoubleFunction<Measurement> number) {
        return measurements.stream()
                .filter(m -> m.subject().equals(subject))
                .filter(m -> m.sizeBytes() == sizeBytes && m.round() == round)
                .mapToDouble(number)
                .findFirst()
                .orElse(Double.NaN);
    }
}
