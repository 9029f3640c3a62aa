package io.headgate.dataplane.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Longest prefix match over IPv4 addresses: one open-addressing hash table per prefix length, at
 * most half full, one word per slot, searched from the longest prefix to the shortest. A filter
 * before each table except the last (Bloom, CACM 1970, with one function) excludes most addresses
 * that are not in the table; it needs an eighth of the table's memory, at least a cache line.
 * Immutable.
 */
final class Ipv4PrefixTable {
    static final int NONE = -1;

    private final OneLength[] longestFirst;
    private final int size;

    private Ipv4PrefixTable(OneLength[] longestFirst, int size) {
        this.longestFirst = longestFirst;
        this.size = size;
    }

    int lookup(int address) {
        for (OneLength table : longestFirst) {
            int value = table.get(address);
            if (value != NONE) {
                return value;
            }
        }
        return NONE;
    }

    int size() {
        return size;
    }

    private static int maskOf(int length) {
        return length == 0 ? 0 : -1 << (Integer.SIZE - length);
    }

    /** Collects prefixes; the last value put for a prefix is used. */
    static final class Builder {
        private final Map<Integer, Map<Integer, Integer>> valuesByLength =
                new TreeMap<>(Comparator.reverseOrder());

        /**
         * @param length prefix length in bits, 0 to 32
         * @param value not negative
         */
        void put(int address, int length, int value) {
            if (length < 0 || length > Integer.SIZE || value < 0) {
                throw new IllegalArgumentException("length " + length + ", value " + value);
            }
            valuesByLength
                    .computeIfAbsent(length, _ -> new TreeMap<>())
                    .put(address & maskOf(length), value);
        }

        Ipv4PrefixTable build() {
            List<OneLength> tables = new ArrayList<>();
            valuesByLength.forEach((length, values) -> {
                boolean isLast = tables.size() + 1 == valuesByLength.size();
                OneLength table = new OneLength(maskOf(length), values.size(), !isLast);
                values.forEach(table::put);
                tables.add(table);
            });
            int size = valuesByLength.values().stream().mapToInt(Map::size).sum();
            return new Ipv4PrefixTable(tables.toArray(OneLength[]::new), size);
        }
    }

    private static final class OneLength {
        private static final int FILTER_BITS_EACH = 16;
        private static final int LEAST_FILTER_WORDS = 8;
        private static final long EMPTY = -1;

        private final int prefixMask;

        // Prefix above value.
        private final long[] slots;
        // Null for the last length, which is the last to be searched.
        private final long @Nullable [] filter;

        OneLength(int prefixMask, int count, boolean isFiltered) {
            this.prefixMask = prefixMask;
            int powerOfTwo = Integer.highestOneBit(count) << 1;
            slots = new long[2 * powerOfTwo];
            Arrays.fill(slots, EMPTY);
            int words = Math.max(LEAST_FILTER_WORDS, (powerOfTwo * FILTER_BITS_EACH) >> 6);
            filter = isFiltered ? new long[words] : null;
        }

        void put(int prefix, int value) {
            int hash = hash(prefix);
            if (filter != null) {
                filter[(hash >>> 6) & (filter.length - 1)] |= 1L << hash;
            }
            int slot = hash & (slots.length - 1);
            while (slots[slot] != EMPTY) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = ((long) prefix << Integer.SIZE) | value;
        }

        int get(int address) {
            int prefix = address & prefixMask;
            int hash = hash(prefix);
            if (filter != null
                    && ((filter[(hash >>> 6) & (filter.length - 1)] >>> hash) & 1) == 0) {
                return NONE;
            }
            int slot = hash & (slots.length - 1);
            while (true) {
                long found = slots[slot];
                if (found == EMPTY) {
                    return NONE;
                }
                if ((int) (found >>> Integer.SIZE) == prefix) {
                    return (int) found;
                }
                slot = (slot + 1) & (slots.length - 1);
            }
        }

        /** A multiplicative hash's high bits; prefixes end in zeros. */
        private static int hash(int prefix) {
            return (int) (((prefix & 0xFFFF_FFFFL) * 0xBF58_476D_1CE4_E5B9L) >>> 33);
        }
    }
}
