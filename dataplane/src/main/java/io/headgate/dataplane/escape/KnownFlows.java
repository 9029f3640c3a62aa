package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The flow table of an egress port (section 4.5.1 of the dissertation): the N flows that came to it
 * last, with the ingress port and ingress priority of each. Frames with the same five values that
 * come or leave in another priority (for example acknowledgements and notifications) are another
 * flow here, because they wait in other queues, and another queue may be paused.
 *
 * <p>A flow's weight is the number of its recent bytes: all weights are halved when one has reached
 * {@link #MOST_BYTES}. Weights follow arrivals, not time, and so do not change while no frame
 * arrives.
 */
final class KnownFlows {
    static final int NONE = -1;

    /** Upper bound of a weight: when one reaches it, all are halved. */
    static final int MOST_BYTES = 1 << 20;

    /** Words of the five values that only IPv6 uses. */
    private static final int WORDS_OF_IPV6 = FiveTuple.WORDS - 2;

    // Above the first of the five values' words, which needs 49 bits.
    private static final int INGRESS_PRIORITY_SHIFT = 49;
    private static final int PRIORITY_SHIFT = 52;
    private static final long INGRESS_PRIORITY_MASK = 7L << INGRESS_PRIORITY_SHIFT;

    // Words of a flow.
    private static final int WORDS = 4;
    private static final int KEY = 0;
    private static final int SECOND = 1;
    private static final int WEIGHT = 2;
    private static final int PORT_AND_HASH = 3;

    /** 2^64 over the golden ratio: the upper bits of its multiples are spread evenly. */
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    // Per flow, the words that a frame of it reads and writes, side by side: two words of its five
    // values, the first with its priorities, and what follows from the frames that came.
    private final long[] words;

    // Per flow, the words that only IPv6 has.
    private final long[] others;
    private final TokenPool tokens;
    private final Turns turns;
    private final FiveTuple read = new FiveTuple();
    private final int most;

    // A hash table of chains: of each place the flow that came to it last; of each
    // flow the next there, and its place.
    private final int[] heads;
    private final int[] after;
    private final int[] places;
    private final int placeBits;

    private int count;
    private int next;

    KnownFlows(int most, TokenPool tokens) {
        this.tokens = tokens;
        this.most = most;
        this.words = new long[most * WORDS];
        this.placeBits = Integer.SIZE + 1 - Integer.numberOfLeadingZeros(most);
        this.heads = new int[1 << placeBits];
        this.after = new int[most];
        this.places = new int[most];
        Arrays.fill(heads, NONE);
        this.others = new long[most * WORDS_OF_IPV6];
        this.turns = new Turns(this, most);
    }

    /**
     * Notes the flow of an arriving frame, which has been parsed and is charged to its ingress
     * priority.
     */
    void arrived(Frame frame) {
        long first = FiveTuple.first(MEMORY, frame);
        if (first == 0) {
            return;
        }
        long key = key(first, frame.account, frame.priority);
        long second = FiveTuple.second(MEMORY, frame);
        int place = place(key, isIpv6(key) ? readAll(frame) : second, placeBits);
        int flow = heads[place];
        while (flow != NONE && !isOf(flow, key, second)) {
            flow = after[flow];
        }
        if (flow == NONE) {
            flow = replace(key, second, place);
        }
        int at = flow * WORDS;
        words[at + PORT_AND_HASH] =
                ((long) frame.ingressPort << 32) | (frame.flowHash & 0xFFFF_FFFFL);
        long weight = words[at + WEIGHT] + frame.lengthBytes;
        words[at + WEIGHT] = weight;
        if (weight >= MOST_BYTES) {
            halve();
        }
    }

    /** Reads all five values of an IPv6 frame; returns a hash of its addresses. */
    private long readAll(Frame frame) {
        read.read(MEMORY, frame);
        long all = 0;
        for (int word = 1; word < FiveTuple.WORDS; word++) {
            all = (all ^ read.word(word)) * GOLDEN;
            all ^= all >>> Integer.SIZE;
        }
        return all;
    }

    /**
     * A flow's hash bucket in the table. Ports and addresses that count up together are spread like
     * others.
     *
     * @param addresses hash of its addresses; for IPv4 the word that holds them
     */
    static int place(long key, long addresses, int bits) {
        return (int) ((((key * GOLDEN) ^ addresses) * GOLDEN) >>> (Long.SIZE - bits));
    }

    /** Whether a flow has this key. For IPv6, all five values of the frame must have been read. */
    private boolean isOf(int flow, long key, long second) {
        int at = flow * WORDS;
        boolean isLike = ((words[at + KEY] ^ key) | (words[at + SECOND] ^ second)) == 0;
        return isLike && (!isIpv6(key) || haveSameOthers(flow, read));
    }

    private void remove(int flow) {
        int place = places[flow];
        if (heads[place] == flow) {
            heads[place] = after[flow];
            return;
        }
        int before = heads[place];
        while (after[before] != flow) {
            before = after[before];
        }
        after[before] = after[flow];
    }

    private boolean haveSameOthers(int at, FiveTuple flow) {
        for (int i = 0; i < WORDS_OF_IPV6; i++) {
            if (others[at * WORDS_OF_IPV6 + i] != flow.word(2 + i)) {
                return false;
            }
        }
        return true;
    }

    /** Replaces the flow that has been in the table longest, once the table is full. */
    private int replace(long key, long second, int place) {
        int flow = next;
        next = next + 1 < most ? next + 1 : 0;
        if (flow < count) {
            remove(flow);
        } else {
            count++;
        }
        after[flow] = heads[place];
        heads[place] = flow;
        places[flow] = place;
        turns.over(flow);
        tokens.replaced(flow);
        int at = flow * WORDS;
        words[at + KEY] = key;
        words[at + SECOND] = second;
        words[at + WEIGHT] = 0;
        if (isIpv6(key)) {
            for (int i = 0; i < WORDS_OF_IPV6; i++) {
                others[flow * WORDS_OF_IPV6 + i] = read.word(2 + i);
            }
        }
        return flow;
    }

    private static boolean isIpv6(long key) {
        return (key & FiveTuple.IPV6_BIT) != 0;
    }

    private void halve() {
        for (int flow = 0; flow < count; flow++) {
            words[flow * WORDS + WEIGHT] >>= 1;
        }
    }

    private static long key(long first, int ingressPriority, int priority) {
        return first
                | (long) ingressPriority << INGRESS_PRIORITY_SHIFT
                | (long) priority << PRIORITY_SHIFT;
    }

    /** Whether a flow has five values and leaves in a priority. */
    boolean is(int flow, FiveTuple values, int priority) {
        return (words[flow * WORDS + KEY] & ~INGRESS_PRIORITY_MASK)
                        == key(values.word(0), 0, priority)
                && words[flow * WORDS + SECOND] == values.word(1)
                && (!values.isIpv6() || haveSameOthers(flow, values));
    }

    int size() {
        return count;
    }

    /** The turns that decide which flows' tokens may pass. */
    Turns turns() {
        return turns;
    }

    void get(int flow, FiveTuple into) {
        into.word(0, words[flow * WORDS + KEY] & (1L << INGRESS_PRIORITY_SHIFT) - 1);
        into.word(1, words[flow * WORDS + SECOND]);
        for (int i = 0; i < WORDS_OF_IPV6; i++) {
            into.word(
                    2 + i,
                    isIpv6(words[flow * WORDS + KEY]) ? others[flow * WORDS_OF_IPV6 + i] : 0);
        }
    }

    int ingressPort(int flow) {
        return (int) (words[flow * WORDS + PORT_AND_HASH] >>> 32);
    }

    int ingressPriority(int flow) {
        return (int) (words[flow * WORDS + KEY] >>> INGRESS_PRIORITY_SHIFT) & 7;
    }

    int priority(int flow) {
        return (int) (words[flow * WORDS + KEY] >>> PRIORITY_SHIFT);
    }

    /** The {@link Frame#flowHash} of a flow's frames. */
    int hash(int flow) {
        return (int) words[flow * WORDS + PORT_AND_HASH];
    }

    /** Number of a flow's recent bytes. */
    int weight(int flow) {
        return (int) words[flow * WORDS + WEIGHT];
    }
}
