package io.headgate.testbed.lab.own;

import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Check.Relation;

/**
 * An expectation of a lab's file about its run.
 *
 * @param of the host whose flows it is about; empty: all
 * @param limit in the measure's unit
 * @param isControl whether it belongs to the control case: if it does not hold, the run shows
 *     nothing
 */
public record LabExpectation(
        LabMeasure measure, String of, Relation relation, double limit, boolean isControl) {
    /** Whether its limit is one upwards. */
    public boolean isUpper() {
        return relation.isUpper();
    }

    /** Whether not even one, of what is counted, is allowed. */
    public boolean allowsNone() {
        return relation == Relation.BELOW ? limit <= 1 : isUpper() && limit == 0;
    }

    /** Compares it with a measured value. */
    public Check check(double measured) {
        return check("", measured);
    }

    /**
     * The same for a value of a phase.
     *
     * @param phase its name; empty: of all
     */
    public Check check(String phase, double measured) {
        String what =
                (phase.isEmpty() ? "" : phase + ": ")
                        + measure.word()
                        + (of.isEmpty() ? "" : " of " + of);
        return Check.limit(what, measure.unit(), relation, measured, limit, "");
    }
}
