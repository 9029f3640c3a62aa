package io.headgate.testbed.netns;

import io.headgate.config.Reason;

/**
 * Reports that a test bed could not be made, in one sentence that can be shown to a person as it
 * is.
 */
public final class BedException extends Exception {
    private static final long serialVersionUID = 1;

    public BedException(String sentence) {
        super(sentence);
    }

    /** For a reason that speaks for itself. */
    public BedException(Throwable cause) {
        super(Reason.of(cause), cause);
    }

    public BedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
