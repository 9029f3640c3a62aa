package io.headgate.hostagent.rdma;

/**
 * What a message is: sent into the next buffer of the receiver, or written where its sender says.
 */
public enum Verb {
    SEND,
    WRITE
}
