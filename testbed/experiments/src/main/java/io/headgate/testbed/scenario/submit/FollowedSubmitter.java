package io.headgate.testbed.scenario.submit;

import io.headgate.testbed.scenario.ScenarioException;

/** One whose tasks are followed to their ends. */
public interface FollowedSubmitter extends Submitter {
    /**
     * Submits the tasks and waits until none of them runs any more, whatever became of them: which
     * cells there are says what is left to do.
     *
     * @throws ScenarioException if they cannot be submitted
     */
    void run(Tasks tasks, Follower follower) throws ScenarioException;

    /** Ends what was submitted. Any thread. */
    void cancel();
}
