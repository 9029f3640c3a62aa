package io.headgate.testbed.lab.own;

import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.file.Arithmetic;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * A number that a lab's file makes of measured ones.
 *
 * @param unit in outputs; empty: none
 * @param value arithmetic with measures of phases, and with those made before it
 * @param whole what figures compare it with, in its unit: all that was asked for; 0: nothing
 */
public record LabDerived(String name, String unit, String value, double whole) {
    /** The measures that it is made of. */
    public List<String> names() {
        return Objects.requireNonNull(Arithmetic.measures(value));
    }

    /**
     * What is expected of one.
     *
     * @param limit arithmetic with measures, also of other runs, in its unit
     * @param isControl as {@link LabExpectation}'s
     */
    public record Expected(LabDerived derived, boolean isAtMost, String limit, boolean isControl) {
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
            return isAtMost
                    ? Check.atMost(name, derived.unit, value, at, "")
                    : Check.atLeast(name, derived.unit, value, at, "");
        }
    }
}
