package io.headgate.testbed.scenario.submit;

import io.headgate.testbed.scenario.ScenarioException;

/** A submitter whose tasks this process follows until they end. */
public interface FollowedSubmitter extends Submitter {
    /**
     * Submits the tasks and waits until none of them runs any more, whether they succeeded or not:
     * the cells that exist show which work is left.
     *
     * @throws ScenarioException if they cannot be submitted
     */
    void run(Tasks tasks, Follower follower) throws ScenarioException;

    /** Cancels the submitted tasks. Any thread. */
    void cancel();
}
