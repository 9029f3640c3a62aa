package io.headgate.dataplane.runner;

/**
 * A worker did not do in time what it was asked to, and may not have had a core to do it: one
 * sentence, fit to be shown to a person as it is.
 */
public final class WorkerBusyException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    WorkerBusyException(String sentence) {
        super(sentence);
    }
}
