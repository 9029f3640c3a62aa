package io.headgate.testbed.scenario.compare;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Values;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The runs of all seeds of one control in one network, with the same parameters. */
record Group(Map<String, String> texts, List<CellResult> runs) {

    static List<Group> of(List<CellResult> results) {
        Map<Map<String, String>, List<CellResult>> byTexts =
                results.stream()
                        .collect(
                                Collectors.groupingBy(
                                        result -> result.cell().values().texts(),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        return byTexts.entrySet().stream()
                .map(entry -> new Group(entry.getKey(), entry.getValue()))
                .toList();
    }

    Values values() {
        return runs.getFirst().cell().values();
    }

    String control() {
        return values().word(CompareControllers.CONTROL);
    }

    Network network() {
        return Network.of(values());
    }

    /** The network, and what else is varied but controls. */
    String place(List<CellResult> all) {
        List<String> varied =
                Labels.split(Labels.behind("", all, runs.getFirst())).withoutSeed().stream()
                        .filter(part -> !part.startsWith(CompareControllers.CONTROL + " "))
                        .filter(part -> !part.startsWith(CompareControllers.NETWORK + " "))
                        .toList();
        String word = network().word();
        return varied.isEmpty() ? word : word + ", " + String.join(", ", varied);
    }

    boolean has(String measure) {
        return !Double.isNaN(mean(measure));
    }

    double mean(String measure) {
        return all(measure).getAverage();
    }

    /** Not a number for a run that lacks it. */
    private DoubleSummaryStatistics all(String measure) {
        return runs.stream().collect(Collectors.summarizingDouble(run -> run.measure(measure)));
    }

    /** The mean, with the least and the largest where seeds differ; empty where one lacks it. */
    String spread(String measure, String format) {
        DoubleSummaryStatistics all = all(measure);
        if (Double.isNaN(all.getAverage())) {
            return "-";
        }
        return all.getMin() == all.getMax()
                ? String.format(Locale.ROOT, format, all.getAverage())
                : String.format(
                        Locale.ROOT,
                        format + " (" + format + " to " + format + ")",
                        all.getAverage(),
                        all.getMin(),
                        all.getMax());
    }
}
