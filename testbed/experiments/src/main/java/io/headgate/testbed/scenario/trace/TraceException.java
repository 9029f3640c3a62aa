package io.headgate.testbed.scenario.trace;

/** A recording cannot be written or read, in one sentence. */
public final class TraceException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param sentence without full stop
     */
    public TraceException(String sentence) {
        super(sentence);
    }

    /**
     * @param sentence without full stop
     */
    public TraceException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
