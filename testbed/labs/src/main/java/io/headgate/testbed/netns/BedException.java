package io.headgate.testbed.netns;

import io.headgate.config.Reason;

/** A test bed could not be had: one sentence, fit to be shown to a person as it is. */
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
