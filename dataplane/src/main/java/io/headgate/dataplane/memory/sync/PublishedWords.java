package io.headgate.dataplane.memory.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A register of words that one thread writes and others read a moment later: of each word the
 * latest value counts, and the reader learns by a version that something changed. Words are read
 * one by one, so a reader may see some that are newer than others; what must belong together is in
 * one word.
 */
public final class PublishedWords {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle VERSION;

    static {
        try {
            VERSION =
                    MethodHandles.lookup()
                            .findVarHandle(PublishedWords.class, "version", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] words;

    @SuppressWarnings("UnusedVariable") // through VERSION
    private int version;

    /** Words that are 0. */
    public PublishedWords(int count) {
        this.words = new long[count];
    }

    /** Writer: a word that is seen with the next version; {@link #storeVersionRelease}. */
    public void storeOpaque(int word, long value) {
        WORD.setOpaque(words, word, value);
    }

    /** Only good behind {@link #loadVersionAcquire}, or another word that was stored later. */
    public long loadOpaque(int word) {
        return (long) WORD.getOpaque(words, word);
    }

    /** Writer: stores a word by itself; a reader that sees it sees what was stored before it. */
    public void storeRelease(int word, long value) {
        // Pairs with loadAcquire.
        WORD.setRelease(words, word, value);
    }

    /** A word by itself, behind which what was stored before it is seen. */
    public long loadAcquire(int word) {
        return (long) WORD.getAcquire(words, word);
    }

    /** Writer: makes what was stored before visible; afterwards ring the reader. */
    public void storeVersionRelease() {
        // Pairs with loadVersionAcquire.
        VERSION.setRelease(this, (int) VERSION.getOpaque(this) + 1);
    }

    /** Changes whenever words were stored for the readers to see. */
    public int loadVersionAcquire() {
        return (int) VERSION.getAcquire(this);
    }
}
