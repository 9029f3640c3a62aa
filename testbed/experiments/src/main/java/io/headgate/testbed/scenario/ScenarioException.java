package io.headgate.testbed.scenario;

import io.headgate.config.Reason;

/**
 * A scenario cannot be run as asked. The message says what is wrong and where, and what is allowed
 * or how to correct it.
 */
public final class ScenarioException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param sentence without full stop
     */
    public ScenarioException(String sentence) {
        super(sentence);
    }

    /** An exception with the message of another one. */
    public ScenarioException(Exception cause) {
        super(Reason.of(cause), cause);
    }

    /**
     * @param sentence without full stop
     */
    public ScenarioException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
