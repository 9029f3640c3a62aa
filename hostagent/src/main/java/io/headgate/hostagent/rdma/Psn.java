package io.headgate.hostagent.rdma;

/**
 * Packet sequence numbers: 24 bits on the wire, counted on without end within an endpoint. Two
 * numbers less than 2^23 apart have an order (InfiniBand architecture volume 1, section 9.7.1).
 */
public final class Psn {
    public static final int BITS = 24;
    public static final int MASK = (1 << BITS) - 1;

    /** Maximum number of packets that may be under way. */
    public static final int MOST_UNDER_WAY = 1 << (BITS - 1);

    private Psn() {}

    /** The form of a number on the wire. */
    public static int of(long sequence) {
        return (int) sequence & MASK;
    }

    /** The full number with the given low 24 bits that is nearest to another. */
    public static long widen(int psn, long near) {
        int difference = (psn - (int) near) << (Integer.SIZE - BITS) >> (Integer.SIZE - BITS);
        return near + difference;
    }
}
