package io.headgate.control.daemon;

/** A daemon could not be started or reached, or refuses: one sentence for a person as it is. */
public final class DaemonException extends Exception {
    private static final long serialVersionUID = 1;

    public DaemonException(String sentence) {
        super(sentence);
    }

    public DaemonException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
