package io.headgate.dataplane.memory.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Publishes a mechanism's state at one port of a switch to the same mechanism at the other ports: a
 * few words, with only the latest values available. One half of a port publishes them; any half can
 * read those of any port, at any time and from any thread; no doorbell rings. The words of one read
 * are consistent.
 *
 * <p>The words are in memory twice: while one copy is written, the other is read. So a half that is
 * interrupted while it publishes delays no reader, and a read fails only if the words change
 * repeatedly during it. Nothing is allocated.
 */
public final class PortBoard {
    /** A board that publishes nothing and sees no other ports. */
    public static final PortBoard NONE = new PortBoard(new long[0], 0, 0, 0);

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    // In longs: two cache lines, which processors fetch together.
    private static final int APART = 16;
    private static final int TRIES = 8;

    // Parts of a sequence number: something is shown; the bit above selects the valid copy.
    private static final long IS_SHOWN = 1;
    private static final long NEXT = 2;

    // Per port: a sequence number, then its words, twice.
    private final long[] memory;
    private final int ports;
    private final int port;
    private final int words;
    private final int stride;

    // The half's that shows.
    private final long[] own;
    private boolean isChanged = true;

    // The half's that looks.
    private final long[] seen;

    private PortBoard(long[] memory, int ports, int port, int words) {
        this.memory = memory;
        this.ports = ports;
        this.port = port;
        this.words = words;
        this.stride = stride(words);
        this.own = new long[words];
        this.seen = new long[words];
    }

    /** A board without readers that sees nothing: no other ports exist. */
    static PortBoard alone(int words) {
        return new PortBoard(new long[0], 0, 0, words);
    }

    private static int stride(int words) {
        return Math.ceilDiv(1 + 2 * words, APART) * APART;
    }

    /**
     * Creates one board per port of a switch.
     *
     * @param words number of words that each publishes
     * @return the boards, by port
     */
    static PortBoard[] between(int ports, int words) {
        long[] memory = new long[ports * stride(words)];
        PortBoard[] boards = new PortBoard[ports];
        for (int port = 0; port < ports; port++) {
            boards[port] = new PortBoard(memory, ports, port, words);
        }
        return boards;
    }

    // ---- the half that shows

    /** Sets a word that the next {@link #show()} publishes with the others; initially 0. */
    public void put(int word, long value) {
        isChanged |= own[word] != value;
        own[word] = value;
    }

    /** Publishes all words; does nothing if they have not changed. */
    public void show() {
        if (!isChanged || ports == 0) {
            return;
        }
        isChanged = false;
        int at = port * stride;
        long next = ((long) WORD.get(memory, at) | IS_SHOWN) + NEXT;
        // Who sees a word of these sees the number of those before, or a later one.
        VarHandle.storeStoreFence();
        int first = first(at, next);
        for (int word = 0; word < words; word++) {
            WORD.setOpaque(memory, first + word, own[word]);
        }
        // Pairs with number(int).
        WORD.setRelease(memory, at, next);
    }

    /** Publishes the word of a board that has only one. */
    public void show(long word) {
        put(0, word);
        show();
    }

    /** Withdraws the published words, as before the first {@link #show()}. */
    public void withdraw() {
        if (ports > 0) {
            int at = port * stride;
            long number = (long) WORD.get(memory, at);
            isChanged = true;
            // Pairs with number(int).
            WORD.setRelease(memory, at, number & ~IS_SHOWN);
        }
    }

    // ---- the half that looks

    /**
     * Reads the published words of a port, for {@link #get}. Returns false if it has published
     * nothing, or if the words changed repeatedly during the read.
     */
    public boolean look(int ofPort) {
        for (int tries = 0; tries < TRIES; tries++) {
            long number = number(ofPort);
            if ((number & IS_SHOWN) == 0) {
                return false;
            }
            int at = ofPort * stride;
            int first = first(at, number);
            for (int word = 0; word < words; word++) {
                seen[word] = (long) WORD.getOpaque(memory, first + word);
            }
            VarHandle.loadLoadFence();
            if ((long) WORD.getOpaque(memory, at) == number) {
                return true;
            }
        }
        return false;
    }

    /** A word of the last {@link #look}. */
    public long get(int word) {
        return seen[word];
    }

    /** The published word of a port with only one; 0 if it has published nothing. */
    public long shown(int ofPort) {
        long number = number(ofPort);
        // It may be of a later time than the number; it is whole all the same.
        return (number & IS_SHOWN) == 0
                ? 0
                : (long) WORD.getOpaque(memory, first(ofPort * stride, number));
    }

    private long number(int ofPort) {
        if (ofPort < 0 || ofPort >= ports) {
            return 0;
        }
        // Pairs with show() and withdraw().
        return (long) WORD.getAcquire(memory, ofPort * stride);
    }

    private int first(int at, long number) {
        return at + 1 + ((number & NEXT) == 0 ? 0 : words);
    }

    /** Number of ports of the switch; 0 if nothing is published. */
    public int ports() {
        return ports;
    }
}
