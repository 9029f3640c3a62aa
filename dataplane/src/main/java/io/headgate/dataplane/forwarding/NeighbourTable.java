package io.headgate.dataplane.forwarding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The MAC addresses of neighbours, by port and IP address. One writer, any number of readers
 * without locks; during a change, a reader sees the entry before or after it, or none; a frame
 * without an entry goes to the local port, which looks it up again.
 *
 * <p>Open addressing, at most half full. Each slot has a sequence number, odd while it changes:
 * values read between two equal even numbers are consistent.
 */
public final class NeighbourTable {
    /** Result of {@link #lookup} if there is no usable entry. */
    public static final long NONE = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    // Words of a slot.
    private static final int SEQUENCE = 0;
    private static final int HIGH = 1;
    private static final int LOW = 2;

    /** Port above the MAC address; or one of the two below. */
    private static final int VALUE = 3;

    private static final int SLOT_SHIFT = 2;
    private static final long EMPTY = 0;
    private static final long REMOVED = -1;
    private static final int PORT_SHIFT = 48;
    private static final long MAC_MASK = (1L << PORT_SHIFT) - 1;
    private static final long USED_BIT = 1L << 62;

    private final long[] words;
    private final int mask;
    private final int capacity;
    private int size;

    /**
     * @param capacity maximum number of neighbours, 1 to 65,536
     */
    public NeighbourTable(int capacity) {
        if (capacity < 1 || capacity > 1 << 16) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        int slots = Integer.highestOneBit(Math.max(1, 2 * capacity - 1)) << 1;
        this.capacity = capacity;
        this.words = new long[slots << SLOT_SHIFT];
        this.mask = slots - 1;
    }

    /** Any thread: the MAC address of a neighbour; {@link #NONE} if it is not known. */
    public long lookup(int port, long high, long low) {
        int slot = slotOf(port, high, low);
        for (int probes = 0; probes <= mask; probes++) {
            int at = slot << SLOT_SHIFT;
            // Pairs with the release that ends write(): an even number means a whole entry.
            long sequence = (long) WORD.getAcquire(words, at + SEQUENCE);
            long foundHigh = (long) WORD.getOpaque(words, at + HIGH);
            long foundLow = (long) WORD.getOpaque(words, at + LOW);
            long value = (long) WORD.getOpaque(words, at + VALUE);
            // The words above are read before the sequence number is read again.
            VarHandle.acquireFence();
            if ((sequence & 1) != 0 || (long) WORD.getOpaque(words, at + SEQUENCE) != sequence) {
                return NONE;
            }
            if (value == EMPTY) {
                return NONE;
            }
            if (foundLow == low && foundHigh == high && isAt(value, port)) {
                long mac = value & MAC_MASK;
                return mac == 0 ? NONE : mac;
            }
            slot = (slot + 1) & mask;
        }
        return NONE;
    }

    private static boolean isAt(long value, int port) {
        return value != REMOVED && (int) ((value & ~USED_BIT) >>> PORT_SHIFT) == port;
    }

