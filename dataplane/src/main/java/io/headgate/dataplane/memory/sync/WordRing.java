package io.headgate.dataplane.memory.sync;

/**
 * A ring of records of words from one thread to another, in order: for values that must not be
 * replaced by later ones, unlike {@link PublishedWords}. Bounded: a record without room is refused,
 * and the producer counts it.
 */
public final class WordRing {
    private final SpscCursor cursor;
    private final int mask;
    private final int wordsEach;
    private final long[] words;

    /**
     * @param records a power of two
     * @param wordsEach words of each record
     */
    public WordRing(int records, int wordsEach) {
        if (Integer.bitCount(records) != 1 || wordsEach < 1) {
            throw new IllegalArgumentException(
                    "a ring of " + records + " records of " + wordsEach + " words");
        }
        this.cursor = new SpscCursor(records);
        this.mask = records - 1;
        this.wordsEach = wordsEach;
        this.words = new long[records * wordsEach];
    }

    /** Producer: begins a record; false if there is no room. Then {@link #put} its words. */
    public boolean claim() {
        return cursor.producerRoom(1) > 0;
    }

    /** Producer: sets a word of the claimed record. */
    public void put(int word, long value) {
        words[at(cursor.producerTail()) + word] = value;
    }

    /** Producer: publishes the record. */
    public void publish() {
        cursor.producerAdvance(1);
        cursor.producerPublish();
    }

    /** Consumer: whether there is a record; then {@link #get} its words. */
    public boolean next() {
        return cursor.consumerAvailable(1) > 0;
    }

    /** Consumer: a word of the record. */
    public long get(int word) {
        return words[at(cursor.consumerHead()) + word];
    }

    /** Consumer: frees the record. */
    public void release() {
        cursor.consumerAdvance(1);
        cursor.consumerRelease();
    }

    private int at(long count) {
        return ((int) count & mask) * wordsEach;
    }
}
