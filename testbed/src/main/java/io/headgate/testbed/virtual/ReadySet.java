package io.headgate.testbed.virtual;

import java.util.Arrays;

/** Numbers of duties that are to be called: bits, with a bit above every 64 of them. */
final class ReadySet {
    static final int NONE = -1;

    private long[] words = new long[1];
    private long[] summary = new long[1];
    private int size;

    /** Makes room for numbers below a bound. */
    void grow(int bound) {
        int wordCount = (bound + 63) >>> 6;
        if (wordCount > words.length) {
            words = Arrays.copyOf(words, wordCount);
            summary = Arrays.copyOf(summary, (wordCount + 63) >>> 6);
        }
    }

    void set(int number) {
        int word = number >>> 6;
        long before = words[word];
        long after = before | 1L << number;
        if (after == before) {
            return;
        }
        size++;
        words[word] = after;
        summary[word >>> 6] |= 1L << word;
    }

    /** Takes the least number not below a bound; {@link #NONE} if there is none. */
    int take(int from) {
        int word = from >>> 6;
        if (word >= words.length) {
            return NONE;
        }
        long bits = words[word] & (-1L << from);
        if (bits == 0) {
            word = nextWord(word + 1);
            if (word < 0) {
                return NONE;
            }
            bits = words[word];
        }
        long bit = Long.lowestOneBit(bits);
        words[word] &= ~bit;
        size--;
        if (words[word] == 0) {
            summary[word >>> 6] &= ~(1L << word);
        }
        return (word << 6) + Long.numberOfTrailingZeros(bit);
    }

    private int nextWord(int from) {
        int at = from >>> 6;
        if (at >= summary.length) {
            return NONE;
        }
        long bits = summary[at] & (-1L << from);
        while (bits == 0) {
            if (++at >= summary.length) {
                return NONE;
            }
            bits = summary[at];
        }
        return (at << 6) + Long.numberOfTrailingZeros(bits);
    }

    boolean isEmpty() {
        return size == 0;
    }
}
