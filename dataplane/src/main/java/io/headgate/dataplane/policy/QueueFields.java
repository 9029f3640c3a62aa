package io.headgate.dataplane.policy;

/** A policy's read-only view of a port's queues. Queues are numbered from 0, at most 32. */
public interface QueueFields {

    int queues();

    /** Frames that wait in a queue. */
    int frames(int queue);

    /** Bytes that wait in a queue. */
    long bytes(int queue);

    /** Maximum bytes in a queue; {@link Long#MAX_VALUE} for one that does not drop. */
    long limitBytes(int queue);

    /** Length in bytes of the frame that leaves a queue next; 0 if none waits. */
    int headBytes(int queue);

    /**
     * Number of the frame that leaves a queue next, in the order in which frames came to the port;
     * 0 if none waits. Only if the queues read it ({@link Schedule#readsArrivals}).
     */
    long headArrival(int queue);
}
