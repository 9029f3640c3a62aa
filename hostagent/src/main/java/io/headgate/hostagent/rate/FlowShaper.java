package io.headgate.hostagent.rate;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.WireFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shapes the limited flows in front of a card's queues: the frames of each flow wait in a list of
 * their own, and are released one at a time at the flow's rate. A flow is a set of frames with the
 * same addresses, protocol and ports, as {@link FlowHash} takes them; fragments are distinguished
 * by addresses only. After a late call, one missed frame is made up, so that a burst has at most
 * two frames.
 *
 * <p>Notices and time change the rates of flows; a new rate applies from a flow's next frame on.
 *
 * <p>Frames come from several queues, and the senders of each queue can be held back: from the
 * moment when a flow's list becomes long, until it is short again.
 *
 * <p>Owned by the half that receives from the applications. Bounded by the slots that it is given
 * and by the number of flows that it knows: while more flows have frames waiting, some share a list
 * and a rate.
 */
public final class FlowShaper implements NotifiedFlows {
    /** A list with this many frames is long: senders of its queue are held back. */
    public static final int LONG_FRAMES = 32;

    /** A list with this few frames is short again: the senders are released. */
    static final int SHORT_FRAMES = 8;

    /** Maximum number of flows that a host's card knows at a time. */
    public static final int FLOWS = 16_384;

    /** Maximum number of flows examined to find one that can be forgotten. */
    private static final int LOOKS = 256;

    private static final long PUBLISH_NS = 100_000_000;
    private static final int PUBLISHED_AT_A_TIME = 64;
    private static final int NONE = -1;
    private static final int KEY_WORDS = 5;
    private static final long NS_PER_S = 1_000_000_000L;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    /** Minimum rate of a held queue, in bits per second. */
    private static final long LEAST_HELD_BPS = 64_000;

    private final Supplier<RateControl> makes;
    private final long lineRateBps;
    private final int largestWireBytes;

    // In which a congestion point sends one notice about a flow; 0: none is taken.
    private final long noticePeriodNs;

    // Made with the first flow.
    private @Nullable PacingWheel wheel;

    // The controls' own times; made with the first that has one.
    private @Nullable PacingWheel timers;

    // By flow.
    private final int most;
    private final RateControl[] controls;
    private final @Nullable NoticeLimit[] limits;
    private final @Nullable Frame[] heads;
    private final @Nullable Frame[] tails;
    private final int[] lengths;
    private final int[] queues;
    private final long[] dueNs;
    private final long[] remainders;
    private final long[] keys;
    private final long[] noticedNs;
    private final long[] notices;
    private final int[] chained;

    private final int[] chains;
    private final long[] key = new long[KEY_WORDS];
    private final long[] otherKey = new long[KEY_WORDS];
    private int flows;
    private int oldest;

    // Per queue: number of flows whose list is long, or was long and is not short yet.
    private final int[] longLists;
    private final boolean[] isLong;

    // Per queue: the sum of the rates of flows with frames waiting; per flow: its part of that sum.
    private final long[] leavingBps;
    private final long[] partsBps;
    private int waiting;
    private long sharing;

    // Where rates can be seen; the next flow to be written there, and when that begins again.
    private @Nullable FlowRates rates;
    private int nextPublished;
    private long publishNs;
    private boolean isPublished = true;

    /** A shaper that knows {@link #FLOWS} flows. */
    public FlowShaper(
            Supplier<RateControl> controls,
            long noticePeriodNs,
            int queues,
            long lineRateBps,
            int largestFrameBytes) {
        this(controls, noticePeriodNs, queues, lineRateBps, largestFrameBytes, FLOWS);
    }

