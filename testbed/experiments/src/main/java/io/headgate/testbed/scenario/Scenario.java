package io.headgate.testbed.scenario;

import java.util.List;

/**
 * A named experiment. One object serves all runs of a sweep, from several threads at once, and
 * keeps no state between them.
 */
public interface Scenario {

    About about();

    /** The parameters, in the order in which a sweep varies them: the last one fastest. */
    List<Parameter> parameters();

    /**
     * Checks, before any run, whether values that are each allowed also fit together.
     *
     * @throws ScenarioException if not, in a sentence
     */
    default void check(Values values) throws ScenarioException {
        // Most scenarios take any of them together.
    }

    /**
     * Runs one cell. All randomness is derived from the seed: the same cell gives the same outcome.
     *
     * @throws ScenarioException if these values cannot be run, in a sentence
     */
    Outcome run(Cell cell, RunContext context) throws ScenarioException;

    /**
     * A feature that a cell needs and its bed does not have, although other cells can run there.
     */
    default String lacks(Cell cell) {
        return "";
    }

    /**
     * Draws conclusions from runs that did not fail, in the order of their cells; there is at least
     * one. Must depend only on its argument: it is also called for results from other machines.
     */
    Findings conclude(List<CellResult> results);
}
