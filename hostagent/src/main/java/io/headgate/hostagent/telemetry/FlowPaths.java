package io.headgate.hostagent.telemetry;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The paths of a host's flows in memory that other processes may map: a record per flow. One writer
 * overwrites the records with each frame, and any process may read them; a reader repeats a record
 * that was written meanwhile.
 *
 * <pre>
 *   words: version, flows, frames not noted | then of each flow:
 *   sequence (odd: being written), key (5), last frame at, frames, hops and whether some are missing
 *   of each hop: node and ports, queue's bytes, most of them, latency, time, rate, use and queue
 * </pre>
 */
public final class FlowPaths {
    private static final long VERSION = 0x4847_5041_5448_5301L;
    private static final int HEADER_WORDS = 8;
    private static final int ROOM = 1;
    private static final int UNNOTED = 2;

    // Layout of a flow's record, in words; the first is its sequence.
    private static final int KEY = 1;
    private static final int LAST = 6;
    private static final int FRAMES = 7;
    private static final int HOPS = 8;
    private static final int FLOW_WORDS = 16;
    private static final long CUT_BIT = 1L << Integer.SIZE;

    // Layout of a hop, in words.
    private static final int WHERE = 0;
    private static final int QUEUE_BYTES = 1;
    private static final int MOST_QUEUE_BYTES = 2;
    private static final int LATENCY = 3;
    private static final int TIME = 4;
    private static final int RATE = 5;
    private static final int USE = 6;
    private static final int HOP_WORDS = 8;

    private static final int WORDS = FLOW_WORDS + HopRecords.MOST * HOP_WORDS;
    private static final int TRIES = 100;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;
    private final long originNs;
    private long at;
    private long sequence;

    /**
     * Prepares memory for a writer.
     *
     * @param memory zeros, of {@link #bytes}, aligned to words
     * @param originNs this machine's monotonic clock at the writer's time 0
     */
    public FlowPaths(MemorySegment memory, int flows, long originNs) {
        this.memory = memory;
        this.originNs = originNs;
        LONG.set(memory, (long) ROOM * Long.BYTES, (long) flows);
        // Pairs with the reader's look at the version.
        LONG.setRelease(memory, 0L, VERSION);
    }

    /** Memory in bytes for {@code flows} flows. */
    public static long bytes(int flows) {
        return (HEADER_WORDS + (long) flows * WORDS) * Long.BYTES;
    }

    // ---- the writer: begin, then all of a record, then end

    void begin(int flow) {
        at = bytes(flow);
        sequence = (long) LONG.get(memory, at);
        LONG.set(memory, at, sequence + 1);
        // A reader that sees a word of this write sees that it is under way.
        VarHandle.storeStoreFence();
    }

    void key(int word, long value) {
        put(KEY + word, value);
    }

    void flow(long lastNs, long frames, int hops, boolean isCut) {
        put(LAST, lastNs + originNs);
        put(FRAMES, frames);
        put(HOPS, hops | (isCut ? CUT_BIT : 0));
    }

    void hop(int number, HopRecord hop, long mostQueueBytes, int usePermille) {
        int first = FLOW_WORDS + number * HOP_WORDS;
        long ports = ((hop.ingressPort & 0xFFFFL) << Short.SIZE) | (hop.egressPort & 0xFFFFL);
        put(first + WHERE, ((long) hop.node << Integer.SIZE) | ports);
        put(first + QUEUE_BYTES, hop.queueBytes);
        put(first + MOST_QUEUE_BYTES, mostQueueBytes);
        put(first + LATENCY, hop.latencyNs);
        put(first + TIME, hop.timeNs);
        put(first + RATE, hop.rateBps);
        put(first + USE, ((long) hop.queue << Integer.SIZE) | (usePermille & 0xFFFF_FFFFL));
    }

    void end() {
        // Pairs with the reader's first look at the sequence.
        LONG.setRelease(memory, at, sequence + 2);
    }

    private void put(int word, long value) {
        LONG.setOpaque(memory, at + (long) word * Long.BYTES, value);
    }

