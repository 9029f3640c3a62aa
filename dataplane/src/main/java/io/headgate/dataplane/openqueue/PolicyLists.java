package io.headgate.dataplane.openqueue;

import static io.headgate.dataplane.openqueue.QueueState.FRAME;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link PolicyQueues} does, for policies whose packets leave each queue in the order in which
 * they came, and are dropped only as they come: queues are lists through {@link Frame#next}, and a
 * packet is its frame. As of that class, one is made of this for each policy.
 */
final class PolicyLists extends PolicyState {
    /** Whether whatever starts is of the one queue there is, and nothing is to be done after it. */
    private final boolean runs;

    /** The queue of each priority, if packets that come need only the bound; else null. */
    private final @Nullable QueueState[] plain = new @Nullable QueueState[PRIORITIES];

    /**
     * What the last batch ended with: it was refused, and {@link #enqueue(Frame)} will be asked.
     */
    private @Nullable Frame refused;

    PolicyLists(PolicyPlan plan, NamedRandom random) {
        super(plan, random);
        this.runs =
                !selects
                        && portQueues.length == 1
                        && plan.policy().ports().getFirst().postScheduling().isEmpty();
        for (int priority = 0; priority < PRIORITIES && !selects; priority++) {
            QueueState queue = queues[queueOfPriority[priority]];
            plain[priority] = queue.isPlain ? queue : null;
        }
    }

    // ---- packets come

    @Override
    public @Nullable Frame enqueue(Frame frame) {
        if (frame == refused) {
            refused = null;
            return frame;
        }
        int number = numberFor(frame);
        return admits(frame, number, queues[number]) ? null : frame;
    }

    @Override
    public int enqueue(Frame[] batch, int from, int to) {
        if (batch[from] == refused) {
            return from;
        }
        int priority = batch[from].priority;
        QueueState only = plain[priority];
        if (only != null) {
            return appendAll(batch, from, to, only);
        }
        for (int next = from; next < to; next++) {
            Frame frame = batch[next];
            if (frame.priority != priority) {
                return next;
            }
            int number = numberFor(frame);
            if (!admits(frame, number, queues[number])) {
                refused = frame;
                return next;
            }
        }
        return to;
    }

    /** Frames of one priority, up to the first of another, or that finds the queue full. */
    private int appendAll(Frame[] batch, int from, int to, QueueState queue) {
        int priority = batch[from].priority;
        long bound = queue.bound;
        long before = queue.held;
        long held = before;
        Frame last = before == 0 ? null : queue.tail;
        int next = from;
        while (next < to && batch[next].priority == priority) {
            Frame frame = batch[next];
            long after = held + FRAME + frame.lengthBytes;
            if (sizeOf(after) > bound) {
                refused = frame;
                queue.total++;
                queue.dropped++;
                break;
            }
            held = after;
            frame.queue = queue.number;
            if (last == null) {
                queue.head = frame;
            } else {
                last.next = frame;
            }
            last = frame;
            next++;
        }
        if (next > from) {
            queue.tail = last;
            queue.held = held;
            queue.total += next - from;
            queue.maxSize = Math.max(queue.maxSize, sizeOf(held));
            addTogether(priority, held - before, queue);
        }
        return next;
    }

    private int numberFor(Frame frame) {
        if (!selects) {
            return queueOfPriority[frame.priority];
        }
        return portQueues[Math.floorMod((long) selected(frame), portQueues.length)];
    }

    private boolean admits(Frame frame, int number, QueueState queue) {
        queue.total++;
        frame.queue = number;
        boolean isOver = isHit(congestion(number, frame));
        long size = sizeOf(queue.held + FRAME + frame.lengthBytes);
        if (size > queue.bound || (queue.drops && isOver)) {
            queue.dropped++;
            return false;
        }
        append(frame, number, queue);
        if (size > queue.maxSize) {
            queue.maxSize = size;
        }
        admitted(number, frame);
        return true;
    }

    private void append(Frame frame, int number, QueueState queue) {
        Frame last = queue.tail;
        if (queue.held == 0 || last == null) {
            queue.head = frame;
        } else {
            last.next = frame;
        }
        queue.tail = frame;
        count(frame, number, queue);
    }

    @Override
    void join(Frame frame, long timeNs) {
        int number = numberFor(frame);
        frame.queue = number;
        append(frame, number, queues[number]);
    }

    // ---- packets start

    @Override
    public int dequeue(long timeNs, Pacer pacer, Frame[] into) {
        if (runs) {
            return run(timeNs, pacer, into);
        }
        return startAll(timeNs, pacer, into, 0, null);
    }

    /** Of the only queue, as many as may start. */
    private int run(long timeNs, Pacer pacer, Frame[] into) {
        int number = portQueues[0];
        QueueState queue = queues[number];
        dequeued = 0;
        int count = 0;
        if (isStopped(queue)) {
            return 0;
        }
        long together = 0;
        Frame frame = queue.head;
        while (together != queue.held
                && frame != null
                && count < into.length
                && pacer.mayStart(timeNs)) {
            into[count++] = frame;
            together += FRAME + frame.lengthBytes;
            takeFromPriority(frame);
            pacer.start(frame.lengthBytes);
            frame = frame.next;
        }
        queue.head = frame;
        takeFromQueue(together, queue);
        port.currQueue = count > 0 ? number : port.currQueue;
        dequeued = count;
        return count;
    }

    @Override
    public int dequeue(long timeNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        return startAll(timeNs, pacer, into, from, gate);
    }

    private int startAll(long timeNs, Pacer pacer, Frame[] into, int from, @Nullable Gate gate) {
        int count = from;
        dequeued = from;
        while (count < into.length && busy != 0 && pacer.mayStart(timeNs)) {
            int number = choose(timeNs, gate);
            if (number == NONE) {
                break;
            }
            Frame frame = removeFirst(number, queues[number]);
            port.currQueue = number;
            scheduled(number, frame);
            into[count++] = frame;
            // The frame is out before anybody hears of it: who hears of it may throw.
            dequeued = count;
            int bytesOfIt = frame.lengthBytes;
            pacer.start(bytesOfIt);
            if (gate != null) {
                gate.started(timeNs, frame.priority, 1, bytesOfIt, gate.cost(bytesOfIt));
            }
        }
        return count;
    }

    /** The queue that is served next; {@link #NONE} if none may be. */
    private int choose(long timeNs, @Nullable Gate gate) {
        int best = NONE;
        for (int rest = busy; rest != 0; rest &= rest - 1) {
            int number = portQueues[Integer.numberOfTrailingZeros(rest)];
            QueueState queue = queues[number];
            if (!isStopped(queue)
                    && (gate == null || isOpen(number, headOf(queue).lengthBytes, timeNs, gate))
                    && (best == NONE || isServedBefore(number, best))) {
                best = number;
            }
        }
        return best;
    }

    private static Frame headOf(QueueState queue) {
        Frame head = queue.head;
        if (queue.held == 0 || head == null) {
            throw new IllegalStateException("a queue without packets has no first one");
        }
        return head;
    }

    private static @Nullable Frame behind(QueueState queue, Frame frame) {
        return frame == queue.tail ? null : frame.next;
    }

    private Frame removeFirst(int number, QueueState queue) {
        Frame first = headOf(queue);
        if (first != queue.tail) {
            queue.head = first.next;
        }
        uncount(first, number, queue);
        return first;
    }

    // ---- what generated code calls

    /** The number of a queue's first packet in the order in which packets came; 0 if none. */
    long headOrder(int number) {
        QueueState queue = queues[number];
        return queue.held == 0 ? 0 : headOf(queue).arrival;
    }

    // ---- not on the path of ordinary frames

    private void takeOut(int number, QueueState queue, @Nullable Frame before, Frame frame) {
        if (before == null) {
            removeFirst(number, queue);
            return;
        }
        if (frame == queue.tail) {
            queue.tail = before;
        } else {
            before.next = frame.next;
        }
        uncount(frame, number, queue);
    }

    /** The first frame of a priority in a queue that a filter matches, with the one before it. */
    private @Nullable Frame find(
            QueueState queue, int priority, @Nullable FrameFilter filter, Frame[] before) {
        Frame last = null;
        Frame frame = queue.held == 0 ? null : queue.head;
        while (frame != null
                && (frame.priority != priority || (filter != null && !filter.matches(frame)))) {
            last = frame;
            frame = behind(queue, frame);
        }
        if (last != null) {
            before[0] = last;
        }
        return frame;
    }

    @Override
    public Frame take(int priority) {
        Frame taken = remove(priority, null, true);
        if (taken == null) {
            throw new IllegalStateException("queue " + priority + " is empty");
        }
        return taken;
    }

    @Override
    public @Nullable Frame extract(int queue, FrameFilter filter) {
        return remove(queue, filter, false);
    }

    /** Takes out the one that came first of those of a priority that a filter matches. */
    private @Nullable Frame remove(int priority, @Nullable FrameFilter filter, boolean starts) {
        int number = firstWith(priority, filter);
        if (number == NONE) {
            return null;
        }
        QueueState queue = queues[number];
        Frame[] before = new Frame[1];
        Frame frame = find(queue, priority, filter, before);
        if (frame == null) {
            return null;
        }
        takeOut(number, queue, before[0], frame);
        if (starts) {
            port.currQueue = number;
            scheduled(number, frame);
        }
        return frame;
    }

    private int firstWith(int priority, @Nullable FrameFilter filter) {
        int first = NONE;
        long arrival = Long.MAX_VALUE;
        Frame[] before = new Frame[1];
        for (int number = 0; number < queues.length; number++) {
            if ((queues[number].carries >>> priority & 1) != 0) {
                Frame frame = find(queues[number], priority, filter, before);
                if (frame != null && frame.arrival < arrival) {
                    arrival = frame.arrival;
                    first = number;
                }
            }
        }
        return first;
    }

    @Override
    public @Nullable Frame head(int priority) {
        if ((occupied >>> priority & 1) == 0) {
            return null;
        }
        int number = selects ? firstWith(priority, null) : queueOfPriority[priority];
        return number == NONE ? null : find(queues[number], priority, null, new Frame[1]);
    }

    @Override
    public @Nullable Frame drain() {
        for (int number = 0; number < queues.length; number++) {
            if (queues[number].held != 0) {
                return removeFirst(number, queues[number]);
            }
        }
        return null;
    }

    @Override
    void moveAll(List<Moving> into) {
        // When they came is not noted here.
        for (Frame frame = drain(); frame != null; frame = drain()) {
            into.add(new Moving(frame, nowNs));
        }
    }

    @Override
    public Frame[] waiting(int priority) {
        Frame[] all = new Frame[frames(priority)];
        int count = 0;
        for (QueueState queue : queues) {
            Frame frame = queue.held == 0 ? null : queue.head;
            while (frame != null) {
                if (frame.priority == priority) {
                    all[count++] = frame;
                }
                frame = behind(queue, frame);
            }
        }
        if (selects) {
            Arrays.sort(all, Comparator.comparingLong(each -> each.arrival));
        }
        return all;
    }

    @Override
    public @Nullable Frame first() {
        return busy == 0 ? null : queues[portQueues[Integer.numberOfTrailingZeros(busy)]].head;
    }

    // ---- the policy's own code, as in PolicyQueues

    double selected(Frame packet) {
        return 0;
    }

    double congestion(int queue, Frame packet) {
        return 0;
    }

    void admitted(int queue, Frame packet) {
        // Nothing.
    }

    void scheduled(int queue, Frame packet) {
        // Nothing.
    }

    boolean isServedBefore(int first, int second) {
        return false;
    }
}
