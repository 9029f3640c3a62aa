package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.Nullable;

/** The packets of a queue by their rank. Of equal ones the one that came first ranks higher. */
abstract class Ranking {
    /**
     * A packet that came after all others here.
     *
     * @param key by which it is ranked, the lowest highest, where that is a number
     */
    abstract void insert(Place place, long key);

    /** Takes out a packet that is here. */
    abstract void remove(Place place);

    /** The packet of the highest rank, or null. */
    abstract @Nullable Packet best();

    /** The packet of the lowest rank, or null. */
    abstract @Nullable Packet worst();
}
