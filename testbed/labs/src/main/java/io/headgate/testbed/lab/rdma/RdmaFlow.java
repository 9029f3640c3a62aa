package io.headgate.testbed.lab.rdma;

import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rdma.PerfPlan;
import org.jspecify.annotations.Nullable;

/**
 * A flow of messages over reliable connections.
 *
 * @param name by which measures are asked for; empty: none
 * @param from the sender's number, from 0
 * @param to the receiver's
 * @param test by which verb messages are sent
 * @param messageBytes of each message
 * @param queuePairs number of connections
 * @param depth messages of a connection under way
 * @param startMs after the beginning
 * @param durationMs for which new messages are sent
 * @param dscp of its packets, 0 to 63
 * @param timeoutNs after which packets without an acknowledgement are sent again; 0: as {@code
 *     headgate rdma} has it for the link's rate
 * @param reordering with selective repair, the packets after which one that has not come is lost;
 *     0: connections go back to the first one missing
 * @param control how fast it may send; null: as fast as the card
 */
public record RdmaFlow(
        String name,
        int from,
        int to,
        PerfPlan.Test test,
        int messageBytes,
        int queuePairs,
        int depth,
        long startMs,
        long durationMs,
        int dscp,
        long timeoutNs,
        int reordering,
        @Nullable RateControls<?> control) {
    /**
     * The most that the messages of a flow may take, as those of {@code headgate rdma}. Packets
     * that selective repair keeps do not count: for them a server has room of its own, for any
     * number of connections.
     */
    public static final long MOST_BYTES = 65L << 20;

    private static final int ALIGNMENT_BYTES = 64;

    /**
     * The result of a flow.
     *
     * @param receivedBps payload, in bits per second
     */
    public record Received(RdmaFlow flow, double receivedBps) {}

    /** What a server has memory for: a message of each connection. */
    public long memoryBytes() {
        return (long) queuePairs * (messageBytes + ALIGNMENT_BYTES);
    }

    /** What is sent again, by the word of the file. */
    public String transport() {
        return reordering == 0 ? "rocev2" : "selective";
    }

    /** By which messages are sent, by the word of the file. */
    public String verb() {
        return test == PerfPlan.Test.WRITE_BW ? "write" : "send";
    }

    String controlName() {
        return control == null ? "none" : control.mechanism().name();
    }
}
