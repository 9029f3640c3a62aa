package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a policy's queues hold and remember, and all that does not depend on the policy. Towards the
 * port there are eight queues, its priorities, as everywhere; within, packets are in the policy's.
 */
abstract class PolicyState implements Queues {
    static final int PRIORITIES = 8;
    static final int NONE = Ranking.NONE;
    private static final int ALL = (1 << PRIORITIES) - 1;

    final PolicyPlan plan;
    final PacketTable table;
    private final NamedRandom random;

    // Of each queue. Sizes are in bytes or in packets, as the binding says.
    final int queueCount;
    final Ranking[] processing;
    final @Nullable Ranking[] admission;

    /** That for admission, where it is not the same as that for processing. */
    final @Nullable Ranking[] separate;

    final boolean[] dropsTail;
    final boolean[] drops;
    final int[] carries;
    final int[] bufferOf;
    final int[] packets;
    final int[] packetsByPriority;
    final double[] queueSize;
    final long[] currSize;
    final double[] weightAdm;
    final double[] weightSched;
    final double[] admState;
    final double[] schedState;
    final long[] dropped;
    final long[] total;
    final long[] maxSize;

    // Of each buffer.
    final int[][] bufferQueues;
    final boolean[] bufferOrders;
    final boolean[] bufferDrops;
    final double[] bufferSize;
    final long[] bufferCurrSize;
    final double[] bufferAdmState;
    final int[] bufferCurrQueue;

    // Of the port.
    final int[] portQueues;
    final boolean selects;
    final int[] queueOfPriority = new int[PRIORITIES];
    double portRate;
    double portSchedState;
    int portCurrQueue;

    private final boolean countsPackets;
    final int[] frames = new int[PRIORITIES];
    final long[] bytes = new long[PRIORITIES];
    int allFrames;
    long allBytes;
    int occupied;
    int eligible = ALL;
    int dequeued;
    long nowNs;

    private long marks;
    private long notices;

    // Those that the last packet has pushed out, and that nobody has asked for yet.
    private @Nullable Frame firstLost;
    private @Nullable Frame lastLost;

    PolicyState(
            PolicyPlan plan,
            PacketTable table,
            Ranking[] processing,
            @Nullable Ranking[] admission,
            NamedRandom random) {
        this.plan = plan;
        this.table = table;
        this.processing = processing;
        this.admission = admission;
        this.random = random;
        this.countsPackets = plan.binding().countsPackets();
        List<Policy.Queue> queues = plan.policy().queues();
        queueCount = queues.size();
        separate = new Ranking[queueCount];
        dropsTail = new boolean[queueCount];
        drops = new boolean[queueCount];
        carries = plan.binding().carries().stream().mapToInt(Integer::intValue).toArray();
        bufferOf = queues.stream().mapToInt(Policy.Queue::buffer).toArray();
        packets = new int[queueCount];
        packetsByPriority = new int[queueCount * PRIORITIES];
        queueSize = queues.stream().mapToDouble(Policy.Queue::size).toArray();
        currSize = new long[queueCount];
        weightAdm = queues.stream().mapToDouble(q -> q.initial().weightAdm()).toArray();
        weightSched = queues.stream().mapToDouble(q -> q.initial().weightSched()).toArray();
        admState = queues.stream().mapToDouble(q -> q.initial().admState()).toArray();
        schedState = queues.stream().mapToDouble(q -> q.initial().schedState()).toArray();
        dropped = new long[queueCount];
        total = new long[queueCount];
        maxSize = new long[queueCount];
        List<Policy.Buffer> buffers = plan.policy().buffers();
        bufferQueues =
                buffers.stream()
                        .map(b -> b.queues().stream().mapToInt(Integer::intValue).toArray())
                        .toArray(int[][]::new);
        bufferOrders = new boolean[buffers.size()];
        bufferDrops = new boolean[buffers.size()];
        bufferSize = buffers.stream().mapToDouble(Policy.Buffer::size).toArray();
        bufferCurrSize = new long[buffers.size()];
        bufferAdmState = buffers.stream().mapToDouble(b -> b.initial().admState()).toArray();
        bufferCurrQueue = new int[buffers.size()];
        Policy.Port port = plan.policy().ports().getFirst();
        portQueues = port.queues().stream().mapToInt(Integer::intValue).toArray();
        selects = port.selection() != null;
        portRate = port.rate();
        portSchedState = port.initial().schedState();
        for (int queue = 0; queue < queueCount; queue++) {
            PolicyPlan.QueuePlan each = plan.queues().get(queue);
            separate[queue] = each.isShared() ? null : admission[queue];
            dropsTail[queue] = each.dropsTail();
            drops[queue] = each.drops();
            for (int priority = 0; priority < PRIORITIES; priority++) {
                if ((carries[queue] >>> priority & 1) != 0) {
                    queueOfPriority[priority] = queue;
                }
            }
        }
        for (int buffer = 0; buffer < buffers.size(); buffer++) {
            bufferOrders[buffer] = buffers.get(buffer).order() != null;
            bufferDrops[buffer] = PolicyPlan.drops(buffers.get(buffer).congestion());
        }
    }

