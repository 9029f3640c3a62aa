package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import java.util.ServiceLoader;

/**
 * The bed of real frames. It needs network namespaces like labs, so its implementation is in their
 * module; scenarios find it as a service. The constants name the measures of the bed itself.
 */
public interface RealBed {
    /**
     * Longest time in which the machine ran none of the hosts, scaled back, in us; frames sent in
     * it are late by up to this time.
     */
    String HELD_UP = "longest pause of the hosts";

    /** Longest delay of a switch's wake-up, scaled back, in us. */
    String WOKE_LATE = "latest wake-up of a switch";

    /**
     * Frames in the queues of switches and hosts' cards at the end of the run: neither delivered
     * nor lost.
     */
    String WAITING = "frames waiting at the end";

    /** Longest delay from an order's time until it was in force, scaled back, in us. */
    String ORDERED_LATE = "latest order";

    /**
     * Runs an experiment to its end, and removes everything again.
     *
     * @param slower factor by which the bed is slower, a whole number
     * @throws ScenarioException if this bed cannot run it, in a sentence, or it was cancelled
     */
    Observation run(Experiment experiment, long seed, double slower, RunContext context)
            throws ScenarioException;

    /**
     * Returns the bed on the class path.
     *
     * @throws ScenarioException if there is none because the labs module is not on the class path
     */
    static RealBed find() throws ScenarioException {
        return ServiceLoader.load(RealBed.class)
                .findFirst()
                .orElseThrow(() ->
                        new ScenarioException(
                                "no module on the class path runs scenarios on real frames; --bed"
                                        + " virtual does not need one"));
    }
}
