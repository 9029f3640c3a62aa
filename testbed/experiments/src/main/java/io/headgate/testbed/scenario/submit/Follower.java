package io.headgate.testbed.scenario.submit;

import io.headgate.testbed.scenario.ScenarioException;

/** Receives the cells of tasks, and reports on them. */
public interface Follower {
    /** Looks for cells that tasks have written into files that this machine shares. */
    void look() throws ScenarioException;

    /** Takes a line that a task has printed. */
    void line(String line) throws ScenarioException;

    /** Shows a person a sentence. */
    void say(String sentence);
}
