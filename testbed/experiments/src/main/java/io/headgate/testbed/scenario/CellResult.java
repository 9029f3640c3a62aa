package io.headgate.testbed.scenario;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one cell.
 *
 * @param outcome null if the run failed
 * @param failure the reason in one sentence; null if it did not fail
 * @param wallSeconds duration of the run on this machine's clock
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

    /** The measured numbers; empty if the run failed. */
    public List<Measure> measures() {
        return outcome == null ? List.of() : outcome.measures();
    }

    /** The recorded series; empty if the run failed. */
    public List<Series> series() {
        return outcome == null ? List.of() : outcome.series();
    }

    /** Flows by their names; empty if the run failed. */
    public List<Flows> flows() {
        return outcome == null ? List.of() : Flows.all(outcome);
    }

    /** A measured number; NaN if the run failed or has none of that name. */
    public double measure(String name) {
        return outcome == null ? Double.NaN : outcome.measure(name);
    }
}
