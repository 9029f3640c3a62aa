package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.SeriesMath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario file expects.
 *
 * @param value expected, or the limit: arithmetic with measures
 * @param share of the value, by which it may be off where it must be near
 * @param within by what it may be off then: arithmetic with measures; empty: the share says so
 * @param than parameters, or the bed, in which another run differs, by whose measure this one's is
 *     divided; empty: none is
 * @param equalZeros whether two that are both 0 are one time each other, and not no number
 * @param like whether {@code measure} is a series, whose form is compared with the other run's
 * @param bed of the runs that it is for; null: of all
 * @param seeds over how many at least the mean of the measure is taken, and of the other runs' with
 *     {@code than}; 0: each run is judged
 * @param condition arithmetic with measures: a run for which it does not hold, or not for the other
 *     one, is not judged; empty: all are
 * @param place of the entry in the file, which is the same for all that 'for' makes of it
 */
record Expectation(
        String measure,
        Check.Relation relation,
        String value,
        double share,
        String within,
        Map<String, String> than,
        boolean equalZeros,
        boolean like,
        @Nullable BedKind bed,
        int seeds,
        String condition,
        String source,
        String place) {
    static final String BED = "bed";

    private static final String TIMES = "times";

    Expectation {
        than = Map.copyOf(than);
    }

    /** What is expected of a run. */
    double expected(CellResult result) {
        return of(value, result);
    }

    private static double of(String arithmetic, CellResult result) {
        Double said = Arithmetic.value(arithmetic, result::measure);
        return said == null ? Double.NaN : said;
    }

    /** The check of a run; null where there is none that it is compared with. */
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
        String unit = unit(result);
        String judged = seeds > 0 ? "mean " + measure : measure;
        String of = seeds > 0 ? withoutSeed(measure + label) : label;
        String what = judged + of;
        if (other != null) {
            measured =
                    like
                            ? likeness(result, other)
                            : times(
                                    measured,
                                    mean(seeds > 0 ? alike(other, results) : List.of(other)));
            unit = like ? "" : TIMES;
            String compared = like ? "correlation of " + measure + " with" : judged + ", of";
            what = compared + " that with " + String.join(", ", than.values()) + of;
        }
        double expected = expected(result);
        return switch (relation) {
            case NEAR ->
                    within.isEmpty()
                            ? Check.near(what, unit, measured, expected, share, source)
                            : Check.within(
                                    what, unit, measured, expected, of(within, result), source);
            case AT_MOST -> Check.atMost(what, unit, measured, expected, source);
            case AT_LEAST -> Check.atLeast(what, unit, measured, expected, source);
        };
    }

    private double mean(List<CellResult> alike) {
        return alike.stream().mapToDouble(one -> one.measure(measure)).average().orElse(Double.NaN);
    }

    /** What a label says but for the seed. */
    private static String withoutSeed(String labelled) {
        List<String> parts = Labels.split(labelled).withoutSeed();
        return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
    }

    /** Why a run is not judged, in a sentence; empty where nothing is expected of it, or it is. */
    String unjudged(CellResult result, List<CellResult> results, String label) {
        CellResult other = than.isEmpty() ? null : other(result, results);
        if (!isOfRun(result, other) || holds(result, other)) {
            return "";
        }
        String with = other == null ? "" : ", the other " + shown(other);
        return measure
                + label
                + " is not judged: it is "
                + shown(result)
                + with
                + "; needed is "
                + needed()
                + (other == null ? "" : ", of both");
    }

    /** Whether it has a condition, which holds of a run. */
    boolean judges(CellResult result, List<CellResult> results) {
        CellResult other = than.isEmpty() ? null : other(result, results);
        return !condition.isEmpty() && holds(result, other) && isOfRun(result, other);
    }

    /** What fails where its condition holds of no run: nothing was shown then. */
    Check ofNone() {
        String what = "runs with " + needed() + ", of which " + measure + " is judged";
        return Check.atLeast(what, "", 0, 1, source);
    }

    private String needed() {
        return condition.replaceAll("[\\[\\]]", "");
    }

    private String shown(CellResult result) {
        return Numbers.shown(result.measure(measure), unit(result));
    }

    private boolean isOfRun(CellResult result, @Nullable CellResult other) {
        return (bed == null || bed == result.cell().bed()) && (other != null || than.isEmpty());
    }

    private boolean holds(CellResult result, @Nullable CellResult other) {
        return condition.isEmpty()
                || (of(condition, result) != 0 && (other == null || of(condition, other) != 0));
    }

    private double likeness(CellResult result, CellResult other) {
        return SeriesMath.likeness(
                result.outcomeOrThrow().series(measure), other.outcomeOrThrow().series(measure));
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

    private String unit(CellResult result) {
        return result.outcomeOrThrow().measures().stream()
                .filter(one -> one.name().equals(measure))
                .findFirst()
                .map(Measure::unit)
                .orElse("");
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
