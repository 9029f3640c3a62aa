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
    /** What can be measured of a lab, or of a phase. */
    public enum Measure {
        /** Between sockets: in switches, agents, TAPs and sockets. */
        FRAMES_LOST("frames lost", "frames", Of.LAB),
        /** Datagrams of UDP that came behind later ones of their flow. */
        OUT_OF_ORDER("datagrams out of order", "datagrams", Of.BOTH),
        /** For how long pauses or missing credits stopped hosts, all together. */
        TIME_STOPPED("time stopped", "ms", Of.LAB),
        /** By switches, for any reason. */
        FRAMES_DROPPED("frames dropped", "frames", Of.PHASE),
        /** Payload of UDP that receivers read, of what senders gave to their sockets. */
        SHARE_RECEIVED("share received", "%", Of.PHASE);

        private enum Of {
            LAB,
            PHASE,
            BOTH
        }

        private final String word;
        private final String unit;
        private final Of of;

        Measure(String word, String unit, Of of) {
            this.word = word;
            this.unit = unit;
            this.of = of;
        }

        /** Whether phases have it; the others are of hosts that obey flow control. */
        boolean isOfPhases() {
            return of != Of.LAB;
        }

        /** Whether a lab as a whole has it. */
        boolean isOfLabs() {
            return of != Of.PHASE;
        }

        /** As files write it. */
        String word() {
            return word;
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
        return check("", measured);
    }

    /**
     * The same for a value of a phase.
     *
     * @param phase its name; empty: of all
     */
    public Check check(String phase, double measured) {
        String what = phase.isEmpty() ? measure.word : phase + ": " + measure.word;
        return isAtMost
                ? Check.atMost(what, measure.unit, measured, limit, "")
                : Check.atLeast(what, measure.unit, measured, limit, "");
    }
}
