package io.headgate.testbed.lab.own;

import io.headgate.testbed.scenario.Check;

/**
 * What a lab's file expects of its run.
 *
 * @param limit in the measure's unit
 * @param isControl whether it belongs to the control case: if it does not hold, the run shows
 *     nothing
 */
public record LabExpectation(Measure measure, boolean isAtMost, double limit, boolean isControl) {
    /** What can be measured of a lab as a whole. */
    public enum Measure {
        /** Between sockets: in switches, agents, TAPs and sockets. */
        FRAMES_LOST("frames lost", "frames"),
        /** Datagrams of UDP that came behind later ones of their flow. */
        OUT_OF_ORDER("datagrams out of order", "datagrams"),
        /** For how long pauses or missing credits stopped hosts, all together. */
        TIME_STOPPED("time stopped", "ms");

        private final String word;
        private final String unit;

        Measure(String word, String unit) {
            this.word = word;
            this.unit = unit;
        }

        /** As files write it. */
        static Measure of(String word) {
            for (Measure measure : values()) {
                if (measure.word.equals(word)) {
                    return measure;
                }
            }
            throw new IllegalArgumentException("no measure of a lab: " + word);
        }
    }

    /** Compares it with a measured value. */
    public Check check(double measured) {
        return isAtMost
                ? Check.atMost(measure.word, measure.unit, measured, limit, "")
                : Check.atLeast(measure.word, measure.unit, measured, limit, "");
    }
}
