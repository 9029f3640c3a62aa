package io.headgate.testbed.scenario.submit;

import io.headgate.testbed.scenario.ScenarioException;

/** A way to run tasks on other machines. */
public interface Submitter {
    /** The text that submits them: a shell script, or a manifest. */
    String script(Tasks tasks) throws ScenarioException;
}
