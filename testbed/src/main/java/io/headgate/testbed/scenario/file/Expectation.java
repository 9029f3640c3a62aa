package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;

/**
 * What a scenario file expects.
 *
 * @param value expected, or the limit
 * @param tolerance share of the value, if the relation is NEAR
 */
record Expectation(
        String measure, Check.Relation relation, double value, double tolerance, String source) {

    Check check(CellResult result, String what) {
        double measured = result.measure(measure);
        String unit =
                result.outcomeOrThrow().measures().stream()
                        .filter(one -> one.name().equals(measure))
                        .findFirst()
                        .map(one -> one.unit())
                        .orElse("");
        return switch (relation) {
            case NEAR -> Check.near(what, unit, measured, value, tolerance, source);
            case AT_MOST -> Check.atMost(what, unit, measured, value, source);
            case AT_LEAST -> Check.atLeast(what, unit, measured, value, source);
        };
    }
}
