package io.headgate.dataplane.device;

/**
 * Thrown when a device cannot be opened. Its message is one sentence for the user: what failed,
 * where, and how to fix it.
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
