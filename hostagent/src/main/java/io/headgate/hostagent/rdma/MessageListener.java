package io.headgate.hostagent.rdma;

/** Receives a call for each complete message. */
@FunctionalInterface
public interface MessageListener {
    /** Ignores the calls. */
    MessageListener NONE = (nowNs, bytes, startedNs) -> {};

    /**
     * A message is complete: acknowledged whole, or, at the receiver, there whole.
     *
     * @param startedNs time when its first packet was sent, or came
     */
    void completed(long nowNs, long bytes, long startedNs);
}
