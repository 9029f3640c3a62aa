package io.headgate.dataplane.openqueue;

/** A set of keys from 0 to 255, one bit per key. */
sealed class KeySet permits PlaceStacks {
    /** Number of keys. */
    static final int KEYS = 256;

    private static final int WORDS = KEYS / Long.SIZE;
    private static final int WORD_SHIFT = 6;

    private final long[] used = new long[WORDS];

    /** The key of a number. */
    static int key(long number) {
        return (int) number & (KEYS - 1);
    }

    final void add(int key) {
        used[key >>> WORD_SHIFT] |= 1L << key;
    }

    final void remove(int key) {
        used[key >>> WORD_SHIFT] &= ~(1L << key);
    }

    /** The lowest key; −1 for an empty set. */
    final int first() {
        for (int word = 0; word < WORDS; word++) {
            if (used[word] != 0) {
                return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(used[word]);
            }
        }
        return PolicyState.NONE;
    }

    /** The highest key; −1 for an empty set. */
    final int last() {
        for (int word = WORDS - 1; word >= 0; word--) {
            if (used[word] != 0) {
                return (word << WORD_SHIFT) + Long.SIZE - 1 - Long.numberOfLeadingZeros(used[word]);
            }
        }
        return PolicyState.NONE;
    }
}
