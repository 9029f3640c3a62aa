package io.headgate.testbed.virtual.link;

/** Frames of one direction of a link that did not arrive as they were sent, by what happened. */
final class LinkFaultCounts {
    long lost;
    long corrupted;
    long reordered;
    long repeated;
    long noSlot;
    long oversize;
}
