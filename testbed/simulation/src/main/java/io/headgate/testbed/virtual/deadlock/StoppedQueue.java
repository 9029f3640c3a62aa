package io.headgate.testbed.virtual.deadlock;

import java.util.Comparator;

/**
 * A queue of a switch's or host's port whose frames may not leave. Ordered by node, port number and
 * priority.
 *
 * @param port number of the port, from 0
 * @param portName as the configuration calls it
 */
public record StoppedQueue(String node, int port, String portName, int priority)
        implements Comparable<StoppedQueue> {
    private static final Comparator<StoppedQueue> ORDER =
            Comparator.comparing(StoppedQueue::node)
                    .thenComparingInt(StoppedQueue::port)
                    .thenComparingInt(StoppedQueue::priority);

    @Override
    public int compareTo(StoppedQueue other) {
        return ORDER.compare(this, other);
    }

    /** Such as {@code s1:p2 priority 3}. */
    @Override
    public String toString() {
        return node + ":" + portName + " priority " + priority;
    }
}
