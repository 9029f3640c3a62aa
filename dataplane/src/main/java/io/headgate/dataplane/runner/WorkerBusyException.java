package io.headgate.dataplane.runner;

/**
 * Thrown when a worker did not run an order in time, perhaps because it had no core. The message is
 * one sentence that can be shown to a person.
 */
public final class WorkerBusyException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    WorkerBusyException(String sentence) {
        super(sentence);
    }
}
