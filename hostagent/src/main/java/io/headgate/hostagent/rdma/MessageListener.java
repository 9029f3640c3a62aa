package io.headgate.hostagent.rdma;

/** Told of messages that are complete. */
@FunctionalInterface
public interface MessageListener {
    /** For those who do not care. */
    MessageListener NONE = (nowNs, bytes, startedNs) -> {};

    /**
     * A message is complete: acknowledged whole, or, at the receiver, there whole.
     *
     * @param startedNs when its first packet was sent, or came
     */
    void completed(long nowNs, long bytes, long startedNs);
}
