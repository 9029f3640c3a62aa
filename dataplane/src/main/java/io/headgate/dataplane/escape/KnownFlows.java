package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

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

    /** Words of the five values of which IPv4 has none. */
    private static final int WORDS_OF_IPV6 = FiveTuple.WORDS - 2;

    // Above the first of the five values' words, which needs 49 bits.
    private static final int INGRESS_PRIORITY_SHIFT = 49;
    private static final int PRIORITY_SHIFT = 52;
    private static final long INGRESS_PRIORITY_MASK = 7L << INGRESS_PRIORITY_SHIFT;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    // Of each flow the first word with its priorities, the second, and, of IPv6, the others. By
    // the second, addresses in IPv4, most flows are told apart.
    private final long[] keys;
    private final long[] seconds;
    private final long[] others;
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
        this.keys = new long[most];
        this.seconds = new long[most];
        this.others = new long[most * WORDS_OF_IPV6];
        this.ingressPort = new int[most];
        this.weight = new int[most];
        this.hash = new int[most];
        this.turns = new Turns(this, most);
    }

    /** A frame has come whose headers are known, and which is charged to its ingress priority. */
    void came(Frame frame) {
        long first = FiveTuple.first(MEMORY, frame);
        if (first == 0) {
            return;
        }
        long key = key(first, frame.account, frame.priority);
        long second = FiveTuple.second(MEMORY, frame);
        int flow = last;
        if (count == 0 || seconds[flow] != second || keys[flow] != key || isIpv6(key)) {
            flow = find(frame, key, second);
            if (flow == NONE) {
                flow = replace(frame, key, second);
            }
            last = flow;
        }
        ingressPort[flow] = frame.ingressPort;
        weight[flow] += frame.lengthBytes;
        if (weight[flow] >= MOST_BYTES) {
            halve();
        }
    }

    private int find(Frame frame, long key, long second) {
        for (int at = 0; at < count; at++) {
            if (seconds[at] == second && keys[at] == key && haveSameOthers(at, frame)) {
                return at;
            }
        }
        return NONE;
    }

    private boolean haveSameOthers(int at, Frame frame) {
        return !isIpv6(keys[at]) || (read.read(MEMORY, frame) && haveSameOthers(at, read));
    }

    private boolean haveSameOthers(int at, FiveTuple flow) {
        for (int i = 0; i < WORDS_OF_IPV6; i++) {
            if (others[at * WORDS_OF_IPV6 + i] != flow.word(2 + i)) {
                return false;
            }
        }
        return true;
    }

    /** In place of the flow that has been known longest. */
    private int replace(Frame frame, long key, long second) {
        int flow = next;
        next = next + 1 < most ? next + 1 : 0;
        count = Math.max(count, flow + 1);
        weight[flow] = 0;
        hash[flow] = frame.flowHash;
        turns.over(flow);
        tokens.replaced(flow);
        keys[flow] = key;
        seconds[flow] = second;
        if (isIpv6(key) && read.read(MEMORY, frame)) {
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
            weight[flow] >>= 1;
        }
    }

    private static long key(long first, int ingressPriority, int priority) {
        return first
                | (long) ingressPriority << INGRESS_PRIORITY_SHIFT
                | (long) priority << PRIORITY_SHIFT;
    }

    /** Whether a flow has five values and leaves in a priority. */
    boolean is(int flow, FiveTuple values, int priority) {
        return (keys[flow] & ~INGRESS_PRIORITY_MASK) == key(values.word(0), 0, priority)
                && seconds[flow] == values.word(1)
                && (!values.isIpv6() || haveSameOthers(flow, values));
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
        into.word(0, keys[flow] & (1L << INGRESS_PRIORITY_SHIFT) - 1);
        into.word(1, seconds[flow]);
        for (int i = 0; i < WORDS_OF_IPV6; i++) {
            into.word(2 + i, isIpv6(keys[flow]) ? others[flow * WORDS_OF_IPV6 + i] : 0);
        }
    }

    int ingressPort(int flow) {
        return ingressPort[flow];
    }

    int ingressPriority(int flow) {
        return (int) (keys[flow] >>> INGRESS_PRIORITY_SHIFT) & 7;
    }

    int priority(int flow) {
        return (int) (keys[flow] >>> PRIORITY_SHIFT);
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
