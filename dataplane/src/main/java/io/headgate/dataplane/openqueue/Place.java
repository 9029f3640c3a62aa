package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.Nullable;

/**
 * A packet's place in a {@link Ranking}; the fields are used by that ranking. A packet is itself
 * its place in its queue's sending order, so that it is found in one step.
 */
sealed class Place permits Packet {
    /** The packet; null for the end of a list. */
    final @Nullable Packet packet;

    @Nullable Place before;
    @Nullable Place behind;

    /** Its position in a ring or a heap, or the number of its list. */
    int at;

    long key;

    /** Creates a packet's own place, or the end of a list. */
    Place() {
        this.packet = this instanceof Packet self ? self : null;
    }

    Place(Packet packet) {
        this.packet = packet;
    }
}
