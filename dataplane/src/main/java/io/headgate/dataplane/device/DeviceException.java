package io.headgate.dataplane.device;

/**
 * A device could not be opened: one sentence that says what, where, and what to do about it, fit to
 * be shown to a person as it is.
 */
public final class DeviceException extends Exception {
    private static final long serialVersionUID = 1;

    public DeviceException(String sentence) {
        super(sentence);
    }

    public DeviceException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