    /**
     * @param noticePeriodNs as {@link RateControlMechanism#noticePeriodNs}
     * @param largestFrameBytes without FCS
     * @param most maximum number of flows that it knows at a time, a power of two
     */
    public FlowShaper(
            Supplier<RateControl> controls,
            long noticePeriodNs,
            int queues,
            long lineRateBps,
            int largestFrameBytes,
            int most) {
        this.makes = controls;
        this.noticePeriodNs = noticePeriodNs;
        this.longLists = new int[queues];
        this.leavingBps = new long[queues];
        this.most = most;
        this.controls = new RateControl[most];
        this.limits = new NoticeLimit[most];
        this.heads = new Frame[most];
        this.tails = new Frame[most];
        this.lengths = new int[most];
        this.queues = new int[most];
        this.dueNs = new long[most];
        this.remainders = new long[most];
        this.keys = new long[most * KEY_WORDS];
        this.noticedNs = new long[most];
        this.notices = new long[most];
        this.chained = new int[most];
        this.chains = new int[2 * most];
        this.isLong = new boolean[most];
        this.partsBps = new long[most];
        this.lineRateBps = lineRateBps;
        this.largestWireBytes = WireFormat.ETHERNET.wireBytes(largestFrameBytes);
        Arrays.fill(chains, NONE);
    }

    /** Takes a frame of a limited flow from a queue. */
    public void take(long nowNs, int queue, Frame frame) {
        PacingWheel turns = wheel;
        if (turns == null) {
            turns = PacingWheel.ofCard(0);
            wheel = turns;
        }
        int flow = flowOf(nowNs, frame, turns);
        frame.place = SlotPlace.LIMITED;
        frame.next = null;
        Frame last = tails[flow];
        if (last == null) {
            heads[flow] = frame;
            queues[flow] = queue;
            noteRate(flow);
            turns.schedule(flow, Math.max(dueNs[flow], nowNs));
        } else {
            last.next = frame;
        }
        tails[flow] = frame;
        waiting++;
        if (++lengths[flow] >= LONG_FRAMES && !isLong[flow]) {
            isLong[flow] = true;
            longLists[queues[flow]]++;
        }
    }

    /**
     * Releases frames that are due.
     *
     * @param from index of the first frame in the batch
     * @return number of frames, at most {@code limit}
     */
    public int release(long nowNs, Frame[] batch, int from, int limit) {
        PacingWheel turns = wheel;
        int count = 0;
        while (turns != null && count < limit && turns.nextTime() <= nowNs) {
            int flow = turns.poll();
            Frame frame = heads[flow];
            if (frame == null) {
                throw new IllegalStateException("flow " + flow + " is due and has no frame");
            }
            Frame next = frame.next;
            frame.next = null;
            heads[flow] = next;
            batch[from + count++] = frame;
            waiting--;
            if (--lengths[flow] <= SHORT_FRAMES && isLong[flow]) {
                isLong[flow] = false;
                longLists[queues[flow]]--;
            }
            sent(nowNs, flow, WireFormat.ETHERNET.wireBytes(frame.lengthBytes));
            noteRate(flow);
            if (next == null) {
                tails[flow] = null;
            } else {
                turns.schedule(flow, Math.max(dueNs[flow], nowNs));
            }
        }
        return count;
    }

    /** Delays the flow's next frame by the time that this one takes at the flow's rate. */
    private void sent(long nowNs, int flow, int wireBytes) {
        RateControl control = controls[flow];
        control.sent(nowNs, wireBytes);
        isPublished = false;
        setTimer(nowNs, flow);
        long numerator = wireBytes * 8L * NS_PER_S + remainders[flow];
        long rateBps = control.rateBps();
        long intervalNs = numerator / rateBps;
        long startNs = dueNs[flow];
        if (startNs - nowNs < -intervalNs) {
            startNs = nowNs - intervalNs;
        }
        remainders[flow] = numerator - intervalNs * rateBps;
        dueNs[flow] = startNs + intervalNs;
    }

    /** Runs the controls whose time has come; returns the amount of work. */
    public int tick(long nowNs) {
        PacingWheel own = timers;
        int work = 0;
        while (own != null && own.nextTime() <= nowNs) {
            int flow = own.poll();
            work += controls[flow].tick(nowNs);
            noteRate(flow);
            isPublished = false;
            // One that is due again at once is called again, but not within this call.
            setTimer(nowNs + 1, flow);
        }
        return work;
    }

    /** The time at which to call {@link #tick}, in ns; MAX_VALUE: never. */
    public long tickNs() {
        PacingWheel own = timers;
        return own == null ? Long.MAX_VALUE : own.nextTime();
    }

