package io.headgate.hostagent.rdma;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a measurement.
 *
 * @param failure why it ended too early, in a sentence; null: it did not
 */
public record RdmaReport(List<Connection> connections, @Nullable String failure) {
    public RdmaReport {
        connections = List.copyOf(connections);
    }

    /**
     * The figures of one connection.
     *
     * @param messages number of completely acknowledged messages, or, at a server, completely
     *     received ones
     * @param bytes their payload
     * @param elapsedNs time from the first message's beginning to the last one's end
     * @param timesNs times of messages: from the first packet's sending to the acknowledgement; if
     *     latency is measured, there and back
     * @param repeats packets that were sent again
     * @param naks number of times that the other end missed a packet
     * @param timeouts number of times that it did not answer in time
     */
    public record Connection(
            int queuePair,
            long messages,
            long bytes,
            long elapsedNs,
            Histogram timesNs,
            long repeats,
            long naks,
            long timeouts) {}

    /** Payload rate of all connections, in bits per second, each over its own time. */
    public double goodputBps() {
        return connections.stream()
                .filter(one -> one.elapsedNs() > 0)
                .mapToDouble(one -> one.bytes() * 8e9 / one.elapsedNs())
                .sum();
    }
}