    // ---- what generated code calls

    /** Notes that the packet has met congestion. */
    final void mark(int packet) {
        marks++;
        Mark.write(table.frame(packet), Mark.CONGESTION, Mark.Field.BOTH);
    }

    final void raise() {
        notices++;
    }

    /** A field of the packet that a queue sends next; 0 if it has none. */
    final long headField(int queue, int field) {
        int packet = processing[queue].best();
        return packet == NONE ? 0 : table.fields[field][packet];
    }

    /** The number of that packet in the order in which packets came. */
    final long headOrder(int queue) {
        int packet = processing[queue].best();
        return packet == NONE ? 0 : table.arrivals[packet];
    }

    /** When that packet came, in ns. */
    final long headTime(int queue) {
        int packet = processing[queue].best();
        return packet == NONE ? 0 : table.times[packet];
    }

    /** A number as one whose order as a long is the same. */
    static long sortable(double number) {
        long bits = Double.doubleToLongBits(number + 0.0);
        return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    // ---- one draw for each packet that may be dropped

    final boolean isHit(double probability) {
        return probability >= 1 || (probability > 0 && random.nextDouble() < probability);
    }

    final int sizeOf(Frame frame) {
        return countsPackets ? 1 : frame.lengthBytes;
    }

    // ---- packets come and go

    final void count(Frame frame, int queue) {
        int priority = frame.priority;
        frame.queue = queue;
        frames[priority]++;
        bytes[priority] += frame.lengthBytes;
        allFrames++;
        allBytes += frame.lengthBytes;
        occupied |= 1 << priority;
        packets[queue]++;
        packetsByPriority[queue * PRIORITIES + priority]++;
        int size = sizeOf(frame);
        currSize[queue] += size;
        if (bufferOf[queue] >= 0) {
            bufferCurrSize[bufferOf[queue]] += size;
        }
    }

    final void uncount(Frame frame, int queue) {
        int priority = frame.priority;
        bytes[priority] -= frame.lengthBytes;
        allFrames--;
        allBytes -= frame.lengthBytes;
        if (--frames[priority] == 0) {
            occupied &= ~(1 << priority);
        }
        packets[queue]--;
        packetsByPriority[queue * PRIORITIES + priority]--;
        int size = sizeOf(frame);
        currSize[queue] -= size;
        if (bufferOf[queue] >= 0) {
            bufferCurrSize[bufferOf[queue]] -= size;
        }
    }

    final void lose(Frame frame) {
        frame.next = null;
        Frame last = lastLost;
        if (firstLost == null || last == null) {
            firstLost = frame;
        } else {
            last.next = frame;
        }
        lastLost = frame;
    }

    @Override
    public final @Nullable Frame alsoLost() {
        Frame lost = firstLost;
        if (lost != null) {
            firstLost = lost == lastLost ? null : lost.next;
        }
        return lost;
    }

    /** Takes a packet that waits out of everything. */
    final Frame remove(int packet) {
        int queue = table.queues[packet];
        processing[queue].remove(packet);
        Ranking other = separate[queue];
        if (other != null) {
            other.remove(packet);
        }
        Frame frame = table.remove(packet);
        uncount(frame, queue);
        return frame;
    }

    abstract void join(Frame frame, long timeNs);

    @Override
    public final void adopt(Frame frame) {
        join(frame, nowNs);
    }

    @Override
    public final boolean readsArrivals() {
        return true;
    }

    @Override
    public final void arriving(long timeNs) {
        nowNs = timeNs;
    }

    // ---- which may be sent

    @Override
    public final void eligible(int mask) {
        eligible = mask & ALL;
    }

    /** A queue is stopped while one of its priorities is. */
    final boolean isStopped(int queue) {
        return (carries[queue] & ~eligible) != 0;
    }

    @Override
    public final int ready() {
        if (eligible == ALL) {
            return occupied;
        }
        int ready = 0;
        for (int queue = 0; queue < queueCount; queue++) {
            if (packets[queue] > 0 && !isStopped(queue)) {
                ready |= waitingIn(queue);
            }
        }
        return ready;
    }

    /** The priorities of the packets of a queue. */
    final int waitingIn(int queue) {
        int mask = 0;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            if (packetsByPriority[queue * PRIORITIES + priority] > 0) {
                mask |= 1 << priority;
            }
        }
        return mask;
    }

