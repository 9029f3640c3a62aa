package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.memory.sync.WordRing;

/**
 * A token inside the switch, as one record in a ring from half to half. The object is reused and
 * never shared.
 */
final class Token {
    static final int WORDS = LinkRelay.WORDS;

    // Layout of the flow's first word, which needs 49 bits.
    private static final int PRIORITY_SHIFT = 49;
    private static final int HOPS_BITS = 12;
    private static final int HOPS_SHIFT = Long.SIZE - HOPS_BITS;
    private static final long FLOW_MASK = (1L << PRIORITY_SHIFT) - 1;

    /** Maximum number of hops: no network is as wide. */
    static final int MAX_HOPS = Math.min((1 << HOPS_BITS) - 1, EscapeToken.MAX_HOPS);

    final FiveTuple flow = new FiveTuple();

    /**
     * Number of switches that the token has passed, including its origin: 1 to {@link #MAX_HOPS}.
     */
    int hops;

    /** Priority of the queue in which the flow is blocked, as both ends of the link number it. */
    int priority;

    private long first() {
        return (long) hops << HOPS_SHIFT | (long) priority << PRIORITY_SHIFT | flow.word(0);
    }

    private void first(long word) {
        hops = (int) (word >>> HOPS_SHIFT);
        priority = (int) (word >>> PRIORITY_SHIFT) & 7;
        flow.word(0, word & FLOW_MASK);
    }

    /** Writes the token into a ring, where the caller has claimed a record. */
    void putInto(WordRing ring) {
        ring.put(0, first());
        for (int word = 1; word < WORDS; word++) {
            ring.put(word, flow.word(word));
        }
        ring.publish();
    }

    /** Reads the next record of a ring into this token. */
    void takeFrom(WordRing ring) {
        first(ring.get(0));
        for (int word = 1; word < WORDS; word++) {
            flow.word(word, ring.get(word));
        }
        ring.release();
    }

    void putInto(LinkRelay relay) {
        relay.put(0, first());
        for (int word = 1; word < WORDS; word++) {
            relay.put(word, flow.word(word));
        }
        relay.publish();
    }

    void takeFrom(LinkRelay relay) {
        first(relay.get(0));
        for (int word = 1; word < WORDS; word++) {
            flow.word(word, relay.get(word));
        }
        relay.release();
    }
}
