package io.headgate.dataplane.queue;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.Admit;
import io.headgate.dataplane.policy.Schedule;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The data queues of one egress port: one first-in first-out queue per priority. Each drops new
 * frames at a limit in bytes, or never drops. A {@link Schedule} chooses the queue to serve;
 * without one the highest is served. Queues can be stopped. The cost of enqueue and dequeue does
 * not depend on the number of waiting frames. Owned by the port's egress half.
 */
public final class PriorityQueues implements Queues {
    /** Every queue, as a mask. */
    public static final int ALL = (1 << PRIORITIES) - 1;

    // What is left for bytes, 40 bits, holds a region's slots with frames of 64 kB in each;
    // of those that hold frames of several segments, which count as twice that, there are fewer.
    private static final int FRAMES_SHIFT = Long.SIZE - FrameRegion.COUNT_BITS;
    private static final long FRAME = 1L << FRAMES_SHIFT;
    private static final long BYTES_MASK = FRAME - 1;

    private final @Nullable Schedule schedule;
    private final @Nullable Admit admission;
    private final Fifo[] queues = new Fifo[PRIORITIES];

    // Frames and bytes of all queues in one word, so that one load and one store are enough.
    private long waiting;
    private int occupied;
    private int eligible = ALL;

    // Which was last appended to.
    private int latest;

    // While frames are taken through a gate: the queues whose first frame may start.
    private int openQueues;

    // End (exclusive) of the frames that the last call took out, also if it threw.
    private int dequeued;

    /** One queue. While it is empty its ends are stale; the last frame's link always is. */
    private static final class Fifo {
        private final long limitBytes;
        private @Nullable Frame head;
        private @Nullable Frame tail;
        private long waiting;

        Fifo(long limitBytes) {
            this.limitBytes = limitBytes;
        }
    }

    /** Creates queues with the same limit for each; the highest priority is served first. */
    public PriorityQueues(long limitBytes) {
        this(limitBytes, 0, null, null);
    }

    /**
     * Creates queues for a configuration.
     *
     * @param limitBytes capacity of each lossy queue
     * @param lossless mask of the queues that have no limit: their frames were admitted at the
     *     ingress port
     * @param schedule null: strict priority
     * @param admission decides about frames within the limit of a lossy queue; null: all are
     *     admitted
     */
    public PriorityQueues(
            long limitBytes, int lossless, @Nullable Schedule schedule, @Nullable Admit admission) {
        Arrays.setAll(
                queues,
                queue -> new Fifo((lossless >>> queue & 1) != 0 ? Long.MAX_VALUE : limitBytes));
        this.schedule = schedule;
        this.admission = admission;
    }

    @Override
    public Frame[] waiting(int queue) {
        Frame[] frames = new Frame[frames(queue)];
        Frame frame = head(queue);
        for (int i = 0; i < frames.length && frame != null; i++) {
            frames[i] = frame;
            frame = frame.next;
        }
        return frames;
    }

    @Override
    public @Nullable Frame enqueue(Frame frame) {
        int queue = frame.priority;
        Fifo fifo = queues[queue];
        long after = fifo.waiting + FRAME + frame.lengthBytes;
        if ((after & BYTES_MASK) > fifo.limitBytes) {
            return frame;
        }
        if (admission != null && !isAdmitted(queue, frame.lengthBytes)) {
            return frame;
        }
        append(fifo, queue, frame);
        return null;
    }

    @Override
    public void adopt(Frame frame) {
        append(queues[frame.priority], frame.priority, frame);
    }

    private void append(Fifo fifo, int queue, Frame frame) {
        latest = queue;
        fifo.waiting += FRAME + frame.lengthBytes;
        waiting += FRAME + frame.lengthBytes;
        Frame last = fifo.tail;
        fifo.tail = frame;
        if ((occupied & (1 << queue)) == 0 || last == null) {
            fifo.head = frame;
            occupied |= 1 << queue;
        } else {
            last.next = frame;
        }
    }

    @Override
    public int enqueue(Frame[] frames, int from, int to) {
        int queue = frames[from].priority;
        if (admission != null) {
            return enqueue(frames[from]) == null ? from + 1 : from;
        }
        Fifo fifo = queues[queue];
        long limit = fifo.limitBytes;
        long before = fifo.waiting;
        long taken = before;
        Frame last = (occupied & (1 << queue)) == 0 ? null : fifo.tail;
        int next = from;
        while (next < to && frames[next].priority == queue) {
            Frame frame = frames[next];
            long after = taken + FRAME + frame.lengthBytes;
            if ((after & BYTES_MASK) > limit) {
                break;
            }
            taken = after;
            if (last == null) {
                fifo.head = frame;
            } else {
                last.next = frame;
            }
            last = frame;
            next++;
        }
        if (next > from) {
            latest = queue;
            fifo.waiting = taken;
            waiting += taken - before;
            fifo.tail = last;
            occupied |= 1 << queue;
        }
        return next;
    }

    @Override
    public boolean readsArrivals() {
        return schedule != null && schedule.readsArrivals();
    }

