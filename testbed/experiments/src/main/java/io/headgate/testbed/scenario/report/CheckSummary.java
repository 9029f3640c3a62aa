package io.headgate.testbed.scenario.report;

import io.headgate.control.report.HtmlPage.Headline;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.StudentInterval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A summary, in one line, of the checks of runs that differ only in their seeds.
 *
 * @param what the checked value, with the values of parameters, without seeds
 * @param checks the check of each seed
 */
public record CheckSummary(String what, List<Check> checks) {
    private static final double ALIKE = 1e-9;

    public CheckSummary {
        checks = List.copyOf(checks);
    }

    /** All summaries of a result, those with failures first. */
    public static List<CheckSummary> of(List<Check> checks) {
        Map<List<String>, List<Check>> by = new LinkedHashMap<>();
        for (Check check : checks) {
            String what = Labels.split(check.what()).ofAllSeeds();
            List<String> key = List.of(what, check.relation().name(), check.source());
            by.computeIfAbsent(key, _ -> new ArrayList<>()).add(check);
        }
        List<CheckSummary> all = new ArrayList<>();
        by.forEach((key, some) -> all.add(new CheckSummary(key.getFirst(), some)));
        all.sort(Comparator.comparing(CheckSummary::passed));
        return all;
    }

    /** Groups the summaries by measure, for all parameters; those with failures first. */
    static Collection<List<CheckSummary>> byMeasure(List<CheckSummary> all) {
        Map<String, List<CheckSummary>> by = new LinkedHashMap<>();
        for (CheckSummary one : all) {
            by.computeIfAbsent(Labels.split(one.what).text(), _ -> new ArrayList<>()).add(one);
        }
        return by.values();
    }

    /**
     * One measure in a box: the first failing setting if there is one, otherwise the range of
     * values.
     *
     * @param same summaries of the measure, from {@link #byMeasure}
     */
    static Headline headline(List<CheckSummary> same) {
        CheckSummary first = same.getFirst();
        long failed = same.stream().filter(one -> !one.passed()).count();
        if (same.size() == 1 || failed > 0) {
            String others =
                    same.size() == 1
                            ? ""
                            : "; " + failed + " of " + same.size() + " settings are off";
            return new Headline(
                    first.what + ", expected " + first.expected() + others, first.measured());
        }
        Set<String> expected =
                same.stream().map(CheckSummary::expected).collect(Collectors.toSet());
        String text = Labels.split(first.what).text() + " in " + same.size() + " settings, ";
        return new Headline(
                expected.size() == 1
                        ? text + "expected " + first.expected()
                        : text + "each as expected",
                range(same));
    }

    private static String range(List<CheckSummary> same) {
        List<CheckSummary> ordered =
                same.stream().sorted(Comparator.comparingDouble(CheckSummary::mean)).toList();
        String least = shown(ordered.getFirst());
        String most = shown(ordered.getLast());
        return least.equals(most) ? least : least + " to " + most;
    }

    private static String shown(CheckSummary one) {
        return Numbers.shown(one.mean(), one.checks.getFirst().unit());
    }

    private double mean() {
        return StudentInterval.of(checks.stream().mapToDouble(Check::measured).toArray()).mean();
    }

    public boolean passed() {
        return checks.stream().allMatch(Check::passed);
    }

    public long failures() {
        return checks.stream().filter(check -> !check.passed()).count();
    }

    /** The mean of the measured values; with the interval if there are several seeds. */
    public String measured() {
        Check first = checks.getFirst();
        StudentInterval of =
                StudentInterval.of(checks.stream().mapToDouble(Check::measured).toArray());
        if (areAlike()) {
            return Numbers.shown(first.measured(), first.unit(), first.expected());
        }
        String lacking =
                of.count() == checks.size() ? "" : " (only of " + of.count() + " of the seeds)";
        // A single measurement has no interval.
        return of.count() < 2
                ? Numbers.shown(of.mean(), first.unit(), first.expected()) + lacking
                : Numbers.text(round(of.mean()), "")
                        + " ± "
                        + Numbers.text(round(of.half()), first.unit())
                        + lacking;
    }

    /** Whether all seeds have one value, except for the last digit of a double. */
    private boolean areAlike() {
        double first = checks.getFirst().measured();
        return checks.stream()
                .allMatch(one ->
                        Double.compare(one.measured(), first) == 0
                                || Math.abs(one.measured() - first) <= ALIKE * Math.abs(first));
    }

    /** Four digits: an interval says how many of them mean something. */
    private static double round(double value) {
        return Double.isFinite(value) && value != 0
                ? Double.parseDouble(String.format(Locale.ROOT, "%.4g", value))
                : value;
    }

    /** The expected value with its tolerance. */
    public String expected() {
        Check first = checks.getFirst();
        String value = Numbers.shown(first.expected(), first.unit(), first.measured());
        boolean same = checks.stream().allMatch(one -> one.expected() == first.expected());
        String text =
                switch (first.relation()) {
                    case AT_MOST -> "at most " + value;
                    case AT_LEAST -> "at least " + value;
                    case BELOW -> "less than " + value;
                    case ABOVE -> "more than " + value;
                    case NEAR ->
                            value
                                    + (first.tolerance() == 0
                                            ? " exactly"
                                            : " ± "
                                                    + Numbers.shown(
                                                            first.tolerance(), first.unit()));
                };
        return same ? text : text + " and others";
    }

    /** The summary in one line. */
    public String sentence() {
        if (checks.size() == 1) {
            return checks.getFirst().sentence();
        }
        String seeds =
                failures() == 0
                        ? (areAlike() ? "the same in all of " : "all of ")
                                + checks.size()
                                + " seeds"
                        : failures() + " of " + checks.size() + " seeds not";
        return what + ": " + measured() + ", expected " + expected() + "; " + seeds;
    }
}
