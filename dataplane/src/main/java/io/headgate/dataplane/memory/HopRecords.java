package io.headgate.dataplane.memory;

/**
 * What a frame knows of the ports on its way, as a host's card has taken it off: the first port
 * first. The card's, and filled again with the slot's next frame: who needs it longer copies it.
 */
public final class HopRecords {
    /** Most ports that it holds; those beyond are not noted. */
    public static final int MOST = 16;

    private static final int QUEUE = 0;
    private static final int SENT = 1;
    private static final int TIME = 2;
    private static final int RATE = 3;
    private static final int WORDS = 4;

    private final long[] words = new long[MOST * WORDS];
    private int hops;

    /** Knows nothing. */
    public void clear() {
        hops = 0;
    }

    /**
     * One more port.
     *
     * @param queueBytes as {@link #queueBytes}
     * @param sentBytes as {@link #sentBytes}
     * @param timeNs as {@link #timeNs}
     * @param rateBps as {@link #rateBps}
     */
    public void add(long queueBytes, long sentBytes, long timeNs, long rateBps) {
        if (hops < MOST) {
            int at = hops++ * WORDS;
            words[at + QUEUE] = queueBytes;
            words[at + SENT] = sentBytes;
            words[at + TIME] = timeNs;
            words[at + RATE] = rateBps;
        }
    }

    /** Ports that it knows of. */
    public int hops() {
        return hops;
    }

    /** What waited at a port, in bytes. */
    public long queueBytes(int hop) {
        return words[hop * WORDS + QUEUE];
    }

    /** What it had sent so far, in bytes; 0 if that is not said. */
    public long sentBytes(int hop) {
        return words[hop * WORDS + SENT];
    }

    /** When that was, in ns by the clock of its switch. */
    public long timeNs(int hop) {
        return words[hop * WORDS + TIME];
    }

    /** Rate of its link in bits per second; 0 if that is not said. */
    public long rateBps(int hop) {
        return words[hop * WORDS + RATE];
    }
}
