package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;

/** The bed that a cell asks for. */
public final class Beds {
    private Beds() {}

    /**
     * Runs an experiment where, and with the seed and scale that, a cell says.
     *
     * @throws ScenarioException if the bed cannot run it
     */
    public static Observation run(Experiment experiment, Cell cell, RunContext context)
            throws ScenarioException {
        return switch (cell.bed()) {
            case VIRTUAL -> VirtualBed.run(experiment, cell.seed(), context);
            case NETNS -> NetnsBed.run(experiment, cell.seed(), cell.scale(), context);
        };
    }
}
