package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * The flow table of an egress port (section 4.5.1 of the dissertation): the N flows that came to it
 * last, and by which port and in which priority each came to the switch. The flow that came last is
 * tried first, as mostly the next frame is of that one; then all are gone through.
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

    private final long[] words;
    private final int[] ingressPort;
    private final int[] ingressPriority;
    private final int[] priority;
    private final int[] weight;
    private final int[] hash;
    private final FiveTuple read = new FiveTuple();
    private final int most;
    private int count;
    private int next;
    private int last;

    KnownFlows(int most) {
        this.most = most;
        this.words = new long[most * WORDS];
        this.ingressPort = new int[most];
        this.ingressPriority = new int[most];
        this.priority = new int[most];
        this.weight = new int[most];
        this.hash = new int[most];
    }

    /** A frame has come whose headers are known, and which is charged to its ingress priority. */
    void came(Frame frame) {
        if (!read.read(FrameRegion.MEMORY, frame)) {
            return;
        }
        int flow = find(read);
        if (flow == NONE) {
            flow = next;
            next = next + 1 < most ? next + 1 : 0;
            count = Math.max(count, flow + 1);
            weight[flow] = 0;
            hash[flow] = frame.flowHash;
            for (int word = 0; word < WORDS; word++) {
                words[flow * WORDS + word] = read.word(word);
            }
        }
        last = flow;
        ingressPort[flow] = frame.ingressPort;
        ingressPriority[flow] = frame.account;
        priority[flow] = frame.priority;
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

    /** Number of a flow, below {@link #size}; NONE if it is not in the table. */
    int find(FiveTuple flow) {
        if (count == 0 || is(last, flow)) {
            return count == 0 ? NONE : last;
        }
        for (int at = 0; at < count; at++) {
            if (is(at, flow)) {
                return at;
            }
        }
        return NONE;
    }

    private boolean is(int at, FiveTuple flow) {
        int first = at * WORDS;
        return words[first] == flow.word(0)
                && words[first + 1] == flow.word(1)
                && (!flow.isIpv6()
                        || (words[first + 2] == flow.word(2)
                                && words[first + 3] == flow.word(3)
                                && words[first + 4] == flow.word(4)));
    }

    /** Flows in the table. */
    int size() {
        return count;
    }

    /** Takes a flow's five values. */
    void get(int flow, FiveTuple into) {
        for (int word = 0; word < WORDS; word++) {
            into.word(word, words[flow * WORDS + word]);
        }
    }

    int ingressPort(int flow) {
        return ingressPort[flow];
    }

    int ingressPriority(int flow) {
        return ingressPriority[flow];
    }

    int priority(int flow) {
        return priority[flow];
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
