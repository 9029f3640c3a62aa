package io.headgate.hostagent.telemetry;

import io.headgate.dataplane.forwarding.HopWatch;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;

/**
 * Notes for each flow that comes to a host the ports by which its last frame came, with their
 * telemetry. Telemetry may be forged: a flow gets one of a fixed number of places, and keeps it
 * while it sends, so that any number of new flows cannot displace the known ones.
 */
public final class PathWatch implements HopWatch {
    /** Maximum number of flows that are noted at a time. */
    public static final int FLOWS = 256;

    /** A place is given to another flow after this long without a frame. */
    static final long IDLE_NS = 1_000_000_000;

    /** A port's use is measured over at least this time. */
    static final long USE_NS = 100_000;

    // A flow has one of these places, by its hash.
    private static final int WAYS = 8;
    private static final int NONE = -1;
    private static final int MOST_USE = 1000;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final FlowPaths paths;
    private final FiveTuple key = new FiveTuple();
    private final HopRecord earlier = new HopRecord();

    // By place.
    private final long[] keys = new long[FLOWS * FiveTuple.WORDS];
    private final boolean[] isUsed = new boolean[FLOWS];
    private final long[] lastNs = new long[FLOWS];
    private final long[] frames = new long[FLOWS];
    private final int[] hopsBefore = new int[FLOWS];

    // By place and hop: what the use is reckoned from.
    private final int[] nodes = new int[FLOWS * HopRecords.MOST];
    private final int[] ports = new int[FLOWS * HopRecords.MOST];
    private final long[] timesNs = new long[FLOWS * HopRecords.MOST];
    private final long[] sentBytes = new long[FLOWS * HopRecords.MOST];
    private final int[] uses = new int[FLOWS * HopRecords.MOST];
    private final long[] mostQueueBytes = new long[FLOWS * HopRecords.MOST];

    private long unnoted;

    /**
     * @param paths memory for {@link #FLOWS} flows
     */
    public PathWatch(FlowPaths paths) {
        this.paths = paths;
    }

    @Override
    public void arrived(long nowNs, Frame frame, HopRecords hops) {
        if (!key.read(FrameRegion.MEMORY, frame)) {
            return;
        }
        int flow = place(nowNs);
        if (flow == NONE) {
            paths.unnoted(++unnoted);
            return;
        }
        lastNs[flow] = nowNs;
        frames[flow]++;
        if (hops.hops() == 0 && hopsBefore[flow] > 0) {
            // Too long for any record: it came by the same ports, as far as it is known.
            return;
        }
        for (int hop = 0; hop < hops.hops(); hop++) {
            see(flow, hop, hops.hop(hop));
        }
        hopsBefore[flow] = hops.hops();
        paths.begin(flow);
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            paths.key(word, key.word(word));
        }
        paths.flow(nowNs, frames[flow], hops.hops(), hops.isCut());
        for (int hop = 0; hop < hops.hops(); hop++) {
            int at = flow * HopRecords.MOST + hop;
            paths.hop(hop, hops.hop(hop), mostQueueBytes[at], uses[at]);
        }
        paths.end();
    }

    /** The flow's place, or a free one; {@link #NONE} if all are in use. */
    private int place(long nowNs) {
        long hash = 0;
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            hash = (hash ^ key.word(word)) * SPREAD;
            hash ^= hash >>> Integer.SIZE;
        }
        int first = (int) (hash & (FLOWS / WAYS - 1)) * WAYS;
        int free = NONE;
        for (int place = first; place < first + WAYS; place++) {
            if (isUsed[place] && isOf(place)) {
                return place;
            }
            if (free == NONE && (!isUsed[place] || nowNs - lastNs[place] >= IDLE_NS)) {
                free = place;
            }
        }
        if (free != NONE) {
            take(free);
        }
        return free;
    }

    private boolean isOf(int place) {
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            if (keys[place * FiveTuple.WORDS + word] != key.word(word)) {
                return false;
            }
        }
        return true;
    }

    private void take(int place) {
        isUsed[place] = true;
        frames[place] = 0;
        hopsBefore[place] = 0;
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            keys[place * FiveTuple.WORDS + word] = key.word(word);
        }
    }

    /** Keeps the longest queue of a port on the path, and how much of its link is used. */
    private void see(int flow, int number, HopRecord hop) {
        int at = flow * HopRecords.MOST + number;
        int port = (hop.ingressPort << Short.SIZE) | (hop.egressPort & 0xFFFF);
        boolean isSame = number < hopsBefore[flow] && nodes[at] == hop.node && ports[at] == port;
        if (!isSame) {
            nodes[at] = hop.node;
            ports[at] = port;
            mostQueueBytes[at] = hop.queueBytes;
            uses[at] = HopRecord.UNKNOWN;
            timesNs[at] = hop.timeNs;
            sentBytes[at] = hop.sentBytes;
            return;
        }
        mostQueueBytes[at] = Math.max(mostQueueBytes[at], hop.queueBytes);
        earlier.timeNs = timesNs[at];
        earlier.sentBytes = sentBytes[at];
        long ns = hop.nsSince(earlier);
        if (ns >= USE_NS || ns < 0) {
            uses[at] = use(ns, hop.bytesSince(earlier), hop.rateBps);
            timesNs[at] = hop.timeNs;
            sentBytes[at] = hop.sentBytes;
        }
    }

    /** The use in thousandths of the link; unknown if the reported values make no sense. */
    private static int use(long ns, long bytes, long rateBps) {
        if (ns <= 0 || bytes < 0 || rateBps <= 0) {
            return HopRecord.UNKNOWN;
        }
        double seconds = ns / 1e9;
        return (int) Math.min(MOST_USE, Math.round(1000.0 * Byte.SIZE * bytes / seconds / rateBps));
    }
}
