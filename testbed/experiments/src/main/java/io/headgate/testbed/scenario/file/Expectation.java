package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An expectation of a scenario file. Its numbers may be expressions with measures. */
record Expectation(
        @Key(max = "100", example = "frames dropped or p99 of queue s1/p4")
                @Says(
                        "A measured number with its unit as in runs.csv; or the mean, the largest"
                                + " value or a percentile of a recorded series.")
                @Otherwise("like")
                String measure,
        @Key(codec = Said.Formula.class)
                @Says("The expected value.")
                @Otherwise("at-most or at-least")
                @Allowed(
                        "a number, such as 9.84, or arithmetic with parameters, such as 10 /"
                                + " $senders")
                String near,
        @Key(codec = Said.Amount.class, min = "0", max = "1", absent = "0.05")
                @Says("Allowed relative deviation of the measured value.")
                @Allowed(
                        "a number from 0 to 1, such as 0.05 for 5 %, or arithmetic with parameters")
                double tolerance,
        @Key(codec = Said.Formula.class)
                @Says(
                        "Instead of tolerance: allowed absolute deviation of the measured value, in"
                                + " its unit.")
                @Otherwise("tolerance")
                @Allowed(Said.NUMBER)
                String within,
        @Key(codec = Said.Words.class)
                @Says(
                        "Parameters with the values of another run, or its bed: the measure is"
                                + " divided by that run's measure. If there is no such run, nothing"
                                + " is checked.")
                @Otherwise("none")
                @Allowed("parameters with values, such as {detect: red}, or {bed: virtual}")
                Map<String, String> than,
        @Key(absent = "false")
                @Says(
                        "With than: the ratio of two measures that are both 0 is 1. Without this"
                                + " key, 0/0 is not a number, and the expectation fails.")
                boolean equalZeros,
        @Key(codec = Said.Formula.class)
                @Says("The largest value.")
                @Otherwise("near or at-least")
                @Allowed(
                        "a number, such as 0, or arithmetic with parameters, such as 10 / $senders")
                String atMost,
        @Key(codec = Said.Formula.class)
                @Says("The smallest value.")
                @Otherwise("near or at-most")
                @Allowed(
                        "a number, such as 100, or arithmetic with parameters, such as 10 /"
                                + " $senders")
                String atLeast,
        @Key(max = "100")
                @Says(
                        "Instead of measure: a series whose correlation with that of the run of"
                                + " 'than' is checked; 1: the same shape.")
                @Otherwise("measure")
                @Allowed(Said.A_SERIES)
                String like,
        @Key(min = "2", max = "1000000", example = "10")
                @Says(
                        "The mean of the measure over all seeds is judged if there are at least"
                                + " this many seeds; with than it is divided by the mean of the"
                                + " other runs.")
                @Otherwise("each run is judged")
                int seeds,
        @Key(name = "if")
                @Says(
                        "If this condition is false for a run (or, with than, for the other run),"
                                + " the run is not judged, and the result says so. If it is false"
                                + " for all runs, the expectation fails.")
                @Otherwise("always")
                @Allowed(
                        "a condition with measures in square brackets, such as '[mean queue] >="
                                + " 0.1'")
                String condition,
        @Key @Says("The bed on whose runs the expectation is checked.") @Otherwise("both")
                @Nullable BedKind bed,
        @Key(max = "400", example = "arithmetic")
                @Says("Where the expectation comes from.")
                @Otherwise("the file")
                String source) {
    static final String BED = "bed";

    private static final String TIMES = "times";

    static String source(Known known) {
        return known.get(ScenarioFile.NAME, String.class);
    }

    /** The measure or the series that is checked. */
    String judged() {
        return measure + like;
    }

    double expected(CellResult result) {
        return Arithmetic.orNone(near + atMost + atLeast, result::measure);
    }

    /** The check of a run; null if there is no run to compare it with. */
    @Nullable Check check(CellResult result, List<CellResult> results, String label) {
        CellResult other = than.isEmpty() ? null : other(result, results);
        if (!isOfRun(result, other) || !holds(result, other)) {
            return null;
        }
        List<CellResult> alike = seeds > 0 ? alike(result, results) : List.of(result);
        if (alike.size() < seeds || !isOf(alike.getFirst(), result)) {
            return null;
        }
        double measured = mean(alike);
        String unit = SweepFigures.unit(List.of(result), judged());
        String judged = seeds > 0 ? "mean " + judged() : judged();
        String of = seeds > 0 ? Labels.split(label).ofAllSeeds() : label;
        String what = judged + of;
        if (other != null) {
            measured =
                    isLike()
                            ? likeness(result, other)
                            : times(
                                    measured,
                                    mean(seeds > 0 ? alike(other, results) : List.of(other)));
            unit = isLike() ? "" : TIMES;
            String compared = isLike() ? "correlation of " + like + " with" : judged + ", of";
            what = compared + " that with " + String.join(", ", than.values()) + of;
        }
        double expected = expected(result);
        if (near.isEmpty()) {
            return atMost.isEmpty()
                    ? Check.atLeast(what, unit, measured, expected, source)
                    : Check.atMost(what, unit, measured, expected, source);
        }
        return within.isEmpty()
                ? Check.near(what, unit, measured, expected, tolerance, source)
                : Check.within(
                        what,
                        unit,
                        measured,
                        expected,
                        Arithmetic.orNone(within, result::measure),
                        source);
    }

    boolean isLike() {
        return !like.isEmpty();
    }

    private double mean(List<CellResult> alike) {
        return alike.stream()
                .mapToDouble(one -> one.measure(judged()))
                .average()
                .orElse(Double.NaN);
    }

    /**
     * The reason why a run is not checked, in a sentence; empty if it is checked or nothing is
     * expected of it.
     */
    String unjudged(CellResult result, List<CellResult> results, String label) {
        CellResult other = than.isEmpty() ? null : other(result, results);
        if (!isOfRun(result, other) || holds(result, other)) {
            return "";
        }
        return "%s%s is not judged: its value is %s%s; required: %s%s"
                .formatted(
                        judged(),
                        label,
                        shown(result),
                        other == null ? "" : ", the other " + shown(other),
                        needed(),
                        other == null ? "" : ", of both");
    }

    /** Whether it has a condition, and the condition holds for a run. */
    boolean judges(CellResult result, List<CellResult> results) {
        CellResult other = than.isEmpty() ? null : other(result, results);
        return !condition.isEmpty() && holds(result, other) && isOfRun(result, other);
    }

    /** The failing check if its condition holds for no run, because then nothing was shown. */
    Check ofNone() {
        String what = "runs with " + needed() + ", of which " + judged() + " is judged";
        return Check.atLeast(what, "", 0, 1, source);
    }

    private String needed() {
        return condition.replaceAll("[\\[\\]]", "");
    }

    private String shown(CellResult result) {
        return Numbers.shown(
                result.measure(judged()), SweepFigures.unit(List.of(result), judged()));
    }

    private boolean isOfRun(CellResult result, @Nullable CellResult other) {
        return (bed == null || bed == result.cell().bed()) && (other != null || than.isEmpty());
    }

    private boolean holds(CellResult result, @Nullable CellResult other) {
        return condition.isEmpty()
                || (Arithmetic.orNone(condition, result::measure) != 0
                        && (other == null || Arithmetic.orNone(condition, other::measure) != 0));
    }

    private double likeness(CellResult result, CellResult other) {
        return SeriesMath.likeness(
                result.outcomeOrThrow().series(like), other.outcomeOrThrow().series(like));
    }

    private double times(double measured, double other) {
        return equalZeros && measured == 0 && other == 0 ? 1 : measured / other;
    }

    private static boolean isOf(CellResult one, CellResult other) {
        return one.cell().equals(other.cell());
    }

    /** The runs that differ in nothing but their seeds. */
    private static List<CellResult> alike(CellResult result, List<CellResult> results) {
        return results.stream()
                .filter(one ->
                        one.cell().bed() == result.cell().bed()
                                && one.cell()
                                        .values()
                                        .texts()
                                        .equals(result.cell().values().texts()))
                .toList();
    }

    /** The run of the same seed and bed that differs in nothing else; null if there is none. */
    private @Nullable CellResult other(CellResult result, List<CellResult> results) {
        Map<String, String> texts = new HashMap<>(result.cell().values().texts());
        texts.putAll(than);
        String ofBed = texts.remove(BED);
        for (CellResult one : results) {
            if (!isOf(one, result)
                    && one.cell().seed() == result.cell().seed()
                    && (ofBed == null
                            ? one.cell().bed() == result.cell().bed()
                            : one.cell().bed().word().equals(ofBed))
                    && one.cell().values().texts().equals(texts)) {
                return one;
            }
        }
        return null;
    }
}
