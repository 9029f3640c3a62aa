package io.headgate.dataplane.openqueue;

import static io.headgate.dataplane.openqueue.QueueState.BYTES_MASK;
import static io.headgate.dataplane.openqueue.QueueState.FRAME;
import static io.headgate.dataplane.openqueue.QueueState.FRAMES_SHIFT;

import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of a policy's queues, and the code that depends neither on the policy nor on the structures
 * that hold packets. The port sees eight queues, one per priority, as everywhere; inside, packets
 * are in the policy's queues.
 */
abstract class PolicyState implements Queues {
    static final int PRIORITIES = 8;
    static final int NONE = -1;
    private static final int ALL = (1 << PRIORITIES) - 1;
    private static final PolicyCounter[] COUNTERS = PolicyCounter.values();

    // Made here, not where they are used: there the worker would define their classes.
    private static final Comparator<Moving> MOVING_BY_ARRIVAL =
            Comparator.comparingLong(each -> each.frame.arrival);
    static final Comparator<Frame> BY_ARRIVAL = Comparator.comparingLong(frame -> frame.arrival);

    final PolicyPlan plan;

    /** The policy as text: equal for equal policies; the owner of these queues compares it. */
    private final String policyText;

    private final NamedRandom random;

    final QueueState[] queues;
    final BufferState[] buffers;

    /** The port; if the policy defines several, the first, and each queue knows its own. */
    final PortState port;

    // Its queues, in its order: where there are several ports, all queues.
    final QueueState[] portQueues;
    final boolean selects;
    final QueueState[] queueOfPriority = new QueueState[PRIORITIES];

    final PolicyShape shape;

    /** By priority, frames and bytes in one word; in {@code all} those of all priorities. */
    private final long[] waiting = new long[PRIORITIES];

    private long all;

    /** The queue, if there is one and all goes into it. */
    private final @Nullable QueueState only;

    /** Frames by queue and priority, where a priority may be in several queues. */
    private final int[] framesByPriority;

    /** Bits of the queues that have a frame, in the port's order, if there are several queues. */
    int busy;

    int occupied;
    int eligible = ALL;
    int dequeued;
    long nowNs;

    // Frames that the last packet has pushed out, and that the caller has not taken yet.
    private @Nullable Frame firstLost;
    private @Nullable Frame lastLost;

    PolicyState(PolicyPlan plan, NamedRandom random) {
        this.plan = plan;
        this.policyText = plan.policy().toString();
        this.random = random;
        this.shape = PolicyShape.of(plan);
        Policy policy = plan.policy();
        List<PortState> ports = policy.ports().stream().map(PortState::new).toList();
        port = ports.getFirst();
        selects = shape.selects();
        buffers = new BufferState[policy.buffers().size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = new BufferState(i, policy.buffers().get(i));
        }
        queues = new QueueState[policy.queues().size()];
        framesByPriority = new int[selects ? queues.length * PRIORITIES : 0];
        for (int i = 0; i < queues.length; i++) {
            Policy.Queue queue = policy.queues().get(i);
            int carries = plan.binding().carries().get(i);
            int of = policy.portOf(i);
            queues[i] =
                    new QueueState(
                            i,
                            queue,
                            plan.queues().get(i),
                            carries,
                            policy.ports().get(of).queues().indexOf(i),
                            ports.get(of),
                            queue.buffer() < 0 ? null : buffers[queue.buffer()]);
        }
        Arrays.fill(queueOfPriority, queues[0]);
        for (QueueState queue : queues) {
            for (int rest = queue.carries; rest != 0; rest &= rest - 1) {
                queueOfPriority[Integer.numberOfTrailingZeros(rest)] = queue;
            }
        }
        portQueues =
                plan.isOfSeveralPorts() ? queues : numbered(policy.ports().getFirst().queues());
        for (BufferState buffer : buffers) {
            buffer.queues = numbered(policy.buffers().get(buffer.number).queues());
        }
        only = shape.isSingle() ? queues[0] : null;
    }