    /**
     * Writer: the slot of a neighbour, or -1.
     *
     * @return 0 to {@link #slots()} - 1; it does not change until the neighbour is removed
     */
    public int find(int port, long high, long low) {
        int slot = slotOf(port, high, low);
        for (int probes = 0; probes <= mask; probes++) {
            int at = slot << SLOT_SHIFT;
            long value = words[at + VALUE];
            if (value == EMPTY) {
                return -1;
            }
            if (words[at + LOW] == low && words[at + HIGH] == high && isAt(value, port)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return -1;
    }

    /**
     * Writer: adds a new neighbour; its MAC address is not known yet.
     *
     * @return its slot, or -1 if the table is full
     */
    public int add(int port, long high, long low) {
        if (size == capacity) {
            return -1;
        }
        int slot = slotOf(port, high, low);
        while (true) {
            long value = words[(slot << SLOT_SHIFT) + VALUE];
            if (value == EMPTY || value == REMOVED) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        size++;
        write(slot, high, low, USED_BIT | ((long) port << PORT_SHIFT));
        return slot;
    }

    /** Writer: sets the MAC address of a neighbour; 0: not known. */
    public void setMac(int slot, long mac) {
        int at = slot << SLOT_SHIFT;
        long value = (words[at + VALUE] & ~MAC_MASK) | (mac & MAC_MASK);
        write(slot, words[at + HIGH], words[at + LOW], value);
    }

    /** Writer: forgets a neighbour. */
    public void remove(int slot) {
        size--;
        write(slot, 0, 0, REMOVED);
        if (words[(((slot + 1) & mask) << SLOT_SHIFT) + VALUE] != EMPTY) {
            return;
        }
        // Nothing is probed past an empty slot, so the removed ones before it can be emptied.
        int last = slot;
        while (words[(last << SLOT_SHIFT) + VALUE] == REMOVED) {
            write(last, 0, 0, EMPTY);
            last = (last - 1) & mask;
        }
    }

    private void write(int slot, long high, long low, long value) {
        int at = slot << SLOT_SHIFT;
        long sequence = words[at + SEQUENCE];
        WORD.setOpaque(words, at + SEQUENCE, sequence + 1);
        // The odd number is seen before any of the new words.
        VarHandle.releaseFence();
        WORD.setOpaque(words, at + HIGH, high);
        WORD.setOpaque(words, at + LOW, low);
        WORD.setOpaque(words, at + VALUE, value);
        // Pairs with the acquire in lookup.
        WORD.setRelease(words, at + SEQUENCE, sequence + 2);
    }

    /** How many more neighbours can be added. */
    public int free() {
        return capacity - size;
    }

    public boolean isUsed(int slot) {
        long value = words[(slot << SLOT_SHIFT) + VALUE];
        return value != EMPTY && value != REMOVED;
    }

    public int port(int slot) {
        return (int) ((words[(slot << SLOT_SHIFT) + VALUE] & ~USED_BIT) >>> PORT_SHIFT);
    }

    public long high(int slot) {
        return words[(slot << SLOT_SHIFT) + HIGH];
    }

    public long low(int slot) {
        return words[(slot << SLOT_SHIFT) + LOW];
    }

    /** The MAC address of a slot's neighbour; 0: not known. */
    public long mac(int slot) {
        return words[(slot << SLOT_SHIFT) + VALUE] & MAC_MASK;
    }

    /** Receives the neighbours of {@link #forEach}. */
    @FunctionalInterface
    public interface Visitor {
        /** {@code mac} is 0 if it is not known yet. */
        void visit(int port, long high, long low, long mac);
    }

    /** Any thread: visits all entries; those that are being changed may be left out. */
    public void forEach(Visitor visitor) {
        for (int slot = 0; slot <= mask; slot++) {
            int at = slot << SLOT_SHIFT;
            long sequence = (long) WORD.getAcquire(words, at + SEQUENCE);
            long high = (long) WORD.getOpaque(words, at + HIGH);
            long low = (long) WORD.getOpaque(words, at + LOW);
            long value = (long) WORD.getOpaque(words, at + VALUE);
            VarHandle.acquireFence();
            if ((sequence & 1) == 0
                    && (long) WORD.getOpaque(words, at + SEQUENCE) == sequence
                    && value != EMPTY
                    && value != REMOVED) {
                int port = (int) ((value & ~USED_BIT) >>> PORT_SHIFT);
                visitor.visit(port, high, low, value & MAC_MASK);
            }
        }
    }

    public int size() {
        return size;
    }

    public int slots() {
        return mask + 1;
    }

    private int slotOf(int port, long high, long low) {
        long mixed = ((high + port) * 0x9E37_79B9_7F4A_7C15L) ^ low;
        return (int) ((mixed * 0xBF58_476D_1CE4_E5B9L) >>> 33) & mask;
    }
}
