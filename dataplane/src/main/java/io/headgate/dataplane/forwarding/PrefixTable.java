package io.headgate.dataplane.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Longest prefix match over 128-bit keys: one open-addressing hash table per prefix length, at most
 * half full, searched from the longest prefix to the shortest. Immutable.
 */
final class PrefixTable {
    static final int NONE = -1;

    private final OneLength[] longestFirst;

    private PrefixTable(OneLength[] longestFirst) {
        this.longestFirst = longestFirst;
    }

    int lookup(long high, long low) {
        for (OneLength table : longestFirst) {
            int value = table.get(high & table.maskHigh, low & table.maskLow);
            if (value != NONE) {
                return value;
            }
        }
        return NONE;
    }

    static long maskHigh(int length) {
        return length <= 0 ? 0 : length >= 64 ? -1L : -1L << (64 - length);
    }

    static long maskLow(int length) {
        return length <= 64 ? 0 : -1L << (128 - length);
    }

    private record Prefix(long high, long low) {}

    /** Collects prefixes; the last value put for a prefix is used. */
    static final class Builder {
        private final Map<Integer, Map<Prefix, Integer>> valuesByLength =
                new TreeMap<>(Comparator.reverseOrder());

        /**
         * @param length prefix length in bits, 0 to 128
         * @param value not negative
         */
        void put(long high, long low, int length, int value) {
            if (length < 0 || length > 128 || value < 0) {
                throw new IllegalArgumentException("length " + length + ", value " + value);
            }
            valuesByLength
                    .computeIfAbsent(length, _ -> new LinkedHashMap<>())
                    .put(new Prefix(high & maskHigh(length), low & maskLow(length)), value);
        }

        PrefixTable build() {
            List<OneLength> tables = new ArrayList<>();
            valuesByLength.forEach((length, values) -> {
                OneLength table = new OneLength(length, values.size());
                values.forEach((prefix, value) -> table.put(prefix.high, prefix.low, value));
                tables.add(table);
            });
            return new PrefixTable(tables.toArray(OneLength[]::new));
        }
    }

    private static final class OneLength {
        // Words of a slot, side by side: a look-up touches a cache line or two where it finds at
        // once.
        private static final int HIGH = 0;
        private static final int LOW = 1;
        private static final int VALUE = 2;
        private static final int SLOT_SHIFT = 2;

        final long maskHigh;
        final long maskLow;
        private final long[] words;
        private final int mask;

        OneLength(int length, int count) {
            maskHigh = PrefixTable.maskHigh(length);
            maskLow = PrefixTable.maskLow(length);
            int slots = Integer.highestOneBit(count) << 2;
            mask = slots - 1;
            words = new long[slots << SLOT_SHIFT];
            Arrays.fill(words, NONE);
        }

        void put(long high, long low, int value) {
            int slot = slotOf(high, low);
            while (words[(slot << SLOT_SHIFT) + VALUE] != NONE) {
                slot = (slot + 1) & mask;
            }
            int at = slot << SLOT_SHIFT;
            words[at + HIGH] = high;
            words[at + LOW] = low;
            words[at + VALUE] = value;
        }

        int get(long high, long low) {
            int slot = slotOf(high, low);
            while (true) {
                int at = slot << SLOT_SHIFT;
                int value = (int) words[at + VALUE];
                if (value == NONE || (words[at + LOW] == low && words[at + HIGH] == high)) {
                    return value;
                }
                slot = (slot + 1) & mask;
            }
        }

        private int slotOf(long high, long low) {
            long mixed = (high * 0x9E37_79B9_7F4A_7C15L) ^ low;
            return (int) ((mixed * 0xBF58_476D_1CE4_E5B9L) >>> 33) & mask;
        }
    }
}
