package io.headgate.control.cli.bench;

import io.headgate.config.Reason;

/** A benchmark cannot be run or went wrong; the message is one sentence for a person. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1;

    public BenchException(String message) {
        super(message);
    }

    /** What a cause says, which is a sentence already. */
    public BenchException(Exception cause) {
        super(Reason.of(cause), cause);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
