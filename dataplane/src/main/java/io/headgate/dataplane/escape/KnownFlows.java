package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.Arrays;

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

    private static final class Known {
        final FiveTuple flow = new FiveTuple();
        int ingressPort;
        int ingressPriority;
        int priority;
        int hash;
        int weight;
    }

    private final Known[] known;
    private final FiveTuple read = new FiveTuple();
    private int count;
    private int next;
    private int last;

    KnownFlows(int most) {
        this.known = new Known[most];
        Arrays.setAll(known, flow -> new Known());
    }

    /** A frame has come whose headers are known, and which is charged to its ingress priority. */
    void came(Frame frame) {
        if (count == 0 || !known[last].flow.isOf(FrameRegion.MEMORY, frame)) {
            if (!read.read(FrameRegion.MEMORY, frame)) {
                return;
            }
            int found = find(read);
            last = found == NONE ? begin(frame) : found;
        }
        Known flow = known[last];
        flow.ingressPort = frame.ingressPort;
        flow.ingressPriority = frame.account;
        flow.priority = frame.priority;
        flow.weight += frame.lengthBytes;
        if (flow.weight >= MOST_BYTES) {
            halve();
        }
    }

    /** In the place of the one that was begun longest ago. */
    private int begin(Frame frame) {
        int at = next;
        next = next + 1 < known.length ? next + 1 : 0;
        count = Math.max(count, at + 1);
        copy(read, known[at].flow);
        known[at].hash = frame.flowHash;
        known[at].weight = 0;
        return at;
    }

    private static void copy(FiveTuple from, FiveTuple into) {
        for (int word = 0; word < WORDS; word++) {
            into.word(word, from.word(word));
        }
    }

    private void halve() {
        for (int flow = 0; flow < count; flow++) {
            known[flow].weight >>= 1;
        }
    }

    /** Number of a flow, below {@link #size}; NONE if it is not in the table. */
    int find(FiveTuple flow) {
        for (int at = 0; at < count; at++) {
            if (is(known[at].flow, flow)) {
                return at;
            }
        }
        return NONE;
    }

    private static boolean is(FiveTuple one, FiveTuple other) {
        for (int word = 0; word < WORDS; word++) {
            if (one.word(word) != other.word(word)) {
                return false;
            }
        }
        return true;
    }

    /** Flows in the table. */
    int size() {
        return count;
    }

    /** Takes a flow's five values. */
    void get(int flow, FiveTuple into) {
        copy(known[flow].flow, into);
    }

    int ingressPort(int flow) {
        return known[flow].ingressPort;
    }

    int ingressPriority(int flow) {
        return known[flow].ingressPriority;
    }

    int priority(int flow) {
        return known[flow].priority;
    }

    /** The {@link Frame#flowHash} of a flow's frames. */
    int hash(int flow) {
        return known[flow].hash;
    }

    /** Bytes that came of a flow lately. */
    int weight(int flow) {
        return known[flow].weight;
    }
}