    private boolean isAdmitted(int queue, int lengthBytes) {
        return admission == null
                || limitBytes(queue) == Long.MAX_VALUE
                || admission.admits(this, queue, lengthBytes);
    }

    @Override
    public void eligible(int mask) {
        eligible = mask & ALL;
    }

    @Override
    public int ready() {
        return occupied & eligible;
    }

    @Override
    public int occupied() {
        return occupied;
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into) {
        if (schedule != null) {
            return dequeue(nowNs, pacer, into, 0, Gate.OPEN);
        }
        dequeued = 0;
        int ready = occupied & eligible;
        if (ready == 0 || !pacer.mayStart(nowNs)) {
            return 0;
        }
        // Most often the wire is taken by one.
        Frame first = removeFirst(31 - Integer.numberOfLeadingZeros(ready));
        into[0] = first;
        pacer.start(first.lengthBytes);
        int count = 1;
        ready = occupied & eligible;
        while (ready != 0 && count < into.length && pacer.mayStart(nowNs)) {
            count = dequeueRun(31 - Integer.numberOfLeadingZeros(ready), nowNs, pacer, into, count);
            ready = occupied & eligible;
        }
        return count;
    }

    private void removed(Fifo fifo, long taken) {
        fifo.waiting -= taken;
        waiting -= taken;
    }

    private int dequeueRun(int queue, long nowNs, Pacer pacer, Frame[] into, int from) {
        Fifo fifo = queues[queue];
        Frame last = fifo.tail;
        Frame frame = fifo.head;
        long taken = 0;
        long wirePs = pacer.takenPs();
        long maxPs = pacer.maxTakenPs(nowNs);
        int count = from;
        while (frame != null) {
            into[count++] = frame;
            taken += FRAME + frame.lengthBytes;
            wirePs += pacer.durationPs(frame.lengthBytes);
            // The last frame's link is whatever it was before: it is known by being the tail.
            if (frame == last) {
                occupied &= ~(1 << queue);
                break;
            }
            frame = frame.next;
            if (count == into.length || wirePs >= maxPs) {
                break;
            }
        }
        pacer.taken(wirePs);
        fifo.head = frame;
        removed(fifo, taken);
        return count;
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        int count = from;
        dequeued = from;
        if (count == into.length || !pacer.mayStart(nowNs)) {
            return count;
        }
        openQueues = open(nowNs, occupied & eligible, gate);
        while (openQueues != 0 && count < into.length && pacer.mayStart(nowNs)) {
            count = startRun(select(openQueues), nowNs, pacer, into, count, gate);
        }
        return count;
    }

    /** Starts frames of the chosen queue, as long as it would be chosen again. */
    private int startRun(int queue, long nowNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        Schedule chosenBy = schedule;
        int length = headBytes(queue);
        int room = gate.room(nowNs, queue, length);
        int shift = gate.blockShift();
        long turn = chosenBy == null ? Long.MAX_VALUE : chosenBy.room(queue, openQueues);
        if (room == Integer.MAX_VALUE && shift == Gate.WHOLE_FRAMES && turn == Long.MAX_VALUE) {
            return startUnbound(queue, nowNs, pacer, into, from, gate);
        }
        Fifo fifo = queues[queue];
        Frame last = fifo.tail;
        Frame frame = fifo.head;
        // What is not known is asked again for the next frame.
        int end = turn == 0 ? from + 1 : into.length;
        int left = room;
        long turnLeft = turn;
        long taken = 0;
        long wirePs = pacer.takenPs();
        long maxPs = pacer.maxTakenPs(nowNs);
        int count = from;
        while (frame != null) {
            int cost = Gate.blocks(length, shift);
            int share = chosenBy == null ? 0 : chosenBy.cost(length);
            if (count > from && (cost > left || share > turnLeft)) {
                break;
            }
            into[count++] = frame;
            taken += FRAME + length;
            left -= cost;
            turnLeft -= share;
            wirePs += pacer.durationPs(length);
            frame = frame == last ? null : frame.next;
            if (frame == null || count == end || wirePs >= maxPs) {
                break;
            }
            length = frame.lengthBytes;
        }
        // The frames are out before any listener is notified: a listener may throw.
        pacer.taken(wirePs);
        fifo.head = frame;
        removed(fifo, taken);
        if (frame == null) {
            occupied &= ~(1 << queue);
            openQueues &= ~(1 << queue);
        }
        dequeued = count;
        gate.started(nowNs, queue, count - from, taken & BYTES_MASK, room - left);
        if (chosenBy != null) {
            chosenBy.started(queue, turn - turnLeft, frame == null);
        }
        if (frame != null && gate.room(nowNs, queue, frame.lengthBytes) == 0) {
            openQueues &= ~(1 << queue);
        }
        return count;
    }

