package io.headgate.testbed.lab.own;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Check.Relation;
import io.headgate.testbed.scenario.file.Arithmetic;
import io.headgate.testbed.scenario.file.Said;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A number that a lab's file computes from measured ones, and from numbers computed before it. */
public record LabDerived(
        @Key(pattern = "^[A-Za-z][A-Za-z0-9 _./,()'-]{0,99}$")
                @Says("The measure's name in every output.")
                @Allowed(
                        "a letter and up to 99 letters, digits, blanks, -, _, ., /, brackets or"
                                + " commas, such as fair rate")
                String name,
        @Key(codec = Said.Formula.class)
                @Says(
                        "Arithmetic with measures in square brackets: measures of phases, as in"
                                + " [lqd: share lost in queues of h1], without phases [throughput"
                                + " of h1], and earlier measures of this list; mean, max and"
                                + " percentiles of series, and of the traffic that hosts or names"
                                + " of traffic sent (payload in Mb/s, per second): [mean of queue"
                                + " from 2s to 5s], [p99 of sent h1]; the final value of a counter"
                                + " in the phase: [last of s1/p4 rocc.notices.p3].")
                @Allowed(
                        "arithmetic with measures in square brackets, such as '[lqd: frames"
                                + " dropped] / 2'")
                String value,
        @Key(min = "0")
                @Says(
                        "The target value, in the same unit: drawn as a line across the bars of"
                                + " several runs.")
                @Otherwise("none")
                @Allowed("a number, such as 100")
                double whole,
        @Key(pattern = "^.{0,20}$", example = "per s")
                @Says("The unit of the value.")
                @Otherwise("none")
                String unit,
        @Key
                @Says(
                        "Puts the measure at the beginning of the report; then only measures with"
                                + " this key are there. For several runs: each value; count: yes or"
                                + " no, and the number of runs in which it is not 0; least or most,"
                                + " with the run; or sum.")
                @Otherwise("if no measure has this key, the first twelve are shown")
                @Nullable Headline headline,
        @Key(absent = "median") @Says("The value for repeated runs (--runs).") OfRuns ofRuns) {
    /** The statistic that represents repeated runs. */
    public enum OfRuns {
        MEDIAN,
        LEAST,
        MOST
    }

    /** The form in which a report's headlines show it, for several runs. */
    public enum Headline {
        EACH,
        COUNT,
        LEAST,
        MOST,
        SUM
    }

    /** The measures that it is made of. */
    public List<String> names() {
        return Objects.requireNonNull(Arithmetic.measures(value));
    }

    /**
     * The expectation about such a number.
     *
     * @param limit arithmetic with measures, also of other runs, in its unit
     * @param isControl as {@link LabExpectation}'s
     */
    public record Expected(LabDerived derived, Relation relation, String limit, boolean isControl) {
        /** The measures that its limit is made of. */
        public List<String> names() {
            return Objects.requireNonNull(Arithmetic.measures(limit));
        }

        /**
         * Compares it.
         *
         * @param name as it is called
         * @param measured makes a number of a measure's name; NaN: none
         */
        public Check check(String name, ToDoubleFunction<String> measured) {
            Double most = Arithmetic.value(limit, measured::applyAsDouble);
            double value = measured.applyAsDouble(derived.name);
            double at = most == null ? Double.NaN : most;
            return Check.limit(name, derived.unit, relation, value, at, "");
        }
    }
}
