package io.headgate.testbed.netns;

import io.headgate.config.Reason;
import java.io.IOException;

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

    /** Work with files. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Does something with files; says what cannot be done, and why, where it fails. */
    public static <T> T unless(String cannot, Work<T> work) throws BedException {
        try {
            return work.run();
        } catch (IOException e) {
            throw new BedException(cannot + ": " + Reason.of(e), e);
        }
    }
}