    /**
     * As {@link #startRun}, for a queue that only the wire bounds: no frame is compared with the
     * gate's blocks or the schedule's turn.
     */
    private int startUnbound(
            int queue, long nowNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        Fifo fifo = queues[queue];
        long before = fifo.waiting;
        int count = dequeueRun(queue, nowNs, pacer, into, from);
        int bit = 1 << queue;
        boolean empty = (occupied & bit) == 0;
        dequeued = count;
        gate.started(nowNs, queue, count - from, before - fifo.waiting & BYTES_MASK, count - from);
        Schedule chosenBy = schedule;
        if (chosenBy != null) {
            chosenBy.started(queue, cost(chosenBy, into, from, count), empty);
        }
        if (empty || gate.room(nowNs, queue, headBytes(queue)) == 0) {
            openQueues &= ~bit;
        }
        return count;
    }

    private static long cost(Schedule schedule, Frame[] frames, int from, int to) {
        long cost = 0;
        for (int i = from; i < to; i++) {
            cost += schedule.cost(frames[i].lengthBytes);
        }
        return cost;
    }

    @Override
    public boolean isPassive() {
        return true;
    }

    @Override
    public int dequeued() {
        return dequeued;
    }

    /**
     * The candidates with an open gate. Called before a queue is chosen, because the choice gives
     * the queue its turn.
     */
    private int open(long nowNs, int candidates, Gate gate) {
        int open = candidates;
        for (int rest = candidates; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            if (gate.room(nowNs, queue, headBytes(queue)) == 0) {
                open &= ~(1 << queue);
            }
        }
        return open;
    }

    /** The queue that sends next; −1 if none has a frame and may send it. */
    public int select() {
        return select(occupied & eligible);
    }

    /**
     * The queue that sends next among candidates, each of which has a frame; −1 without candidates.
     */
    public int select(int candidates) {
        if (candidates == 0) {
            return -1;
        }
        return schedule == null
                ? 31 - Integer.numberOfLeadingZeros(candidates)
                : schedule.select(this, candidates);
    }

    /** Takes the first frame of the queue that sends next; null if none may send. */
    public @Nullable Frame dequeue() {
        int queue = select(occupied & eligible);
        return queue < 0 ? null : take(queue);
    }

    /**
     * Takes the first frame of a queue, which must have one: the frame starts. If the schedule
     * throws, the frame is still in its queue.
     */
    @Override
    public Frame take(int queue) {
        Frame first = requireFirst(queue);
        if (schedule != null) {
            schedule.started(queue, schedule.cost(first.lengthBytes), first == queues[queue].tail);
        }
        return removeFirst(queue);
    }

    private Frame requireFirst(int queue) {
        Frame first = head(queue);
        if (first == null) {
            throw new IllegalStateException("queue " + queue + " is empty");
        }
        return first;
    }

    @Override
    public @Nullable Frame drain() {
        return occupied == 0 ? null : removeFirst(31 - Integer.numberOfLeadingZeros(occupied));
    }

    private Frame removeFirst(int queue) {
        Fifo fifo = queues[queue];
        Frame first = requireFirst(queue);
        if (first == fifo.tail) {
            occupied &= ~(1 << queue);
        } else {
            fifo.head = first.next;
        }
        removed(fifo, FRAME + first.lengthBytes);
        return first;
    }

    @Override
    public @Nullable Frame extract(int queue, FrameFilter filter) {
        Fifo fifo = queues[queue];
        Frame last = fifo.tail;
        Frame before = null;
        Frame frame = head(queue);
        while (frame != null && !filter.matches(frame)) {
            before = frame;
            frame = frame == last ? null : frame.next;
        }
        if (frame == null) {
            return null;
        }
        if (before == null) {
            return removeFirst(queue);
        }
        if (frame == last) {
            fifo.tail = before;
        } else {
            before.next = frame.next;
        }
        removed(fifo, FRAME + frame.lengthBytes);
        return frame;
    }

    @Override
    public long prefetch(int distance) {
        return queues[latest].waiting;
    }

    @Override
    public @Nullable Frame first() {
        return occupied == 0 ? null : queues[31 - Integer.numberOfLeadingZeros(occupied)].head;
    }

    @Override
    public boolean isEmpty() {
        return occupied == 0;
    }

    @Override
    public @Nullable Frame head(int queue) {
        return (occupied >>> queue & 1) == 0 ? null : queues[queue].head;
    }

    @Override
    public long bytes() {
        return waiting & BYTES_MASK;
    }

    @Override
    public int frames() {
        return (int) (waiting >>> FRAMES_SHIFT);
    }

    @Override
    public int queues() {
        return PRIORITIES;
    }

    @Override
    public int frames(int queue) {
        return (int) (queues[queue].waiting >>> FRAMES_SHIFT);
    }

    @Override
    public long bytes(int queue) {
        return queues[queue].waiting & BYTES_MASK;
    }

    @Override
    public long limitBytes(int queue) {
        return queues[queue].limitBytes;
    }

    @Override
    public int headBytes(int queue) {
        Frame first = head(queue);
        return first == null ? 0 : first.lengthBytes;
    }

    @Override
    public long headArrival(int queue) {
        Frame first = head(queue);
        return first == null ? 0 : first.arrival;
    }
}
