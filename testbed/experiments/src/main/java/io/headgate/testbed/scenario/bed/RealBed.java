package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import java.util.ServiceLoader;

/**
 * The bed of real frames. It needs network namespaces, as labs do, and so is with these; scenarios
 * find it as a service, and know what it measures of itself.
 */
public interface RealBed {
    /**
     * Longest time for which the machine ran none of the hosts, scaled back, in us; frames sent
     * meanwhile are late by up to this time.
     */
    String HELD_UP = "longest pause of the hosts";

    /** How late a switch woke at worst, scaled back, in us. */
    String WOKE_LATE = "latest wake-up of a switch";

    /**
     * Frames in the queues of switches and hosts' cards when the run ended: neither come nor lost.
     */
    String WAITING = "frames waiting at the end";

    /** How long after its time an order was in force at worst, scaled back, in us. */
    String ORDERED_LATE = "latest order";

    /**
     * Runs an experiment to its end, and removes everything again.
     *
     * @param slower factor, a whole number
     * @throws ScenarioException if this bed cannot run it, in a sentence, or it was cancelled
     */
    Observation run(Experiment experiment, long seed, double slower, RunContext context)
            throws ScenarioException;

    /**
     * The one that is there.
     *
     * @throws ScenarioException if none is, where testbed's labs are not on the class path
     */
    static RealBed find() throws ScenarioException {
        return ServiceLoader.load(RealBed.class)
                .findFirst()
                .orElseThrow(() ->
                        new ScenarioException(
                                "nothing on the class path runs scenarios on real frames;"
                                        + " --bed virtual does without"));
    }
}