    /**
     * Updates the timer of a control whose deadline may have changed; not earlier than the given
     * time.
     */
    private void setTimer(long earliestNs, int flow) {
        long dueAtNs = controls[flow].deadlineNs();
        PacingWheel own = timers;
        if (own == null) {
            if (dueAtNs == Long.MAX_VALUE) {
                return;
            }
            own = PacingWheel.ofCard(0);
            timers = own;
        }
        own.grow(flows);
        if (dueAtNs == Long.MAX_VALUE) {
            own.cancel(flow);
        } else {
            own.schedule(flow, Math.max(dueAtNs, earliestNs));
        }
    }

    @Override
    public NoticeCounter notified(
            long nowNs, int etherType, long packet, int bytes, int kind, long origin, long value) {
        Arrays.fill(key, 0);
        read(etherType, packet, bytes);
        int flow = find(hash() & (chains.length - 1));
        if (flow == NONE) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        NoticeLimit limit = limits[flow];
        if (limit == null) {
            limit = new NoticeLimit(noticePeriodNs);
            limits[flow] = limit;
        }
        NoticeCounter became = limit.give(controls[flow], nowNs, kind, origin, value);
        noteRate(flow);
        if (became == NoticeCounter.OBEYED) {
            noticedNs[flow] = nowNs;
            notices[flow]++;
            isPublished = false;
        }
        setTimer(nowNs, flow);
        return became;
    }

    /** The time of the next release, in ns; MAX_VALUE: no frame waits. */
    public long deadlineNs() {
        PacingWheel turns = wheel;
        return turns == null ? Long.MAX_VALUE : turns.nextTime();
    }

    /** Number of frames that wait here. */
    public int waiting() {
        return waiting;
    }

    public int flows() {
        return flows;
    }

    /** Number of frames whose flow had no list of its own. */
    public long sharing() {
        return sharing;
    }

    /** Whether senders of a queue must be held back. */
    public boolean isHeld(int queue) {
        return longLists[queue] > 0;
    }

    /**
     * The rate limit of a held queue, in bits per second: half of the rate at which its frames
     * leave.
     */
    public long throttledRateBps(int queue) {
        return Math.clamp(leavingBps[queue] / 2, LEAST_HELD_BPS, lineRateBps);
    }

    /**
     * Notes that a flow's rate may have changed, or that its list has become empty or is no longer
     * empty.
     */
    private void noteRate(int flow) {
        long partBps = heads[flow] == null ? 0 : controls[flow].rateBps();
        leavingBps[queues[flow]] += partBps - partsBps[flow];
        partsBps[flow] = partBps;
    }

    // ---- for people to see

    /** Publishes its flows' rates there from now on; there must be room for all. */
    public void showAt(FlowRates where) {
        if (where.most() < most) {
            throw new IllegalArgumentException(
                    "room for " + where.most() + " flows, of which there may be " + most);
        }
        rates = where;
        isPublished = false;
    }

    /** Publishes some flows' rates, if it is time; to be called from time to time. */
    public void publish(long nowNs) {
        FlowRates where = rates;
        if (where == null || nowNs < publishNs || (isPublished && nextPublished == 0)) {
            return;
        }
        if (nextPublished == 0) {
            // What changes from here on is for the next time.
            isPublished = true;
        }
        int end = Math.min(nextPublished + PUBLISHED_AT_A_TIME, flows);
        for (int flow = nextPublished; flow < end; flow++) {
            where.put(
                    flow,
                    keys,
                    flow * KEY_WORDS,
                    controls[flow],
                    noticedNs[flow],
                    notices[flow],
                    lengths[flow]);
        }
        nextPublished = end < flows ? end : 0;
        if (nextPublished == 0) {
            publishNs = nowNs + PUBLISH_NS;
        }
    }

    /** The latest time at which to call {@link #publish}, in ns; MAX_VALUE: never. */
    public long publishNs() {
        boolean isDue = rates != null && (!isPublished || nextPublished != 0);
        return isDue ? publishNs : Long.MAX_VALUE;
    }

    // ---- which flow