    void unnoted(long frames) {
        LONG.setOpaque(memory, (long) UNNOTED * Long.BYTES, frames);
    }

    // ---- a reader

    /**
     * The content at a moment.
     *
     * @param unnotedFrames frames with telemetry of flows for which there was no place
     */
    public record View(List<Flow> flows, long unnotedFrames) {}

    /**
     * A flow, with the path of its last frame.
     *
     * @param lastNs arrival of this frame, by this machine's monotonic clock
     * @param frames frames with telemetry, since the flow has its place
     * @param isCut whether the frame says that some port on the path is missing
     * @param hops the first port first
     */
    public record Flow(FiveTuple key, long lastNs, long frames, boolean isCut, List<Hop> hops) {}

    /**
     * A port's own report; -1 for values that it did not report.
     *
     * @param node the switch's number
     * @param ingressPort from 1 on; 0: the switch itself
     * @param queue the priority
     * @param queueBytes what waited behind the frame
     * @param mostQueueBytes maximum of {@code queueBytes} since the flow came by this port
     * @param latencyNs time that the frame was in the switch
     * @param timeNs when the frame left, by the switch's clock
     * @param rateBps rate of its link; 0: not reported
     * @param usePermille how much of the link was used between two frames of the flow
     */
    public record Hop(
            int node,
            int ingressPort,
            int egressPort,
            int queue,
            long queueBytes,
            long mostQueueBytes,
            long latencyNs,
            long timeNs,
            long rateBps,
            int usePermille) {}

    /**
     * Reads the data that a writer has put into memory.
     *
     * @throws IllegalArgumentException with a sentence, if no writer has
     */
    public static View read(MemorySegment memory) {
        if (memory.byteSize() < bytes(0) || (long) LONG.getAcquire(memory, 0L) != VERSION) {
            throw new IllegalArgumentException(
                    "it has no paths of flows, or paths of another version");
        }
        long said = (long) LONG.get(memory, (long) ROOM * Long.BYTES);
        long room = (memory.byteSize() / Long.BYTES - HEADER_WORDS) / WORDS;
        List<Flow> flows = new ArrayList<>();
        long[] words = new long[WORDS];
        for (int flow = 0; flow < Math.min(said, room); flow++) {
            if (copy(memory, flow, words)) {
                flows.add(flow(words));
            }
        }
        return new View(flows, (long) LONG.getOpaque(memory, (long) UNNOTED * Long.BYTES));
    }

    /** Copies a consistent record; false if none was written yet, or its writer keeps it busy. */
    private static boolean copy(MemorySegment memory, int flow, long[] words) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            long before = (long) LONG.getAcquire(memory, bytes(flow));
            for (int word = KEY; word < WORDS; word++) {
                words[word] = (long) LONG.getOpaque(memory, bytes(flow) + (long) word * Long.BYTES);
            }
            VarHandle.loadLoadFence();
            long after = (long) LONG.getOpaque(memory, bytes(flow));
            if (before == after && before % 2 == 0) {
                return before > 0;
            }
        }
        return false;
    }

    private static Flow flow(long[] words) {
        FiveTuple key = new FiveTuple();
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            key.word(word, words[KEY + word]);
        }
        List<Hop> hops = new ArrayList<>();
        for (int hop = 0; hop < Math.min((int) words[HOPS], HopRecords.MOST); hop++) {
            hops.add(hop(words, FLOW_WORDS + hop * HOP_WORDS));
        }
        boolean isCut = (words[HOPS] & CUT_BIT) != 0;
        return new Flow(key, words[LAST], words[FRAMES], isCut, hops);
    }

    private static Hop hop(long[] words, int first) {
        return new Hop(
                (int) (words[first + WHERE] >> Integer.SIZE),
                (short) (words[first + WHERE] >> Short.SIZE),
                (short) words[first + WHERE],
                (int) (words[first + USE] >> Integer.SIZE),
                words[first + QUEUE_BYTES],
                words[first + MOST_QUEUE_BYTES],
                words[first + LATENCY],
                words[first + TIME],
                words[first + RATE],
                (int) words[first + USE]);
    }
}
