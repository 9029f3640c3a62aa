package io.headgate.perf.engine;

import io.headgate.control.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What frames cost on a machine where a plain hop takes 40 ns, which is where limits in ns hold.
 * Each round's times are set against the hop of the same round: machines differ threefold, and one
 * core by a quarter within a second. A plain hop is {@link EngineBenchmark}'s, without flow control
 * and hot.
 */
public final class HopScale {
    private static final double HOP_NS = 40;

    private final List<Double> hops = new ArrayList<>();
    private final Map<Case, Times> cases = new LinkedHashMap<>();

    /**
     * What is measured.
     *
     * @param words what a reader is told of it, a cell of the table each
     * @param limitNs at most so long may it take where a hop takes 40 ns
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
     * The medians over all rounds, and which are within their limits.
     *
     * @param headings of the words of a case
     */
    public Table table(String... headings) {
        List<String> all = new ArrayList<>(Arrays.asList(headings));
        all.addAll(List.of(">a frame (ns)", ">at a hop of 40 ns", ">rounds", ">limit (ns)", ""));
        Table table = new Table(all.toArray(String[]::new));
        cases.forEach((what, times) -> {
            List<String> cells = new ArrayList<>(what.words);
            double scaled = median(times.scaled);
            cells.add(number(median(times.measured)));
            cells.add(number(scaled));
            cells.add(range(times.scaled));
            cells.add(number(what.limitNs));
            cells.add(scaled <= what.limitNs ? "within" : "above");
            table.row(cells.toArray(String[]::new));
        });
        return table;
    }

    /** The hop, in a sentence. */
    public String hop() {
        return String.format(
                Locale.ROOT,
                "A plain hop took %s ns (%s); limits hold where it takes %.0f.",
                number(median(hops)),
                range(hops),
                HOP_NS);
    }

    private static String range(List<Double> times) {
        List<Double> sorted = times.stream().sorted().toList();
        return number(sorted.getFirst()) + " to " + number(sorted.getLast());
    }

    private static double median(List<Double> times) {
        List<Double> sorted = times.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static String number(double ns) {
        return String.format(Locale.ROOT, "%.1f", ns);
    }
}
