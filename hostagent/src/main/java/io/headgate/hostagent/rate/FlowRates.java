package io.headgate.hostagent.rate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The rates of a host's flows in memory that other processes may map: a record per flow. One writer
 * updates the records from time to time, and any process may read them; a reader repeats a record
 * that was written meanwhile.
 *
 * <pre>
 *   words: version, records in use, line rate | then of each record:
 *   sequence (odd: being written), key (5), rate, followed, noticed at, notices, waiting
 * </pre>
 */
public final class FlowRates {
    private static final long VERSION = 0x4847_5241_5445_5301L;
    private static final int HEADER_WORDS = 8;
    private static final int USED = 1;
    private static final int LINE_RATE = 2;

    // Layout of a record, in words.
    private static final int WORDS = 16;
    private static final int SEQUENCE = 0;
    private static final int KEY = 1;
    private static final int KEY_WORDS = 5;
    private static final int RATE = 6;
    private static final int FOLLOWED = 7;
    private static final int NOTICED = 8;
    private static final int NOTICES = 9;
    private static final int WAITING = 10;

    private static final int TRIES = 100;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;
    private final int most;
    private final long originNs;

    /**
     * Prepares memory for a writer.
     *
     * @param memory zeros, of {@link #bytes}, aligned to words
     * @param originNs this machine's monotonic clock at the writer's time 0
     */
    public FlowRates(MemorySegment memory, int most, long lineRateBps, long originNs) {
        this.memory = memory;
        this.most = most;
        this.originNs = originNs;
        LONG.set(memory, (long) LINE_RATE * Long.BYTES, lineRateBps);
        // Pairs with the reader's look at the version.
        LONG.setRelease(memory, 0L, VERSION);
    }

    /** Memory in bytes for {@code flows} flows. */
    public static long bytes(int flows) {
        return (HEADER_WORDS + (long) flows * WORDS) * Long.BYTES;
    }

    private static long at(int flow, int word) {
        return (HEADER_WORDS + (long) flow * WORDS + word) * Long.BYTES;
    }

    /** Number of flows that there is room for. */
    int most() {
        return most;
    }

    /** Writes a flow's record; all records below it must be in use. */
    void put(
            int flow,
            long[] keys,
            int keyAt,
            RateControl control,
            long noticedNs,
            long notices,
            int waiting) {
        long sequence = (long) LONG.get(memory, at(flow, SEQUENCE));
        LONG.set(memory, at(flow, SEQUENCE), sequence + 1);
        // A reader that sees a word of this write sees that it is under way.
        VarHandle.storeStoreFence();
        for (int word = 0; word < KEY_WORDS; word++) {
            LONG.setOpaque(memory, at(flow, KEY + word), keys[keyAt + word]);
        }
        LONG.setOpaque(memory, at(flow, RATE), control.rateBps());
        LONG.setOpaque(memory, at(flow, FOLLOWED), control.followed());
        LONG.setOpaque(memory, at(flow, NOTICED), notices == 0 ? 0 : noticedNs + originNs);
        LONG.setOpaque(memory, at(flow, NOTICES), notices);
        LONG.setOpaque(memory, at(flow, WAITING), (long) waiting);
        // Pairs with the reader's first look at the sequence.
        LONG.setRelease(memory, at(flow, SEQUENCE), sequence + 2);
        if ((long) LONG.get(memory, (long) USED * Long.BYTES) <= flow) {
            LONG.setRelease(memory, (long) USED * Long.BYTES, flow + 1L);
        }
    }

    /**
     * A flow's recent state. An IPv4 address is the low word of a pair, whose high one is 0.
     *
     * @param protocol IANA's number of the protocol
     * @param rateBps rate at which it may send
     * @param isLimited whether this is less than the line's rate
     * @param followed origin of the notices that it follows; 0: none
     * @param notices notices obeyed since the flow is known
     * @param noticedNs arrival of the last of them, by this machine's monotonic clock; 0: never
     * @param waitingFrames frames that have not been released yet
     */
    public record Row(
            int protocol,
            long sourceHigh,
            long sourceLow,
            int sourcePort,
            long destinationHigh,
            long destinationLow,
            int destinationPort,
            long rateBps,
            boolean isLimited,
            long followed,
            long notices,
            long noticedNs,
            int waitingFrames) {}

    /**
     * The flows that a writer has put into memory.
     *
     * @throws IllegalArgumentException with a sentence, if no writer has
     */
    public static List<Row> read(MemorySegment memory) {
        if (memory.byteSize() < bytes(0) || (long) LONG.getAcquire(memory, 0L) != VERSION) {
            throw new IllegalArgumentException(
                    "it has no rates of flows, or rates of another version");
        }
        long lineRateBps = (long) LONG.get(memory, (long) LINE_RATE * Long.BYTES);
        long used = (long) LONG.getAcquire(memory, (long) USED * Long.BYTES);
        int room = (int) ((memory.byteSize() / Long.BYTES - HEADER_WORDS) / WORDS);
        List<Row> rows = new ArrayList<>();
        long[] words = new long[WORDS];
        for (int flow = 0; flow < Math.min(used, room); flow++) {
            if (copy(memory, flow, words)) {
                rows.add(row(words, lineRateBps));
            }
        }
        return rows;
    }

    /** Copies a consistent record; false if none was written yet, or its writer keeps it busy. */
    private static boolean copy(MemorySegment memory, int flow, long[] words) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            long before = (long) LONG.getAcquire(memory, at(flow, SEQUENCE));
            for (int word = 1; word < WORDS; word++) {
                words[word] = (long) LONG.getOpaque(memory, at(flow, word));
            }
            VarHandle.loadLoadFence();
            long after = (long) LONG.getOpaque(memory, at(flow, SEQUENCE));
            if (before == after && before % 2 == 0) {
                return before > 0;
            }
        }
        return false;
    }

    private static Row row(long[] words, long lineRateBps) {
        long ports = words[KEY + 4];
        return new Row(
                (int) (words[KEY + 4] >>> Integer.SIZE),
                words[KEY],
                words[KEY + 1],
                (int) (ports >>> Short.SIZE) & 0xFFFF,
                words[KEY + 2],
                words[KEY + 3],
                (int) ports & 0xFFFF,
                words[RATE],
                words[RATE] < lineRateBps,
                words[FOLLOWED],
                words[NOTICES],
                words[NOTICED],
                (int) words[WAITING]);
    }
}
