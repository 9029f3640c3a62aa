package io.headgate.hostagent.rdma;

import java.util.Arrays;

/**
 * The sending end's part of selective repair: knows the packets that the receiver holds, and finds
 * the lost ones among the others (IRN: Mittal et al., "Revisiting network support for RDMA",
 * SIGCOMM 2018, section 3.1). Only lost packets are sent again, ahead of new ones, instead of going
 * back to the first missing packet.
 *
 * <p>A packet is lost once the receiver holds one that was sent {@code reordering} or more packets
 * after it. With 1 this is the paper's rule; its section 3.1 has a threshold for networks that
 * reorder, like TCP's (RFC 6675, DupThresh). A packet that was sent again counts as sent after all
 * that were sent before, so that the loss of a repetition is found in the same way; the paper waits
 * for the time-out. After a time-out all packets that the receiver does not hold are lost.
 *
 * <p>Owned by the sending host. Memory grows with the packets under way, at most the window;
 * nothing is allocated per packet.
 */
final class SelectiveRepair {
    static final long NONE = -1;

    private static final int LEAST_PACKETS = Long.SIZE;

    private final int reordering;

    // By packet, a ring: whether the receiver holds it, and the packet that it was sent behind.
    private long[] held = new long[1];
    private long[] behind = new long[LEAST_PACKETS];

    private long highestHeld = NONE;
    private long lost = NONE;

    // Behind the last packet that may be lost.
    private long searchEnd;

    // Episode of loss: over when this packet is acknowledged.
    private long recovery = NONE;

    /**
     * @param window maximum number of packets under way: a power of two, at least 64
     * @param reordering number of later packets that may overtake one in the network, at least 1
     */
    SelectiveRepair(int window, int reordering) {
        if (window < LEAST_PACKETS || Integer.bitCount(window) != 1 || reordering < 1) {
            throw new IllegalArgumentException(
                    "a window of %d packets, reordered by up to %d".formatted(window, reordering));
        }
        this.reordering = reordering;
    }

    /** The first lost packet, which is sent next; {@link #NONE}. */
    long lost() {
        return lost;
    }

    /** A packet was sent for the first time. */
    void sent(long packet, long acknowledged) {
        if (packet - acknowledged >= behind.length) {
            grow(acknowledged, packet);
        }
        behind[slot(packet)] = packet;
    }

    private void grow(long from, long to) {
        long[] oldHeld = held;
        long[] oldBehind = behind;
        behind = new long[2 * oldBehind.length];
        held = new long[2 * oldHeld.length];
        for (long packet = from; packet < to; packet++) {
            int slot = (int) packet & (oldBehind.length - 1);
            behind[slot(packet)] = oldBehind[slot];
            if ((oldHeld[slot >>> 6] >>> packet & 1) != 0) {
                held[slot(packet) >>> 6] |= 1L << packet;
            }
        }
    }

    private int slot(long packet) {
        return (int) packet & (behind.length - 1);
    }

    /** Whether the receiver holds a packet that is not acknowledged. */
    boolean isHeld(long packet) {
        return (held[slot(packet) >>> 6] >>> packet & 1) != 0;
    }

    /** The lost packet was sent again, when {@code highest} was the next new one. */
    void repaired(long highest) {
        behind[slot(lost)] = highest;
        lost = find(lost + 1);
    }

    /** All packets before {@code to} have arrived. */
    void advanced(long from, long to) {
        for (long packet = from; packet < to; packet++) {
            held[slot(packet) >>> 6] &= ~(1L << packet);
        }
        if (lost < to) {
            lost = find(to);
        }
    }

    /**
     * The receiver has reported the packets that it holds.
     *
     * @param base the packet of the first bit, a multiple of 64
     * @param low bits of 64 packets, the first in the lowest bit
     * @param high bits of the next 64
     * @return whether the report has something new; not if it is about packets that were never sent
     */
    boolean report(long base, long low, long high, long acknowledged, long highest) {
        boolean isNew = report(base, low, acknowledged, highest);
        isNew |= report(base + Long.SIZE, high, acknowledged, highest);
        searchEnd = Math.max(searchEnd, highestHeld);
        lost = find(acknowledged);
        return isNew;
    }

    private boolean report(long base, long bits, long acknowledged, long highest) {
        if (base + Long.SIZE <= acknowledged || base >= highest) {
            return false;
        }
        long sent = bits & from(acknowledged - base) & ~from(highest - base);
        int word = slot(base) >>> 6;
        boolean isNew = (sent & ~held[word]) != 0;
        held[word] |= sent;
        if (sent != 0) {
            highestHeld = Math.max(highestHeld, base + 63 - Long.numberOfLeadingZeros(sent));
        }
        return isNew;
    }

    /** The bits from that one on. */
    static long from(long bit) {
        return bit <= 0 ? -1L : bit >= Long.SIZE ? 0 : -1L << bit;
    }

    /**
     * Nothing was acknowledged for too long: all packets that the receiver does not hold are lost.
     */
    void timedOut(long acknowledged, long highest) {
        for (long packet = acknowledged; packet < highest; packet++) {
            behind[slot(packet)] = highestHeld - reordering;
        }
        searchEnd = highest;
        lost = find(acknowledged);
    }

    /** Whether the last report begins an episode of loss. */
    boolean beginsRecovery(long acknowledged, long highest) {
        if (lost == NONE || acknowledged <= recovery) {
            return false;
        }
        recovery = highest - 1;
        return true;
    }

    /** The first lost packet from that one on. */
    private long find(long from) {
        for (long packet = from; packet < searchEnd; packet++) {
            long word = ~held[slot(packet) >>> 6] & from(packet & (Long.SIZE - 1));
            if (word == 0) {
                packet |= Long.SIZE - 1;
                continue;
            }
            packet = (packet & -Long.SIZE) + Long.numberOfTrailingZeros(word);
            if (packet < searchEnd && highestHeld - behind[slot(packet)] >= reordering) {
                return packet;
            }
        }
        return NONE;
    }

    @Override
    public String toString() {
        return "repair[lost %d, highest held %d, held %s]"
                .formatted(lost, highestHeld, Arrays.toString(held));
    }
}
