package io.headgate.testbed.netns;

/** A test bed could not be had: one sentence, fit to be shown to a person as it is. */
public final class BedException extends Exception {
    private static final long serialVersionUID = 1;

    public BedException(String sentence) {
        super(sentence);
    }

    /** For a reason that speaks for itself. */
    public BedException(Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }

    public BedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
