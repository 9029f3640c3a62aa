package io.headgate.dataplane.deadlock;

import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.memory.sync.WordRing;

/**
 * A loop token inside the switch, as one record in a ring from half to half. The object is reused
 * and never shared. Public for tests.
 */
public final class LoopMessage {
    static final int WORDS = LinkRelay.WORDS;

    /** Value of {@link #origin}: the port that sends the token, which fills in its address then. */
    static final long HERE = 0;

    private static final int USED_WORDS = 2;
    private static final int KIND_SHIFT = 48;
    private static final int PRIORITY_SHIFT = 52;
    private static final int ORIGIN_PRIORITY_SHIFT = 55;
    private static final long ORIGIN_MASK = (1L << KIND_SHIFT) - 1;
    private static final int HOPS_SHIFT = 32;
    private static final int PORT_SHIFT = 40;

    /** {@link LoopToken#SEARCH} or {@link LoopToken#MOVE}. */
    public int kind;

    /** MAC address of the port where the token began. */
    public long origin;

    /**
     * Priorities of the paused queues at the port that sent the token, and at the port where it
     * began.
     */
    public int priority;

    public int originPriority;

    /** Sequence number from the origin, and the number of ports that have sent it. */
    public int sequence;

    public int hops;

    /** Port by which it came to this switch. */
    int ingressPort;

    private long word(int word) {
        return word == 0
                ? origin
                        | (long) kind << KIND_SHIFT
                        | (long) priority << PRIORITY_SHIFT
                        | (long) originPriority << ORIGIN_PRIORITY_SHIFT
                : (sequence & 0xFFFF_FFFFL)
                        | (long) hops << HOPS_SHIFT
                        | (long) ingressPort << PORT_SHIFT;
    }

    private void words(long first, long second) {
        origin = first & ORIGIN_MASK;
        kind = (int) (first >>> KIND_SHIFT) & 0xF;
        priority = (int) (first >>> PRIORITY_SHIFT) & 7;
        originPriority = (int) (first >>> ORIGIN_PRIORITY_SHIFT) & 7;
        sequence = (int) second;
        hops = (int) (second >>> HOPS_SHIFT) & 0xFF;
        ingressPort = (int) (second >>> PORT_SHIFT);
    }

    /** Writes the token into a ring, where the caller has claimed a record. */
    void putInto(WordRing ring) {
        for (int word = 0; word < USED_WORDS; word++) {
            ring.put(word, word(word));
        }
        ring.publish();
    }

    /** Reads the next record of a ring and leaves it there. */
    void read(WordRing ring) {
        words(ring.get(0), ring.get(1));
    }

    /** Reads the next record of a ring and releases it. */
    void takeFrom(WordRing ring) {
        read(ring);
        ring.release();
    }

    void putInto(LinkRelay relay) {
        for (int word = 0; word < USED_WORDS; word++) {
            relay.put(word, word(word));
        }
        relay.publish();
    }

    void takeFrom(LinkRelay relay) {
        words(relay.get(0), relay.get(1));
        relay.release();
    }
}