    private QueueState[] numbered(List<Integer> numbers) {
        return numbers.stream().map(number -> queues[number]).toArray(QueueState[]::new);
    }

    /** Frames and bytes that wait: what the only queue or the buffer of all holds. */
    private long all() {
        if (only != null) {
            return only.held;
        }
        return shape.isPooled() ? buffers[0].held : all;
    }

    // ---- what generated code calls

    /** Notes that a packet has met congestion in a queue. */
    final void mark(QueueState queue, Frame frame) {
        queue.marks[Mark.write(frame, Mark.CONGESTION, Mark.Field.BOTH)]++;
    }

    /** Notes an event of a queue. */
    final void raise(QueueState queue) {
        queue.events++;
    }

    /** Maps a number to a long so that the order stays the same. */
    static long sortable(double number) {
        long bits = Double.doubleToLongBits(number + 0.0);
        return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }

    // ---- one draw for each packet that may be dropped

    final boolean isHit(double probability) {
        return probability >= 1 || (probability > 0 && random.nextDouble() < probability);
    }

    // ---- packets come and go

    // What is known of the policy is given as its class knows it, as a constant.

    final void count(Frame frame, QueueState queue, PolicyShape known) {
        int priority = frame.priority;
        long one = FRAME + frame.lengthBytes;
        waiting[priority] += one;
        occupied |= 1 << priority;
        queue.held += one;
        if (known.isSingle()) {
            return;
        }
        busy |= queue.bit;
        if (!known.isPooled()) {
            all += one;
        }
        BufferState buffer = known.shares() ? queue.buffer : null;
        if (buffer != null) {
            buffer.held += one;
        }
        if (known.selects()) {
            framesByPriority[queue.number * PRIORITIES + priority]++;
        }
    }

    final void uncount(Frame frame, QueueState queue, PolicyShape known) {
        int priority = frame.priority;
        long one = FRAME + frame.lengthBytes;
        long left = waiting[priority] - one;
        waiting[priority] = left;
        if (left == 0) {
            occupied &= ~(1 << priority);
        }
        queue.held -= one;
        if (known.isSingle()) {
            return;
        }
        if (queue.held == 0) {
            busy &= ~queue.bit;
        }
        if (!known.isPooled()) {
            all -= one;
        }
        BufferState buffer = known.shares() ? queue.buffer : null;
        if (buffer != null) {
            buffer.held -= one;
        }
        if (known.selects()) {
            framesByPriority[queue.number * PRIORITIES + priority]--;
        }
    }

    // The same in parts, for many frames at once of a queue that shares no buffer and is not
    // selected.

    /** Adds frames of one priority to a queue. */
    final void countTogether(int priority, long together, QueueState queue, PolicyShape known) {
        waiting[priority] += together;
        occupied |= 1 << priority;
        queue.held += together;
        if (!known.isSingle()) {
            all += together;
            busy |= queue.bit;
        }
    }

