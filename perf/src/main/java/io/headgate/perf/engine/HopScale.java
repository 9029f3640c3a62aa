package io.headgate.perf.engine;

import io.headgate.control.report.Median;
import io.headgate.control.report.RunReport.Check;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Converts the cost of frames to a machine where a plain hop takes 40 ns, for which limits in ns
 * hold. Each round's times are divided by the hop of the same round: machines differ threefold, and
 * one core by a quarter within a second. A plain hop is {@link EngineBenchmark}'s, without flow
 * control and hot.
 */
public final class HopScale {
    private static final double HOP_NS = 40;

    private final List<Double> hops = new ArrayList<>();
    private final Map<Case, Times> cases = new LinkedHashMap<>();

    /**
     * A measured case.
     *
     * @param words its description, one cell of the table each
     * @param limitNs the longest time allowed on a machine where a hop takes 40 ns
     */
    public record Case(List<String> words, double limitNs) {
        public Case {
            words = List.copyOf(words);
        }
    }

    private record Times(List<Double> measured, List<Double> scaled) {}

    /** What was measured in turn: a hop, and each case, in ns a frame. */
    public void round(double hopNs, Map<Case, Double> ns) {
        hops.add(hopNs);
        ns.forEach((what, time) -> {
            Times times =
                    cases.computeIfAbsent(
                            what, _ -> new Times(new ArrayList<>(), new ArrayList<>()));
            times.measured.add(time);
            times.scaled.add(time * HOP_NS / hopNs);
        });
    }

    /**
     * The least and the most of all rounds.
     *
     * @param name the section's
     * @param note above the table
     * @param headings of the words of a case
     */
    public Section section(String name, String note, String... headings) {
        List<String> all = new ArrayList<>(Arrays.asList(headings));
        all.addAll(List.of(">measured (ns)", ">at a hop of 40 ns (ns)"));
        Table table = new Table(all.toArray(String[]::new));
        List<Map<String, Object>> data = new ArrayList<>();
        cases.forEach((what, times) -> {
            List<String> cells = new ArrayList<>(what.words);
            cells.add(range(times.measured));
            cells.add(range(times.scaled));
            table.row(cells.toArray(String[]::new));
            data.add(
                    Map.of(
                            "what", what.words,
                            "measuredNs", times.measured,
                            "scaledNs", times.scaled));
        });
        return new Section(name, Map.of("hopNs", hops, "cases", data), note, table);
    }

    /** Each limit with the median of all rounds. */
    public List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        cases.forEach((what, times) ->
                checks.add(
                        new Check(
                                what.words.stream()
                                        .filter(word -> !word.isEmpty())
                                        .collect(Collectors.joining(", ")),
                                "ns",
                                Median.of(doubles(times.measured)),
                                Median.of(doubles(times.scaled)),
                                what.limitNs)));
        return checks;
    }

    /** How long the hop took, over all rounds. */
    public String hop() {
        return Table.cell("%.1f", Median.of(doubles(hops)))
                + " ns"
                + (hops.size() > 1 ? " (" + range(hops) + ")" : "")
                + "; limits are for a machine on which it takes 40 ns";
    }

    private static String range(List<Double> times) {
        List<Double> sorted = times.stream().sorted().toList();
        String least = Table.cell("%.1f", sorted.getFirst());
        return sorted.size() == 1 ? least : least + " to " + Table.cell("%.1f", sorted.getLast());
    }

    private static DoubleStream doubles(List<Double> times) {
        return times.stream().mapToDouble(Double::doubleValue);
    }
}
