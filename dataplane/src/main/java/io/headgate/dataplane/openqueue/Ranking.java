package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.Nullable;

/** The packets of a queue by rank. Among equal ones, the one that arrived first ranks higher. */
abstract class Ranking {
    /**
     * Inserts a packet that arrived after all others here.
     *
     * @param key key by which it is ranked, if that is a number; the lowest key ranks highest
     */
    abstract void insert(Place place, long key);

    /** Removes a packet, which must be in this ranking. */
    abstract void remove(Place place);

    /** The packet of the highest rank, or null. */
    abstract @Nullable Packet best();

    /** The packet of the lowest rank, or null. */
    abstract @Nullable Packet worst();
}
