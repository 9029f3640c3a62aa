package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;

/** The bed that a cell asks for. */
public final class Beds {
    private Beds() {}

    /** What runs experiments. */
    public interface Runner {
        /**
         * Runs an experiment with the seed and scale of a cell.
         *
         * @throws ScenarioException if it cannot be run
         */
        Observation run(Experiment experiment, Cell cell, RunContext context)
                throws ScenarioException;

        /** What the experiment needs and this does not have; empty: nothing. */
        default String lacks(Experiment experiment) {
            return "";
        }
    }

    /**
     * Runs an experiment where, and with the seed and scale that, a cell says, with the change that
     * it names.
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
