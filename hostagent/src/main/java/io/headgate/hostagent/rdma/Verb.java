package io.headgate.hostagent.rdma;

/**
 * The kind of a message: sent into the next buffer of the receiver, or written to an address that
 * its sender chooses.
 */
public enum Verb {
    SEND,
    WRITE
}
