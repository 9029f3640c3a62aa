package io.headgate.testbed.virtual.link;

/**
 * Counters of the frames of one direction of a link that did not arrive as they were sent, one
 * counter for each kind of fault.
 */
final class LinkFaultCounts {
    long lost;
    long corrupted;
    long reordered;
    long repeated;
    long noSlot;
    long oversize;
}
