package io.headgate.control.daemon;

/**
 * Reports that a daemon could not be started or reached, or refused, in one sentence for a person.
 */
public final class DaemonException extends Exception {
    private static final long serialVersionUID = 1;

    public DaemonException(String sentence) {
        super(sentence);
    }

    public DaemonException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
