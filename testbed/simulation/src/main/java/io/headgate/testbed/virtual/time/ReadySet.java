package io.headgate.testbed.virtual.time;

import java.util.Arrays;

/**
 * A bit set of the numbers of due duties or nodes. Belongs to the run's thread, like everything in
 * a run; takes numbers below the bound that it was grown to.
 */
public final class ReadySet {
    public static final int NONE = -1;

    private long[] words = new long[1];
    private int size;

    /** Makes room for numbers below a bound. */
    public void grow(int bound) {
        int wordCount = (bound + 63) >>> 6;
        if (wordCount > words.length) {
            words = Arrays.copyOf(words, wordCount);
        }
    }

    public void set(int number) {
        int word = number >>> 6;
        long before = words[word];
        long after = before | 1L << number;
        if (after != before) {
            words[word] = after;
            size++;
        }
    }

    /** Takes the least number not below a bound; {@link #NONE} if the set has none. */
    public int take(int from) {
        return take(from, words.length << 6);
    }

    /** Takes the least number of a range, its end excluded; {@link #NONE} if the range has none. */
    public int take(int from, int end) {
        if (size == 0 || from >= end) {
            return NONE;
        }
        int word = from >>> 6;
        long bits = words[word] & (-1L << from);
        while (bits == 0) {
            if (++word << 6 >= end) {
                return NONE;
            }
            bits = words[word];
        }
        int number = (word << 6) + Long.numberOfTrailingZeros(bits);
        if (number >= end) {
            return NONE;
        }
        words[word] ^= Long.lowestOneBit(bits);
        size--;
        return number;
    }

    public boolean isEmpty() {
        return size == 0;
    }
}
