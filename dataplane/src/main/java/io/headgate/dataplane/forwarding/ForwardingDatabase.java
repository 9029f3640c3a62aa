package io.headgate.dataplane.forwarding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;

/**
 * The filtering database of a bridge (IEEE 802.1Q clause 8.8): which port an address was last seen
 * on, per VLAN. One writer, any number of readers without locks; during a change, a reader sees the
 * entry before or after it, or none; a frame without an entry is flooded, which is always correct.
 *
 * <p>Open addressing over pairs of longs, at most half full. Keys are VLAN (12 bits) and MAC (48);
 * above them is a number that changes with every new key of a place. Without it, a reader delayed
 * between reading a key and its entry could take another address's entry, if that address had been
 * added and removed in between and the first one was back: now this would need sixteen such changes
 * during one delay.
 */
public final class ForwardingDatabase {
    /** Result of {@link #lookup} if there is no entry. */
    public static final long NONE = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long EMPTY = 0;
    private static final int TENANT_SHIFT = 60;
    private static final long KEY_MASK = (1L << TENANT_SHIFT) - 1;
    private static final long REMOVED = KEY_MASK;
    private static final long STATIC_BIT = 1L << 62;
    private static final int PORT_SHIFT = 44;
    private static final long SEEN_MASK = (1L << PORT_SHIFT) - 1;
    private static final int PORT_MASK = 0xFFFF;

    /** The size of a database that learns nothing, as in a router. */
    public static final int LEAST_ENTRIES = 16;

    private final long[] pairs;
    private final int mask;
    private final int capacity;
    private int size;
    private int sweepAt;

    /**
     * @param capacity maximum number of entries, 16 to 1,048,576
     */
    public ForwardingDatabase(int capacity) {
        if (capacity < LEAST_ENTRIES || capacity > 1 << 20) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        int slots = Integer.highestOneBit(2 * capacity - 1) << 1;
        this.capacity = capacity;
        this.pairs = new long[2 * slots];
        this.mask = slots - 1;
    }

    public static long key(int vlan, long mac) {
        return ((long) vlan << 48) | mac;
    }

    public static long mac(long key) {
        return key & 0xFFFF_FFFF_FFFFL;
    }

    public static int vlan(long key) {
        return (int) (key >>> 48);
    }

    public static int port(long entry) {
        return (int) (entry >>> PORT_SHIFT) & PORT_MASK;
    }

    public static boolean isStatic(long entry) {
        return (entry & STATIC_BIT) != 0;
    }

    /** When the address was last seen, in ms of the engine's clock. */
    public static long seenMs(long entry) {
        return entry & SEEN_MASK;
    }

    /** Any thread: the entry of a key, or {@link #NONE}. */
    public long lookup(long key) {
        return lookup(pairs, key);
    }

    /** The words that {@link #lookup(long[], long)} reads; always the same array. */
    long[] words() {
        return pairs;
    }

    /** As {@link #lookup(long)}, for a caller that looks up many keys. */
    static long lookup(long[] words, long key) {
        int mask = (words.length >>> 1) - 1;
        int slot = slotOf(key, mask);
        // Bounded: addresses chosen for their hashes could use up the empty slots.
        for (int probes = 0; probes <= mask; probes++) {
            // Pairs with the release in put: a reader that sees the key sees its entry.
            long found = (long) WORD.getAcquire(words, slot << 1);
            if ((found & KEY_MASK) == key) {
                long entry = (long) WORD.getAcquire(words, (slot << 1) + 1);
                // The slot may have been given to another key in between.
                if ((long) WORD.getOpaque(words, slot << 1) == found) {
                    return entry;
                }
                return NONE;
            }
            if ((found & KEY_MASK) == EMPTY) {
                return NONE;
            }
            slot = (slot + 1) & mask;
        }
        return NONE;
    }

    /**
     * Writer: adds an entry or changes it.
     *
     * @return false if the table is full
     */
    public boolean put(long key, int port, boolean isStatic, long seenMs) {
        long entry =
                ((long) port << PORT_SHIFT) | (seenMs & SEEN_MASK) | (isStatic ? STATIC_BIT : 0);
        int slot = slotOf(key, mask);
        int reusable = -1;
        for (int probes = 0; probes <= mask; probes++) {
            long found = keyAt(slot);
            if (found == key) {
                WORD.setRelease(pairs, (slot << 1) + 1, entry);
                return true;
            }
            if (found == REMOVED && reusable < 0) {
                reusable = slot;
            }
            if (found == EMPTY) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        if (size == capacity) {
            return false;
        }
        size++;
        int target = reusable >= 0 ? reusable : slot;
        WORD.setRelease(pairs, (target << 1) + 1, entry);
        // Pairs with the acquire in lookup.
        long tenant = (pairs[target << 1] & ~KEY_MASK) + (1L << TENANT_SHIFT);
        WORD.setRelease(pairs, target << 1, tenant | key);
        return true;
    }

    /** Writer: removes a key; absent keys are ignored. */
    public void remove(long key) {
        int slot = slotOf(key, mask);
        for (int probes = 0; probes <= mask && keyAt(slot) != EMPTY; probes++) {
            if (keyAt(slot) == key) {
                removeAt(slot);
                return;
            }
            slot = (slot + 1) & mask;
        }
    }

    private void removeAt(int slot) {
        size--;
        WORD.setRelease(pairs, slot << 1, pairs[slot << 1] | REMOVED);
        if (keyAt((slot + 1) & mask) != EMPTY) {
            return;
        }
        // No probe goes past an empty slot, so a run of removed slots before one can be emptied:
        // otherwise probes would become longer and longer.
        int last = slot;
        while (keyAt(last) == REMOVED) {
            WORD.setRelease(pairs, last << 1, pairs[last << 1] & ~KEY_MASK);
            last = (last - 1) & mask;
        }
    }

    /** Writer: the key in a slot, {@link #EMPTY} or {@link #REMOVED}. */
    private long keyAt(int slot) {
        return pairs[slot << 1] & KEY_MASK;
    }

    /**
     * Writer: checks the next few slots and removes the entries for which {@code expired} is true.
     *
     * @return how many entries were removed
     */
    public int sweep(int slots, LongPredicate expired) {
        int removed = 0;
        for (int i = 0; i < slots; i++) {
            long key = keyAt(sweepAt);
            if (key != EMPTY && key != REMOVED && expired.test(pairs[(sweepAt << 1) + 1])) {
                removeAt(sweepAt);
                removed++;
            }
            sweepAt = (sweepAt + 1) & mask;
        }
        return removed;
    }

    /** Receives the entries of {@link #forEach}. */
    @FunctionalInterface
    public interface Visitor {
        void visit(long key, long entry);
    }

    /** Any thread: visits all entries, each as it is when it is passed. */
    public void forEach(Visitor visitor) {
        for (int slot = 0; slot <= mask; slot++) {
            long found = (long) WORD.getAcquire(pairs, slot << 1);
            long key = found & KEY_MASK;
            if (key != EMPTY && key != REMOVED) {
                long entry = (long) WORD.getAcquire(pairs, (slot << 1) + 1);
                if ((long) WORD.getOpaque(pairs, slot << 1) == found) {
                    visitor.visit(key, entry);
                }
            }
        }
    }

    public int size() {
        return size;
    }

    /** Number of slots that a whole sweep checks. */
    public int slots() {
        return mask + 1;
    }

    static int slotOf(long key, int mask) {
        // Fibonacci hashing: vendor prefixes and small host numbers spread over the whole table.
        return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >>> 33) & mask;
    }
}
