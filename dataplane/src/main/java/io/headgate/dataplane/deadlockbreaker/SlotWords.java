package io.headgate.dataplane.deadlockbreaker;

import io.headgate.dataplane.memory.sync.PublishedWords;

/**
 * What goes from the ingress half of a port to its egress half about slots: each one word, with a
 * number that changes whenever it is written.
 *
 * @param own the report to the far end of the slots here
 * @param peer what the far end has said last of its slots
 */
record SlotWords(PublishedWords own, PublishedWords peer) {
    private static final int FREE_SHIFT = 16;
    private static final int NUMBER_SHIFT = 24;

    /** The most free slots that a word, and a frame, can say. */
    static final int MOST_FREE = 0xFF;

    static SlotWords make() {
        return new SlotWords(new PublishedWords(1), new PublishedWords(1));
    }

    /**
     * A word.
     *
     * @param last number of the last frame that came in by a move
     * @param free slots, of which {@link #MOST_FREE} are said at most
     */
    static long word(int last, int free, long number) {
        return number << NUMBER_SHIFT | (long) Math.clamp(free, 0, MOST_FREE) << FREE_SHIFT | last;
    }

    static int last(long word) {
        return (int) word & 0xFFFF;
    }

    static int free(long word) {
        return (int) (word >>> FREE_SHIFT) & MOST_FREE;
    }
}
