package io.headgate.testbed.lab.own;

import io.headgate.testbed.scenario.Check;

/**
 * What a lab's file expects of its run.
 *
 * @param of the host whose flows it is about; empty: all
 * @param limit in the measure's unit
 * @param isControl whether it belongs to the control case: if it does not hold, the run shows
 *     nothing
 */
public record LabExpectation(
        LabMeasure measure, String of, boolean isAtMost, double limit, boolean isControl) {
    /** What is expected of all flows. */
    public LabExpectation(LabMeasure measure, boolean isAtMost, double limit, boolean isControl) {
        this(measure, "", isAtMost, limit, isControl);
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
        return isAtMost
                ? Check.atMost(what, measure.unit(), measured, limit, "")
                : Check.atLeast(what, measure.unit(), measured, limit, "");
    }
}
