package io.headgate.control.cli.bench;

import io.headgate.config.Reason;

/** Reports that a benchmark cannot run or failed; the message is one sentence for a person. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1;

    public BenchException(String message) {
        super(message);
    }

    /** Takes the message of a cause, which is already a sentence. */
    public BenchException(Exception cause) {
        super(Reason.of(cause), cause);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
