package io.headgate.testbed.virtual;

/** What has become of frames on one direction of a link that did not arrive as they were sent. */
final class LinkMishaps {
    long lost;
    long corrupted;
    long reordered;
    long repeated;
    long noSlot;
    long oversize;
}
