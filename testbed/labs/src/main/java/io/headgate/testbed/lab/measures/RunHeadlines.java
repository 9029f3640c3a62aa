package io.headgate.testbed.lab.measures;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.LabDerived.Headline;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The numbers at the beginning of a report of a lab's runs: the measures that its file chooses,
 * otherwise the first ones.
 *
 * @param runs the results of the runs, in their order
 */
record RunHeadlines(List<? extends RunMeasures> runs, RunReport report) {
    /** The most for all runs together, where the file chooses none; the table has all. */
    private static final int MOST = 12;

    private static final String NONE = "not measured";

    RunHeadlines {
        runs = List.copyOf(runs);
    }

    private record Value(LabDerived of, RunMeasures run) {
        double number() {
            return run.measured(of.name());
        }

        boolean isVirtual() {
            return run.spec().isVirtual();
        }

        String shown() {
            return RunHeadlines.shown(of, number());
        }

        String withUnit() {
            // Yes and no have no unit.
            return isTruth(of, number()) ? shown() : RunHeadlines.withUnit(shown(), of);
        }
    }

    /** A measure's name, with that of its run where there are several. */
    static String named(LabDerived one, OwnLabSpec spec) {
        return spec.run().isEmpty() ? one.name() : one.name() + ", " + spec.run();
    }

    /** A value without its unit. */
    static String shown(LabDerived one, double value) {
        return isTruth(one, value) ? value == 0 ? "no" : "yes" : Numbers.shown(value, "");
    }

    private static boolean isTruth(LabDerived one, double value) {
        return one.headline() == Headline.COUNT && (value == 0 || value == 1);
    }

    private static String withUnit(String value, LabDerived one) {
        return (value + " " + one.unit()).strip();
    }

    /** Whether the file says what its report begins with. */
    boolean areChosen() {
        return runs.stream()
                .flatMap(run -> run.spec().derived().stream())
                .anyMatch(one -> one.headline() != null);
    }

    /** Adds them to the report: what the file chooses comes before all else. */
    void add() {
        Map<String, List<Value>> byName = new LinkedHashMap<>();
        boolean isChosen = areChosen();
        for (RunMeasures run : runs) {
            for (LabDerived one : run.spec().derived()) {
                if (!isChosen || one.headline() != null) {
                    byName.computeIfAbsent(one.name(), _ -> new ArrayList<>())
                            .add(new Value(one, run));
                }
            }
        }
        Map<String, String> said = new LinkedHashMap<>();
        if (isChosen) {
            byName.values().forEach(values -> chosen(values, said));
            report.beginWith(said);
        } else if (runs.size() <= MOST) {
            first(said);
            said.forEach(report::headline);
        } else {
            byName.values().stream().limit(MOST).forEach(values -> range(values, said));
            said.forEach(report::headline);
        }
    }

    private static void chosen(List<Value> values, Map<String, String> said) {
        LabDerived one = values.getFirst().of;
        // A twin in virtual time repeats its run: it is not counted.
        List<Value> real = values.stream().filter(value -> !value.isVirtual()).toList();
        int count = real.size();
        Headline how = count <= 1 ? Headline.EACH : Objects.requireNonNull(one.headline());
        if (how == Headline.EACH) {
            values.forEach(value -> each(value, said));
            return;
        }
        List<Value> known = known(real);
        String name = one.name();
        String of =
                switch (how) {
                    case LEAST, MOST ->
                            ", " + how.name().toLowerCase(Locale.ROOT) + " of " + count + " runs";
                    case SUM -> ", all " + count + " runs together";
                    case COUNT, EACH -> "";
                };
        String value =
                known.isEmpty()
                        ? NONE
                        : switch (how) {
                            case COUNT -> {
                                long in =
                                        known.stream()
                                                .filter(each -> Math.abs(each.number()) > 0)
                                                .count();
                                yield "in " + in + " of " + count + " runs";
                            }
                            case LEAST -> extreme(known, Comparator.naturalOrder());
                            case MOST -> extreme(known, Comparator.reverseOrder());
                            case SUM -> {
                                double sum = known.stream().mapToDouble(Value::number).sum();
                                yield withUnit(Numbers.shown(sum, ""), one);
                            }
                            case EACH -> "";
                        };
        said.put(name + of, value + without(known, real));
    }

    private static String extreme(List<Value> known, Comparator<Double> order) {
        Value value = known.stream().min(Comparator.comparing(Value::number, order)).orElseThrow();
        return value.withUnit() + ", run " + value.run.spec().run();
    }

    /** Those that have a number. */
    private static List<Value> known(List<Value> values) {
        return values.stream().filter(value -> !Double.isNaN(value.number())).toList();
    }

    /** How many have no number, where some have one. */
    private static String without(List<Value> known, List<Value> all) {
        int missing = all.size() - known.size();
        return missing == 0 || known.isEmpty() ? "" : "; " + NONE + " in " + missing;
    }

    private static void each(Value value, Map<String, String> said) {
        said.put(named(value.of, value.run.spec()), value.withUnit());
    }

    /** The first ones of each run. */
    private void first(Map<String, String> said) {
        for (RunMeasures run : runs) {
            run.spec().derived().stream()
                    .limit(MOST / runs.size())
                    .forEach(one -> each(new Value(one, run), said));
        }
    }

    /** From the least to the most that a measure came to: the runs are too many to show each. */
    private static void range(List<Value> values, Map<String, String> said) {
        List<Value> real = values.stream().filter(value -> !value.isVirtual()).toList();
        if (real.isEmpty()) {
            return;
        }
        LabDerived one = real.getFirst().of;
        List<Value> known = known(real);
        String value = NONE;
        if (!known.isEmpty()) {
            DoubleSummaryStatistics all =
                    known.stream().mapToDouble(Value::number).summaryStatistics();
            String least = shown(one, all.getMin());
            String most = shown(one, all.getMax());
            value = withUnit(least.equals(most) ? least : "from " + least + " to " + most, one);
        }
        said.put(one.name() + ", of " + real.size() + " runs", value + without(known, real));
    }
}
