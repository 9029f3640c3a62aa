package io.headgate.testbed.swarm.check;

/** A check failed: the message is one sentence that says what, where, and by how much. */
public final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BrokenException(String sentence) {
        super(sentence);
    }

    public BrokenException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
