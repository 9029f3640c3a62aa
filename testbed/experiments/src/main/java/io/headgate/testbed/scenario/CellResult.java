package io.headgate.testbed.scenario;

import org.jspecify.annotations.Nullable;

/**
 * The result of one cell.
 *
 * @param outcome null where the run failed
 * @param failure in one sentence; null where it did not fail
 * @param wallSeconds how long it took on this machine's clock
 */
public record CellResult(
        Cell cell, @Nullable Outcome outcome, @Nullable String failure, double wallSeconds) {

    /**
     * The outcome of a run that did not fail.
     *
     * @throws IllegalStateException if it failed
     */
    public Outcome outcomeOrThrow() {
        if (outcome == null) {
            throw new IllegalStateException("cell " + cell.index() + " failed: " + failure);
        }
        return outcome;
    }

    /** A measured number; NaN where the run failed or has none of that name. */
    public double measure(String name) {
        return outcome == null ? Double.NaN : outcome.measure(name);
    }
}
