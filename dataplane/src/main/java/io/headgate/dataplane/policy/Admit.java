package io.headgate.dataplane.policy;

/**
 * Admission policy: decides whether a frame may join a queue. Not called for queues of lossless
 * priorities.
 */
public interface Admit {

    /**
     * Whether to admit a frame.
     *
     * @param queue the queue that it would join, which does not contain it yet
     * @param frameBytes its length
     */
    boolean admits(QueueFields queues, int queue, int frameBytes);
}