    private int flowOf(long nowNs, Frame frame, PacingWheel turns) {
        read(frame);
        int chain = hash() & (chains.length - 1);
        int known = find(chain);
        if (known != NONE) {
            return known;
        }
        int flow = flows < most ? flows++ : reused(nowNs);
        if (flow == NONE) {
            sharing++;
            return (hash() >>> 16) & (most - 1);
        }
        turns.grow(flows);
        System.arraycopy(key, 0, keys, flow * KEY_WORDS, KEY_WORDS);
        chained[flow] = chains[chain];
        chains[chain] = flow;
        RateControl control = makes.get();
        control.begin(nowNs, lineRateBps, largestWireBytes);
        controls[flow] = control;
        limits[flow] = null;
        noticedNs[flow] = 0;
        notices[flow] = 0;
        isPublished = false;
        setTimer(nowNs, flow);
        dueNs[flow] = nowNs;
        remainders[flow] = 0;
        return flow;
    }

    /** The flow that has the key, in its chain. */
    private int find(int chain) {
        int flow = chains[chain];
        while (flow != NONE
                && !Arrays.equals(
                        key, 0, KEY_WORDS, keys, flow * KEY_WORDS, (flow + 1) * KEY_WORDS)) {
            flow = chained[flow];
        }
        return flow;
    }

    /**
     * Finds, among the next {@link #LOOKS} flows, one without waiting frames, that may send again
     * and whose control has learned nothing; {@link #NONE} if none qualifies.
     */
    private int reused(long nowNs) {
        for (int i = 0; i < LOOKS; i++) {
            int flow = oldest;
            oldest = (oldest + 1) & (most - 1);
            if (heads[flow] == null && dueNs[flow] <= nowNs && controls[flow].isIdle()) {
                unchain(flow);
                return flow;
            }
        }
        return NONE;
    }

    private void unchain(int flow) {
        System.arraycopy(keys, flow * KEY_WORDS, otherKey, 0, KEY_WORDS);
        int chain = hash(otherKey) & (chains.length - 1);
        if (chains[chain] == flow) {
            chains[chain] = chained[flow];
            return;
        }
        int before = chains[chain];
        while (chained[before] != flow) {
            before = chained[before];
        }
        chained[before] = chained[flow];
    }

    /** Reads addresses, protocol and ports; zeros for missing fields. */
    private void read(Frame frame) {
        Arrays.fill(key, 0);
        long at = frame.dataOffset;
        int offset = Ethernet.ETHER_TYPE_OFFSET;
        int type = Wire.u16(MEMORY, at + offset);
        while ((type == EtherType.VLAN || type == EtherType.SERVICE_VLAN)
                && offset + Vlan.TAG_BYTES + 2 <= frame.storedBytes) {
            offset += Vlan.TAG_BYTES;
            type = Wire.u16(MEMORY, at + offset);
        }
        read(type, at + offset + 2, frame.storedBytes - offset - 2);
    }

    /**
     * Reads the key from an IP packet.
     *
     * @param stored number of its bytes that are stored
     */
    private void read(int type, long ip, int stored) {
        boolean isIpv4 = type == EtherType.IPV4;
        if (isIpv4 && stored >= Ipv4.MIN_HEADER_BYTES) {
            key[1] = Wire.u32(MEMORY, ip + Ipv4.SOURCE_OFFSET);
            key[3] = Wire.u32(MEMORY, ip + Ipv4.SOURCE_OFFSET + Integer.BYTES);
        } else if (type == EtherType.IPV6 && stored >= Ipv6.HEADER_BYTES) {
            key[0] = Ipv6.sourceHigh(MEMORY, ip);
            key[1] = Ipv6.sourceLow(MEMORY, ip);
            key[2] = Ipv6.destinationHigh(MEMORY, ip);
            key[3] = Ipv6.destinationLow(MEMORY, ip);
        } else {
            return;
        }
        key[4] = FlowHash.protocolAndPorts(MEMORY, ip, isIpv4, stored);
    }

    private int hash() {
        return hash(key);
    }

    private static int hash(long[] words) {
        long hash = 0;
        for (long word : words) {
            hash = (hash ^ word) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }
}