    @Override
    public final int occupied() {
        return occupied;
    }

    @Override
    public final int dequeued() {
        return dequeued;
    }

    // ---- not on the path of ordinary frames

    /** The packet of a priority that leaves next, as far as that can be said; NONE if none is. */
    final int headPacket(int priority) {
        for (int queue = 0; queue < queueCount && frames[priority] > 0; queue++) {
            if (packetsByPriority[queue * PRIORITIES + priority] > 0) {
                int best = processing[queue].best();
                return table.frame(best).priority == priority ? best : earliest(priority, null);
            }
        }
        return NONE;
    }

    private int earliest(int priority, @Nullable FrameFilter filter) {
        int earliest = NONE;
        for (int packet = 0; packet < table.end(); packet++) {
            Frame frame = table.frames[packet];
            if (frame != null
                    && frame.priority == priority
                    && (earliest == NONE || table.arrivals[packet] < table.arrivals[earliest])
                    && (filter == null || filter.matches(frame))) {
                earliest = packet;
            }
        }
        return earliest;
    }

    @Override
    public final @Nullable Frame head(int queue) {
        int packet = headPacket(queue);
        return packet == NONE ? null : table.frame(packet);
    }

    @Override
    public final @Nullable Frame extract(int queue, FrameFilter filter) {
        int packet = earliest(queue, filter);
        return packet == NONE ? null : remove(packet);
    }

    @Override
    public final @Nullable Frame drain() {
        for (int queue = 0; queue < queueCount; queue++) {
            if (packets[queue] > 0) {
                return remove(processing[queue].best());
            }
        }
        return null;
    }

    /** A packet, for another policy: when it came is kept. */
    private record Moving(Frame frame, long timeNs) {}

    @Override
    public final void handOver(Queues next) {
        List<Moving> all = new ArrayList<>();
        for (int packet = 0; packet < table.end(); packet++) {
            Frame frame = table.frames[packet];
            if (frame != null) {
                all.add(new Moving(frame, table.times[packet]));
                remove(packet);
            }
        }
        all.sort(Comparator.comparingLong(moving -> moving.frame.arrival));
        next.arriving(nowNs);
        for (Moving moving : all) {
            if (next instanceof PolicyState other) {
                other.join(moving.frame, moving.timeNs);
            } else {
                next.adopt(moving.frame);
            }
        }
    }

    @Override
    public final Frame[] waiting(int queue) {
        Frame[] all = new Frame[frames[queue]];
        int count = 0;
        for (int packet = 0; packet < table.end(); packet++) {
            Frame frame = table.frames[packet];
            if (frame != null && frame.priority == queue) {
                all[count++] = frame;
            }
        }
        Arrays.sort(all, Comparator.comparingLong(frame -> frame.arrival));
        return all;
    }

    @Override
    public final @Nullable Frame first() {
        for (int queue : portQueues) {
            if (packets[queue] > 0) {
                return table.frame(processing[queue].best());
            }
        }
        return null;
    }

    // ---- what waits

    @Override
    public final boolean isEmpty() {
        return allFrames == 0;
    }

    @Override
    public final int frames() {
        return allFrames;
    }

    @Override
    public final long bytes() {
        return allBytes;
    }

    @Override
    public final int queues() {
        return PRIORITIES;
    }

    @Override
    public final int frames(int queue) {
        return frames[queue];
    }

    @Override
    public final long bytes(int queue) {
        return bytes[queue];
    }

    @Override
    public final long limitBytes(int queue) {
        int of = queueOfPriority[queue];
        boolean isBound = drops[of] && !countsPackets;
        return isBound ? (long) Math.min(queueSize[of], Long.MAX_VALUE) : Long.MAX_VALUE;
    }

    @Override
    public final int headBytes(int queue) {
        int packet = headPacket(queue);
        return packet == NONE ? 0 : table.frame(packet).lengthBytes;
    }

    @Override
    public final long headArrival(int queue) {
        int packet = headPacket(queue);
        return packet == NONE ? 0 : table.arrivals[packet];
    }

    // ---- what has happened

    /** Packets that were marked. */
    final long marks() {
        return marks;
    }

    /** Events that the policy has raised. */
    final long notices() {
        return notices;
    }
}
