package io.headgate.control.capture;

/**
 * Reports that a capture could not be started, in one sentence that can be shown to a person as it
 * is.
 */
public final class CaptureException extends Exception {
    private static final long serialVersionUID = 1;

    public CaptureException(String sentence) {
        super(sentence);
    }

    public CaptureException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
