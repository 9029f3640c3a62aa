package io.headgate.hostagent.rdma;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What became of a measurement.
 *
 * @param failure why it ended before it was done, in a sentence; null: it did not
 */
public record RdmaReport(List<Connection> connections, @Nullable String failure) {
    public RdmaReport {
        connections = List.copyOf(connections);
    }

    /**
     * The figures of one connection.
     *
     * @param messages acknowledged whole, or, at a server, received whole
     * @param bytes their payload
     * @param elapsedNs from the first message's beginning to the last one's end
     * @param timesNs of messages: from the first packet's sending to the acknowledgement; where
     *     latency is measured, there and back
     * @param repeats packets that were sent again
     * @param naks times that the other end missed a packet
     * @param timeouts times that it did not answer in time
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

    /** Payload per second of all connections, in bits: each over its own time. */
    public double goodputBps() {
        return connections.stream()
                .filter(one -> one.elapsedNs() > 0)
                .mapToDouble(one -> one.bytes() * 8e9 / one.elapsedNs())
                .sum();
    }
}
