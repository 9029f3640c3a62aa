package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Gives numbers to flows: a known flow keeps its number until it is removed, independent of others.
 * A hash table by flow hash, with chains; each flow's record is one cache line.
 */
final class FlowIndex {
    static final int NONE = FlowTable.NONE;

    /** Result for a frame without a source that can be notified. */
    static final int NO_SOURCE = -2;

    // Layout of a record: two words with an IPv4 flow's whole key; a word with the hash and the
    // next record of its chain, or of the free list; the rest of an IPv6 flow's key. Two words are
    // spare.
    private static final int RECORD_SHIFT = 3;
    private static final int LINK = 2;
    private static final int MORE = 3;

    /** Key of a record without a flow. */
    private static final long FREE = -1;

    private static final int PRIORITY_SHIFT = 56;
    private static final long IPV6_BIT = 1L << 48;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final int most;
    private final int mask;
    private final int[] chains;
    private final long[] records;
    private int all;

    // Numbers below it have been given; those that came back are a chain.
    private int top;
    private int free = NONE;

    // The key that find has read.
    private long key0;
    private long key1;
    private long key2;
    private long key3;
    private long key4;

    /**
     * @param most maximum number of flows at a time, at least 1
     */
    FlowIndex(int most) {
        int places = Integer.highestOneBit(2 * most - 1) << 1;
        this.most = most;
        this.mask = places - 1;
        this.chains = new int[places];
        this.records = new long[most << RECORD_SHIFT];
        Arrays.fill(chains, NONE);
    }

    /** The number of a frame's flow; {@link #NONE} if it has none yet; {@link #NO_SOURCE}. */
    int find(Frame frame) {
        int ipOffset = frame.ipOffset;
        if (ipOffset == Frame.ABSENT) {
            return NO_SOURCE;
        }
        long ip = frame.dataOffset + ipOffset;
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        key0 =
                (long) frame.priority << PRIORITY_SHIFT
                        | (isIpv4 ? 0 : IPV6_BIT)
                        | FlowHash.protocolAndPorts(MEMORY, frame);
        if (isIpv4) {
            // What follows tells no flows of IPv4 apart, and is left as it was.
            key1 = Wire.i64(MEMORY, ip + Ipv4.SOURCE_OFFSET);
        } else {
            key1 = Ipv6.sourceHigh(MEMORY, ip);
            key2 = Ipv6.sourceLow(MEMORY, ip);
            key3 = Ipv6.destinationHigh(MEMORY, ip);
            key4 = Ipv6.destinationLow(MEMORY, ip);
        }
        return find(frame.flowHash);
    }

    /** The number of a flow in a queue, by the hash of its frames; {@link #NONE} if it has none. */
    int find(FiveTuple of, int hash, int queue) {
        key0 = (long) queue << PRIORITY_SHIFT | of.word(0);
        key1 = of.word(1);
        key2 = of.word(2);
        key3 = of.word(3);
        key4 = of.word(4);
        return find(hash);
    }

    private int find(int hash) {
        int flow = chains[hash & mask];
        while (flow != NONE && !isKeyOf(flow)) {
            flow = next(flow);
        }
        return flow;
    }

    private boolean isKeyOf(int flow) {
        int at = flow << RECORD_SHIFT;
        if (records[at] != key0 || records[at + 1] != key1) {
            return false;
        }
        return (key0 & IPV6_BIT) == 0
                || (records[at + MORE] == key2
                        && records[at + MORE + 1] == key3
                        && records[at + MORE + 2] == key4);
    }

    /**
     * Gives a number to the flow of the frame that {@link #find} has just read; NONE if the index
     * is full.
     */
    int add(Frame frame) {
        if (all == most) {
            return NONE;
        }
        int flow = free;
        if (flow == NONE) {
            flow = top++;
        } else {
            free = next(flow);
        }
        int at = flow << RECORD_SHIFT;
        records[at] = key0;
        records[at + 1] = key1;
        records[at + MORE] = key2;
        records[at + MORE + 1] = key3;
        records[at + MORE + 2] = key4;
        int chain = frame.flowHash & mask;
        records[at + LINK] = link(frame.flowHash, chains[chain]);
        chains[chain] = flow;
        all++;
        return flow;
    }

    void remove(int flow) {
        int hash = (int) (records[(flow << RECORD_SHIFT) + LINK] >>> Integer.SIZE);
        int chain = hash & mask;
        int at = chains[chain];
        if (at == flow) {
            chains[chain] = next(flow);
        } else {
            while (next(at) != flow) {
                at = next(at);
            }
            int before = (at << RECORD_SHIFT) + LINK;
            records[before] = link((int) (records[before] >>> Integer.SIZE), next(flow));
        }
        all--;
        records[flow << RECORD_SHIFT] = FREE;
        records[(flow << RECORD_SHIFT) + LINK] = link(hash, free);
        free = flow;
        if (all == 0) {
            // An empty index makes the next scan over all numbers short again.
            top = 0;
            free = NONE;
        }
    }

    private static long link(int hash, int next) {
        return (long) hash << Integer.SIZE | (next & 0xFFFF_FFFFL);
    }

    private int next(int flow) {
        return (int) records[(flow << RECORD_SHIFT) + LINK];
    }

    /** The queue of a flow that has this number. */
    int queue(int flow) {
        return (int) (records[flow << RECORD_SHIFT] >>> PRIORITY_SHIFT);
    }

    /** Whether a flow has this number, of those below {@link #top}. */
    boolean has(int flow) {
        return records[flow << RECORD_SHIFT] != FREE;
    }

    /** Upper bound (exclusive) of the given numbers. */
    int top() {
        return top;
    }

    int size() {
        return all;
    }

    void clear() {
        Arrays.fill(chains, NONE);
        all = 0;
        top = 0;
        free = NONE;
    }
}
