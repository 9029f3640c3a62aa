package io.headgate.control.capture;

/** A capture could not be started: one sentence, fit to be shown to a person as it is. */
public final class CaptureException extends Exception {
    private static final long serialVersionUID = 1;

    public CaptureException(String sentence) {
        super(sentence);
    }

    public CaptureException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
