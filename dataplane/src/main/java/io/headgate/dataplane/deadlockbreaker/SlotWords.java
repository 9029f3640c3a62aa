package io.headgate.dataplane.deadlockbreaker;

import io.headgate.dataplane.memory.sync.PublishedWords;

/**
 * Slot reports from the ingress half of a port to its egress half: one word each, with a number
 * that changes whenever it is written.
 *
 * @param own the report to the far end about the slots here
 * @param peer the far end's last report about its slots
 */
record SlotWords(PublishedWords own, PublishedWords peer) {
    private static final int FREE_SHIFT = 16;
    private static final int NUMBER_SHIFT = 24;

    /** Maximum number of free slots in a word and in a frame. */
    static final int MOST_FREE = 0xFF;

    static SlotWords make() {
        return new SlotWords(new PublishedWords(1), new PublishedWords(1));
    }

    /**
     * Makes a word.
     *
     * @param last number of the last frame that came in by a move
     * @param free free slots; at most {@link #MOST_FREE} are reported
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
