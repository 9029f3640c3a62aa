package io.headgate.testbed.scenario.submit;

import io.headgate.testbed.scenario.ScenarioException;

/** A way to have tasks run by other machines. */
public interface Submitter {
    /** What submits them: a shell script, or a manifest. */
    String script(Tasks tasks) throws ScenarioException;
}
