package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * The flow table of an egress port (section 4.5.1 of the dissertation): the N flows that came to it
 * last, and by which port and in which priority each came to the switch. Frames with the same five
 * values that come or leave in another priority (acknowledgements and notifications, for one) are
 * another flow here: they wait in other queues, of which another may be paused. The flow that came
 * last is tried first, as mostly the next frame is of that one; then all are gone through.
 *
 * <p>A flow's weight is the bytes that came of it lately: the weights of all are halved when that
 * of one has come to {@link #MOST_BYTES}. They follow what comes, not the time, and so stay as they
 * are while nothing moves.
 */
final class KnownFlows {
    static final int NONE = -1;

    /** No weight is as high: at it all are halved. */
    static final int MOST_BYTES = 1 << 20;

    private static final int WORDS = FiveTuple.WORDS;

    // Above the first of the five values' words, which needs 49 bits.
    private static final int INGRESS_PRIORITY_SHIFT = 49;
    private static final int PRIORITY_SHIFT = 52;
    private static final long INGRESS_PRIORITY_MASK = 7L << INGRESS_PRIORITY_SHIFT;

    private final long[] words;
    private final int[] ingressPort;
    private final int[] weight;
    private final int[] hash;
    private final TokenPool tokens;
    private final Turns turns;
    private final FiveTuple read = new FiveTuple();
    private final int most;
    private int count;
    private int next;
    private int last;

    /**
     * No flows.
     *
     * @param tokens hears which flows are known no more
     */
    KnownFlows(int most, TokenPool tokens) {
        this.tokens = tokens;
        this.most = most;
        this.words = new long[most * WORDS];
        this.ingressPort = new int[most];
        this.weight = new int[most];
        this.hash = new int[most];
        this.turns = new Turns(this, most);
    }

    /** A frame has come whose headers are known, and which is charged to its ingress priority. */
    void came(Frame frame) {
        if (!read.read(FrameRegion.MEMORY, frame)) {
            return;
        }
        long key = key(read, frame.account, frame.priority);
        int flow = find(read, key);
        if (flow == NONE) {
            flow = next;
            next = next + 1 < most ? next + 1 : 0;
            count = Math.max(count, flow + 1);
            weight[flow] = 0;
            hash[flow] = frame.flowHash;
            turns.over(flow);
            tokens.replaced(flow);
            words[flow * WORDS] = key;
            for (int word = 1; word < WORDS; word++) {
                words[flow * WORDS + word] = read.word(word);
            }
        }
        last = flow;
        ingressPort[flow] = frame.ingressPort;
        weight[flow] += frame.lengthBytes;
        if (weight[flow] >= MOST_BYTES) {
            halve();
        }
    }

    private void halve() {
        for (int flow = 0; flow < count; flow++) {
            weight[flow] >>= 1;
        }
    }

    private static long key(FiveTuple flow, int ingressPriority, int priority) {
        return flow.word(0)
                | (long) ingressPriority << INGRESS_PRIORITY_SHIFT
                | (long) priority << PRIORITY_SHIFT;
    }

    private int find(FiveTuple flow, long key) {
        if (count == 0 || is(last, flow, key)) {
            return count == 0 ? NONE : last;
        }
        for (int at = 0; at < count; at++) {
            if (is(at, flow, key)) {
                return at;
            }
        }
        return NONE;
    }

    private boolean is(int at, FiveTuple flow, long key) {
        return words[at * WORDS] == key && areOf(at, flow);
    }

    /** Whether a flow has five values, of which the first word is known to be the same. */
    private boolean areOf(int at, FiveTuple flow) {
        int first = at * WORDS;
        return words[first + 1] == flow.word(1)
                && (!flow.isIpv6()
                        || (words[first + 2] == flow.word(2)
                                && words[first + 3] == flow.word(3)
                                && words[first + 4] == flow.word(4)));
    }

    /** Whether a flow has five values and leaves in a priority. */
    boolean is(int flow, FiveTuple values, int priority) {
        long known = words[flow * WORDS] & ~INGRESS_PRIORITY_MASK;
        return known == key(values, 0, priority) && areOf(flow, values);
    }

    /** Flows in the table. */
    int size() {
        return count;
    }

    /** Which of them may have tokens pass. */
    Turns turns() {
        return turns;
    }

    /** Takes a flow's five values. */
    void get(int flow, FiveTuple into) {
        into.word(0, words[flow * WORDS] & (1L << INGRESS_PRIORITY_SHIFT) - 1);
        for (int word = 1; word < WORDS; word++) {
            into.word(word, words[flow * WORDS + word]);
        }
    }

    int ingressPort(int flow) {
        return ingressPort[flow];
    }

    int ingressPriority(int flow) {
        return (int) (words[flow * WORDS] >>> INGRESS_PRIORITY_SHIFT) & 7;
    }

    int priority(int flow) {
        return (int) (words[flow * WORDS] >>> PRIORITY_SHIFT);
    }

    /** The {@link Frame#flowHash} of a flow's frames. */
    int hash(int flow) {
        return hash[flow];
    }

    /** Bytes that came of a flow lately. */
    int weight(int flow) {
        return weight[flow];
    }
}