    /** Subtracts frames from the waiting frames of their priority, but not from their queue. */
    final void uncountTogether(int priority, long together) {
        long left = waiting[priority] - together;
        waiting[priority] = left;
        if (left == 0) {
            occupied &= ~(1 << priority);
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

    /** Whether frames were pushed out that the caller has not taken yet. */
    final boolean hasLost() {
        return firstLost != null;
    }

    @Override
    public final @Nullable Frame alsoLost() {
        Frame lost = firstLost;
        if (lost != null) {
            firstLost = lost == lastLost ? null : lost.next;
        }
        return lost;
    }

    @Override
    public final void adopt(Frame frame) {
        join(frame, nowNs);
    }

    /** Inserts a packet that other queues had admitted, with its arrival time there. */
    abstract void join(Frame frame, long timeNs);

    @Override
    public boolean readsArrivals() {
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

    /** Whether a queue is stopped, that is, whether one of its priorities is. */
    final boolean isStopped(QueueState queue) {
        return (queue.carries & ~eligible) != 0;
    }

    @Override
    public final int ready() {
        if (eligible == ALL) {
            return occupied;
        }
        int ready = 0;
        for (int number = 0; number < queues.length; number++) {
            QueueState queue = queues[number];
            if (queue.held != 0 && !isStopped(queue)) {
                ready |= waitingIn(number);
            }
        }
        return ready;
    }

    /** The priorities of the packets of a queue. */
    final int waitingIn(int number) {
        if (!selects) {
            return occupied & queues[number].carries;
        }
        int mask = 0;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            if (framesByPriority[number * PRIORITIES + priority] > 0) {
                mask |= 1 << priority;
            }
        }
        return mask;
    }

    /** Whether none of the priorities that wait in a queue lacks room for its first packet. */
    final boolean isOpen(int number, int headBytes, long timeNs, Gate gate) {
        for (int rest = waitingIn(number); rest != 0; rest &= rest - 1) {
            if (gate.room(timeNs, Integer.numberOfTrailingZeros(rest), headBytes) == 0) {
                return false;
            }
        }
        return true;
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

    /** A packet that moves to another policy, with its arrival time if that was recorded. */
    record Moving(Frame frame, long timeNs) {}

    /** Takes out all packets, in any order. */
    abstract void moveAll(List<Moving> into);

    @Override
    public final void handOver(Queues next) {
        List<Moving> moving = new ArrayList<>();
        moveAll(moving);
        if (readsArrivals()) {
            moving.sort(MOVING_BY_ARRIVAL);
        } else {
            numberInOrder(moving);
        }
        if (next instanceof PolicyState other && other.policyText.equals(policyText)) {
            other.takeOver(this);
        }
        for (Moving each : moving) {
            if (next instanceof PolicyState other) {
                other.join(each.frame, each.timeNs);
            } else {
                next.adopt(each.frame);
            }
        }
    }

    /** The numbers that frames were given priority by priority, for the next queues, by place. */
    private static void numberInOrder(List<Moving> moving) {
        List<Moving> sorted = new ArrayList<>(moving);
        sorted.sort(MOVING_BY_ARRIVAL);
        long[] numbers = new long[sorted.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = sorted.get(i).frame.arrival;
        }
        for (int i = 0; i < numbers.length; i++) {
            moving.get(i).frame.arrival = numbers[i];
        }
    }

    /**
     * Takes over the state of the same policy, which is made again because something else of its
     * port changed.
     */
    private void takeOver(PolicyState before) {
        for (int i = 0; i < queues.length; i++) {
            queues[i].takeOver(before.queues[i]);
        }
        for (int i = 0; i < buffers.length; i++) {
            buffers[i].admState = before.buffers[i].admState;
        }
        port.schedState = before.port.schedState;
        port.currQueue = before.port.currQueue;
    }

    // ---- what waits

    @Override
    public final boolean isEmpty() {
        return all() == 0;
    }

    @Override
    public final int frames() {
        return (int) (all() >>> FRAMES_SHIFT);
    }

    @Override
    public final long bytes() {
        return all() & BYTES_MASK;
    }

    @Override
    public final int queues() {
        return PRIORITIES;
    }

    @Override
    public final int frames(int queue) {
        return (int) (waiting[queue] >>> FRAMES_SHIFT);
    }

    @Override
    public final long bytes(int queue) {
        return waiting[queue] & BYTES_MASK;
    }

    @Override
    public final long limitBytes(int queue) {
        QueueState of = queueOfPriority[queue];
        return of.drops && !shape.countsPackets() ? of.limit : Long.MAX_VALUE;
    }

    @Override
    public final int headBytes(int queue) {
        Frame head = head(queue);
        return head == null ? 0 : head.lengthBytes;
    }

    @Override
    public final long headArrival(int queue) {
        Frame head = head(queue);
        return head == null ? 0 : head.arrival;
    }

    // ---- what has happened

    @Override
    public final int countedQueues() {
        return queues.length;
    }

    @Override
    public final long counted(int counter, int queue) {
        return COUNTERS[counter].of(queues[queue], this);
    }
}
