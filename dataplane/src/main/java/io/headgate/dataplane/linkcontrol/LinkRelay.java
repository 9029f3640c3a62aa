package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.memory.sync.WordRing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a link mechanism at one port of a switch hands to itself at the other ports, such as a token
 * that has come here and leaves there: records of words, in order, none merged with another. One
 * end of a port produces, the receiving one unless {@link LinkSpeaker#relaysFromSender}; the
 * sending end of another consumes; each two ports with the mechanism have a ring. State of which
 * only the latest value counts uses a {@link io.headgate.dataplane.memory.sync.PortBoard}.
 *
 * <p>Bounded by {@link LinkSpeaker#relayed}: a record without room is refused, and the mechanism
 * counts it. Records wait while the link that they leave by is down; a sending end that prefers to
 * forget them releases them when it is notified that the link changed.
 */
public final class LinkRelay {
    /** Words of a record. */
    public static final int WORDS = 5;

    /** The relay of a port that hands nothing over. */
    public static final LinkRelay NONE = new LinkRelay(0);

    /** What rings the half of another port that sends. */
    @FunctionalInterface
    public interface Doorbells {
        /** From the half of a port that produces. */
        Runnable between(int fromPort, int toPort);
    }

    // The producing end's, by port; null for its own, and for those without the mechanism.
    private final @Nullable WordRing[] towards;
    private final @Nullable Runnable[] doorbells;
    private @Nullable WordRing begun;
    private @Nullable Runnable toRing;

    // The sending end's.
    private final List<WordRing> rings = new ArrayList<>();
    private WordRing[] from = {};
    private int turn;

    private LinkRelay(int ports) {
        towards = new WordRing[ports];
        doorbells = new Runnable[ports];
    }

    /**
     * One for each port of a switch that has a mechanism, joined to the others.
     *
     * @param records that may wait on their way from a port to another, by port; 0: it does not
     *     have the mechanism
     * @return by port
     */
    public static LinkRelay[] between(int[] records, Doorbells doorbells) {
        LinkRelay[] relays = new LinkRelay[records.length];
        for (int port = 0; port < records.length; port++) {
            relays[port] = records[port] == 0 ? NONE : new LinkRelay(records.length);
        }
        for (int in = 0; in < records.length; in++) {
            for (int out = 0; out < records.length; out++) {
                if (in != out && records[in] > 0 && records[out] > 0) {
                    int room = Integer.highestOneBit(Math.max(1, 2 * records[in] - 1));
                    WordRing ring = new WordRing(room, WORDS);
                    relays[in].towards[out] = ring;
                    relays[in].doorbells[out] = doorbells.between(in, out);
                    relays[out].rings.add(ring);
                }
            }
        }
        for (LinkRelay relay : relays) {
            relay.from = relay.rings.toArray(WordRing[]::new);
        }
        return relays;
    }

    // ---- producing end

    /**
     * Begins a record to another port; false if there is no room, or that port does not have the
     * mechanism. Then {@link #put} its words.
     */
    public boolean claim(int toPort) {
        WordRing ring = toPort >= 0 && toPort < towards.length ? towards[toPort] : null;
        if (ring == null || !ring.claim()) {
            return false;
        }
        begun = ring;
        toRing = doorbells[toPort];
        return true;
    }

    public void put(int word, long value) {
        begun().put(word, value);
    }

    /** The record is whole: the sending end of the other port is rung. */
    public void publish() {
        begun().publish();
        begun = null;
        if (toRing != null) {
            toRing.run();
        }
    }

    private WordRing begun() {
        WordRing ring = begun;
        if (ring == null) {
            throw new IllegalStateException("no record was begun");
        }
        return ring;
    }

    public void ringAll() {
        for (Runnable doorbell : doorbells) {
            if (doorbell != null) {
                doorbell.run();
            }
        }
    }

    // ---- sending end

    /** Whether there is a record, of any port; then {@link #get} its words. */
    public boolean next() {
        for (int looked = 0; looked < from.length; looked++) {
            if (from[turn].next()) {
                return true;
            }
            turn = turn + 1 < from.length ? turn + 1 : 0;
        }
        return false;
    }

    public long get(int word) {
        return from[turn].get(word);
    }

    /** Done with the record; the next one is of the next port that has one. */
    public void release() {
        from[turn].release();
        turn = turn + 1 < from.length ? turn + 1 : 0;
    }
}
