package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;

/** Runs an experiment on the bed that its cell names. */
public final class Beds {
    private Beds() {}

    /** A bed that runs experiments. */
    public interface Runner {
        /**
         * Runs an experiment with the seed and scale of a cell.
         *
         * @throws ScenarioException if it cannot be run
         */
        Observation run(Experiment experiment, Cell cell, RunContext context)
                throws ScenarioException;

        /** A feature that the experiment needs and this bed does not have; empty: it has all. */
        default String lacks(Experiment experiment) {
            return "";
        }
    }

    /**
     * Runs an experiment with the bed, seed, scale and change that a cell names.
     *
     * @throws ScenarioException if the bed cannot run it
     */
    public static Observation run(Experiment experiment, Cell cell, RunContext context)
            throws ScenarioException {
        Change change = Change.of(cell.values());
        Experiment changed = change == null ? experiment : change.apply(experiment);
        return switch (cell.bed()) {
            case VIRTUAL -> VirtualBed.run(changed, cell.seed(), context);
            case NETNS -> RealBed.find().run(changed, cell.seed(), cell.scale(), context);
        };
    }
}
