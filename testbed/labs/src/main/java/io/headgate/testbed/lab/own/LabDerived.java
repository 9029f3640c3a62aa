package io.headgate.testbed.lab.own;

import io.headgate.testbed.scenario.file.Arithmetic;
import java.util.List;
import java.util.Objects;

/**
 * A number that a lab's file makes of measured ones.
 *
 * @param unit in outputs; empty: none
 * @param value arithmetic with measures of phases, and with those made before it
 */
public record LabDerived(String name, String unit, String value) {
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
    public record Expected(LabDerived derived, boolean isAtMost, String limit, boolean isControl) {}
}
