package io.headgate.testbed.scenario;

/**
 * An expectation and its result.
 *
 * @param expected expected value, or a limit, depending on {@code relation}
 * @param tolerance largest allowed deviation of the measured value, in the same unit; 0 for limits
 * @param source origin of the expected value: a paper's figure, a formula
 */
public record Check(
        String what,
        String unit,
        Relation relation,
        double measured,
        double expected,
        double tolerance,
        String source,
        boolean passed) {

    /** The required relation of measured to expected. */
    public enum Relation {
        /** The deviation is within the tolerance. */
        NEAR,
        AT_MOST,
        AT_LEAST,
        /** A value equal to the limit fails. */
        BELOW,
        ABOVE;

        /** Whether it is a limit upwards. */
        public boolean isUpper() {
            return this == AT_MOST || this == BELOW;
        }
    }

    /** Expects a value, with a tolerance as a share of it, such as 0.02 for 2 %. */
    public static Check near(
            String what,
            String unit,
            double measured,
            double expected,
            double share,
            String source) {
        return within(what, unit, measured, expected, Math.abs(expected) * share, source);
    }

    /** Expects a value within {@code tolerance}; 0: exactly this value. */
    public static Check within(
            String what,
            String unit,
            double measured,
            double expected,
            double tolerance,
            String source) {
        // A value that could not be measured (NaN) is near nothing.
        boolean passed = Math.abs(measured - expected) <= tolerance;
        return new Check(what, unit, Relation.NEAR, measured, expected, tolerance, source, passed);
    }

    /** Expects no more than a limit. */
    public static Check atMost(
            String what, String unit, double measured, double limit, String source) {
        return limit(what, unit, Relation.AT_MOST, measured, limit, source);
    }

    /** Expects no less than a limit. */
    public static Check atLeast(
            String what, String unit, double measured, double limit, String source) {
        return limit(what, unit, Relation.AT_LEAST, measured, limit, source);
    }

    /**
     * Expects a value that a limit allows; a value that could not be measured (NaN) always fails.
     */
    public static Check limit(
            String what,
            String unit,
            Relation relation,
            double measured,
            double limit,
            String source) {
        boolean passed =
                switch (relation) {
                    case AT_MOST -> measured <= limit;
                    case AT_LEAST -> measured >= limit;
                    case BELOW -> measured < limit;
                    case ABOVE -> measured > limit;
                    case NEAR -> throw new IllegalArgumentException("NEAR needs a tolerance");
                };
        return new Check(what, unit, relation, measured, limit, 0, source, passed);
    }

    /** By how much the measured value exceeds the expected one, in the unit. */
    public double difference() {
        return measured - expected;
    }

    /** In one line: measured, expected, difference, tolerance. */
    public String sentence() {
        String head = what + ": " + Numbers.shown(measured, unit, expected);
        String wanted = Numbers.shown(expected, unit, measured);
        return switch (relation) {
            case AT_MOST -> head + ", expected at most " + wanted;
            case AT_LEAST -> head + ", expected at least " + wanted;
            case BELOW -> head + ", expected less than " + wanted;
            case ABOVE -> head + ", expected more than " + wanted;
            case NEAR ->
                    head
                            + ", expected "
                            + wanted
                            + (tolerance == 0 ? " exactly" : " ± " + Numbers.shown(tolerance, unit))
                            + " (difference "
                            + Numbers.difference(difference(), expected, unit)
                            + ")";
        };
    }
}
