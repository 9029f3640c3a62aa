package io.headgate.dataplane.openqueue;

/**
 * The packets of a queue by their rank. Of equal ones the one that came first ranks higher. Packets
 * are told apart by their numbers in a {@link PacketTable}.
 */
abstract class Ranking {
    static final int NONE = -1;

    /**
     * A packet that came after all others here.
     *
     * @param key by which it is ranked, the lowest highest, where that is a number
     */
    abstract void insert(int packet, long key);

    /** Takes out a packet that is here. */
    abstract void remove(int packet);

    /** The packet of the highest rank; {@link #NONE} if there is none. */
    abstract int best();

    /** The packet of the lowest rank; {@link #NONE} if there is none. */
    abstract int worst();

    /** Packets may now have numbers up to another capacity. */
    abstract void grow(int capacity);
}
