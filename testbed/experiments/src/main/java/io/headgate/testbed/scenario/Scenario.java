package io.headgate.testbed.scenario;

import java.util.List;

/**
 * A named experiment. One object serves all runs of a sweep, from several threads at once, and
 * keeps no state between them.
 */
public interface Scenario {

    About about();

    /** What may be varied, in the order in which a sweep varies it: the last one fastest. */
    List<Parameter> parameters();

    /**
     * Looks, before anything is run, whether values that are each allowed go together.
     *
     * @throws ScenarioException if not, in a sentence
     */
    default void check(Values values) throws ScenarioException {
        // Most scenarios take any of them together.
    }

    /**
     * Runs one cell. Everything random follows from the seed: the same cell gives the same outcome.
     *
     * @throws ScenarioException if these values cannot be run, in a sentence
     */
    Outcome run(Cell cell, RunContext context) throws ScenarioException;

    /** What a cell needs and its bed does not have, though others of its cells can be run there. */
    default String lacks(Cell cell) {
        return "";
    }

    /**
     * Draws conclusions from runs that did not fail, in the order of their cells, never none. Must
     * not depend on anything but its argument: it is also called for results that other machines
     * left.
     */
    Findings conclude(List<CellResult> results);
}
