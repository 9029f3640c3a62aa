package io.headgate.dataplane.openqueue;

/** Packets by a key from 0 to 255, and a bit for each key that has any. */
abstract sealed class Buckets extends Ranking permits BucketRanking, BucketStacks {
    /** Keys are below it. */
    static final int KEYS = 256;

    private static final int WORDS = KEYS / Long.SIZE;
    private static final int WORD_SHIFT = 6;

    private final long[] used = new long[WORDS];

    static int bucket(long key) {
        return (int) key & (KEYS - 1);
    }

    final void use(int bucket) {
        used[bucket >>> WORD_SHIFT] |= 1L << bucket;
    }

    final void empty(int bucket) {
        used[bucket >>> WORD_SHIFT] &= ~(1L << bucket);
    }

    /** The lowest key that has packets; −1 if none has. */
    final int first() {
        for (int word = 0; word < WORDS; word++) {
            if (used[word] != 0) {
                return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(used[word]);
            }
        }
        return PolicyState.NONE;
    }

    /** The highest key that has packets; −1 if none has. */
    final int last() {
        for (int word = WORDS - 1; word >= 0; word--) {
            if (used[word] != 0) {
                return (word << WORD_SHIFT) + Long.SIZE - 1 - Long.numberOfLeadingZeros(used[word]);
            }
        }
        return PolicyState.NONE;
    }

    /** Whether a packet that comes with a key would rank lowest. */
    final boolean isLowest(long key) {
        return last() <= bucket(key);
    }
}
