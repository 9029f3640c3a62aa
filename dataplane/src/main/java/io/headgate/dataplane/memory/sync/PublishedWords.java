package io.headgate.dataplane.memory.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Words that one thread writes and others read slightly later: each word has only its latest value,
 * and a version tells the reader that something changed. Words are read one by one, so a reader may
 * see some that are newer than others; values that must be consistent are in one word.
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

    /** Creates words with the value 0. */
    public PublishedWords(int count) {
        this.words = new long[count];
    }

    /**
     * Writer: stores a word that becomes visible with the next version; {@link
     * #storeVersionRelease}.
     */
    public void storeOpaque(int word, long value) {
        WORD.setOpaque(words, word, value);
    }

    /**
     * Reads a word; only after {@link #loadVersionAcquire}, or after reading another word that was
     * stored later.
     */
    public long loadOpaque(int word) {
        return (long) WORD.getOpaque(words, word);
    }

    /** Writer: stores a word; a reader that sees it also sees all words stored before it. */
    public void storeRelease(int word, long value) {
        // Pairs with loadAcquire.
        WORD.setRelease(words, word, value);
    }

    /** Reads a word; afterwards all words stored before it are visible. */
    public long loadAcquire(int word) {
        return (long) WORD.getAcquire(words, word);
    }

    /** Writer: makes all words stored before visible; the caller then rings the reader. */
    public void storeVersionRelease() {
        // Pairs with loadVersionAcquire.
        VERSION.setRelease(this, (int) VERSION.getOpaque(this) + 1);
    }

    /** The version, which changes each time stored words become visible. */
    public int loadVersionAcquire() {
        return (int) VERSION.getAcquire(this);
    }
}
