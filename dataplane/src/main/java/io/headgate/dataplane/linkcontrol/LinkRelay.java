package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.memory.sync.WordRing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A relay between the ports of a switch that have the same link mechanism, for example for a token
 * that has come in by one port and leaves by another: records of words, in order, never merged. One
 * end of a port produces: the receiving end, unless {@link LinkSpeaker#relaysFromSender}. The
 * sending end of another port consumes. There is a ring for each two ports with the mechanism.
 * State of which only the latest value counts uses a {@link
 * io.headgate.dataplane.memory.sync.PortBoard}.
 *
 * <p>Bounded by {@link LinkSpeaker#relayed}: a record without room is refused, and the mechanism
 * counts it. Records wait while their outgoing link is down; a sending end that prefers to drop
 * them releases them when it is notified that the link changed.
 */
public final class LinkRelay {
    /** Number of words in a record. */
    public static final int WORDS = 5;

    /** The relay of a port that passes no records. */
    public static final LinkRelay NONE = new LinkRelay(0);

    /** The doorbells of other ports' egress halves. */
    @FunctionalInterface
    public interface Doorbells {
        /** The doorbell from the producing half of a port. */
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
     * Makes a relay for each port of a switch that has a mechanism, connected to the others.
     *
     * @param records by port: maximum number of records that wait on their way to another port; 0:
     *     the port does not have the mechanism
     * @return the relays by port
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
     * mechanism. {@link #put} its words next.
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

    /** Publishes the complete record, and rings the sending end of the other port. */
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

    /** Whether there is a record from any port; {@link #get} reads its words. */
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

    /** Releases the record; the next one is from the next port that has one. */
    public void release() {
        from[turn].release();
        turn = turn + 1 < from.length ? turn + 1 : 0;
    }
}
