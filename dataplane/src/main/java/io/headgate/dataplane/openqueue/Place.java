package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.Nullable;

/**
 * A packet's place in a {@link Ranking}: which one it is in uses it as it likes. A packet is itself
 * its place among those of its queue as they are sent, so that it is found in one step.
 */
sealed class Place permits Packet {
    /** None where it is the end of a list. */
    final @Nullable Packet packet;

    @Nullable Place before;
    @Nullable Place behind;

    /** Where it is in a ring or a heap, or the number of its list. */
    int at;

    long key;

    /** A packet itself, or the end of a list. */
    Place() {
        this.packet = this instanceof Packet self ? self : null;
    }

    Place(Packet packet) {
        this.packet = packet;
    }
}
