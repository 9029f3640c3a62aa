package io.headgate.testbed.swarm.check;

/** Something that must hold does not: one sentence that says what, where, and by how much. */
public final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BrokenException(String sentence) {
        super(sentence);
    }

    public BrokenException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
