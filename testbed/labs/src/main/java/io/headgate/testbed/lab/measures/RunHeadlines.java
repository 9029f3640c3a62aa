package io.headgate.testbed.lab.measures;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.LabDerived.Headline;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The numbers with which a report of a lab's runs begins: the measures that its file chooses, or
 * else the first ones.
 *
 * @param runs what each came to, in their order
 */
record RunHeadlines(List<? extends RunMeasures> runs, RunReport report) {
    /** The most for all runs together, where the file chooses none; the table has all. */
    private static final int MOST = 12;

    RunHeadlines {
        runs = List.copyOf(runs);
    }

    /** A measure of a run. */
    private record Value(LabDerived of, RunMeasures run) {
        double number() {
            return run.measured(of.name());
        }

        String shown() {
            return RunHeadlines.shown(of, number());
        }

        String withUnit() {
            return RunHeadlines.withUnit(shown(), of);
        }
    }

    /** A measure's name, with that of its run where there are several. */
    static String named(LabDerived one, OwnLabSpec spec) {
        return spec.run().isEmpty() ? one.name() : one.name() + ", " + spec.run();
    }

    /** A value without its unit. */
    static String shown(LabDerived one, double value) {
        boolean isTruth = one.headline() == Headline.COUNT && (value == 0 || value == 1);
        return isTruth ? value == 0 ? "no" : "yes" : Numbers.shown(value, "");
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

    /** Adds them to the report. */
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
        if (isChosen) {
            byName.values().forEach(this::chosen);
        } else if (runs.size() <= MOST) {
            first();
        } else {
            byName.values().stream().limit(MOST).forEach(this::range);
        }
    }

    private void chosen(List<Value> values) {
        LabDerived one = values.getFirst().of;
        int count = values.size();
        Headline how = count == 1 ? Headline.EACH : Objects.requireNonNull(one.headline());
        switch (how) {
            case EACH -> values.forEach(this::each);
            case COUNT -> {
                long in = values.stream().filter(value -> Math.abs(value.number()) > 0).count();
                report.headline(one.name(), "in " + in + " of " + count + " runs");
            }
            case LEAST -> extreme(values, "least", Comparator.naturalOrder());
            case MOST -> extreme(values, "most", Comparator.reverseOrder());
            case SUM -> {
                double sum = values.stream().mapToDouble(Value::number).sum();
                report.headline(
                        one.name() + ", all " + count + " runs together",
                        withUnit(Numbers.shown(sum, ""), one));
            }
        }
    }

    private void extreme(List<Value> values, String which, Comparator<Double> order) {
        Value value =
                values.stream()
                        .filter(each -> !Double.isNaN(each.number()))
                        .min(Comparator.comparing(Value::number, order))
                        .orElse(values.getFirst());
        report.headline(
                value.of.name() + ", " + which + " of " + values.size() + " runs",
                value.withUnit() + ", run " + value.run.spec().run());
    }

    private void each(Value value) {
        report.headline(named(value.of, value.run.spec()), value.withUnit());
    }

    /** The first ones of each run. */
    private void first() {
        for (RunMeasures run : runs) {
            run.spec().derived().stream()
                    .limit(MOST / runs.size())
                    .forEach(one -> each(new Value(one, run)));
        }
    }

    /** From the least to the most that a measure came to: the runs are too many to show each. */
    private void range(List<Value> values) {
        LabDerived one = values.getFirst().of;
        String least = shown(one, values.stream().mapToDouble(Value::number).min().orElseThrow());
        String most = shown(one, values.stream().mapToDouble(Value::number).max().orElseThrow());
        report.headline(
                one.name() + ", of " + values.size() + " runs",
                withUnit(least.equals(most) ? least : "from " + least + " to " + most, one));
    }
}
