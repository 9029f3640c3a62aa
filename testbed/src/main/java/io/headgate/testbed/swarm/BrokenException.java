package io.headgate.testbed.swarm;

/** Something that must hold does not: one sentence that says what, where, and by how much. */
final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenException(String sentence) {
        super(sentence);
    }

    BrokenException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
