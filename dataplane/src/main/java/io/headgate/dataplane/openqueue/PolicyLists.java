package io.headgate.dataplane.openqueue;

import static io.headgate.dataplane.openqueue.QueueState.FRAME;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of {@link PolicyQueues} for policies that send each queue's packets in order of
 * arrival, and drop them at one of its ends or by a small key: queues are rings of frames, and a
 * packet is its frame. Like that class, this one is copied for each policy.
 */
final class PolicyLists extends PolicyState {
    private static final PolicyShape SHAPE = PolicyShape.of(MethodHandles.lookup());

    /** The queue of each priority, if packets that come need only the bound; else null. */
    private final @Nullable QueueState[] plain = new @Nullable QueueState[PRIORITIES];

    /** What the last batch ended with: it is decided, and {@link #enqueue(Frame)} will be asked. */
    private @Nullable Frame decided;

    private boolean isRefused;

    PolicyLists(PolicyPlan plan, NamedRandom random) {
        super(plan, random);
        for (int priority = 0; priority < PRIORITIES && !selects; priority++) {
            QueueState queue = queueOfPriority[priority];
            plain[priority] = queue.isPlain ? queue : null;
        }
    }

    /** A single list is already in order of arrival. */
    @Override
    public boolean readsArrivals() {
        return !SHAPE.isSingle();
    }

    // ---- packets come

    @Override
    public @Nullable Frame enqueue(Frame frame) {
        boolean refuses;
        if (frame == decided) {
            decided = null;
            refuses = isRefused;
        } else {
            refuses = !decide(frame);
        }
        return refuses ? frame : alsoLost();
    }

    @Override
    public int enqueue(Frame[] batch, int from, int to) {
        Frame first = batch[from];
        if (first == decided) {
            return from;
        }
        int priority = first.priority;
        QueueState only = plain[SHAPE.isSingle() ? 0 : priority];
        if (only != null) {
            return append(batch, from, to, only);
        }
        // Where priorities take turns, runs are of one frame, which needs no loop.
        if (from + 1 == to || batch[from + 1].priority != priority) {
            return isSettled(first) ? from + 1 : from;
        }
        int next = from;
        while (next < to && batch[next].priority == priority && isSettled(batch[next])) {
            next++;
        }
        return next;
    }

    /** Whether a packet is in, and none lost by it; if not, it will be asked about. */
    private boolean isSettled(Frame frame) {
        boolean isTaken = decide(frame);
        if (isTaken && !(SHAPE.pushesOut() && hasLost())) {
            return true;
        }
        decided = frame;
        isRefused = !isTaken;
        return false;
    }

    /** Frames of one priority, up to the first of another, or that finds the queue full. */
    private int append(Frame[] batch, int from, int to, QueueState queue) {
        Frame first = batch[from];
        long one = FRAME + first.lengthBytes;
        long size = SHAPE.sizeOf(queue.held + one);
        if (size > queue.bound) {
            queue.total++;
            queue.dropped++;
            decided = first;
            isRefused = true;
            return from;
        }
        int priority = first.priority;
        if (from + 1 != to && batch[from + 1].priority == priority) {
            return appendRun(batch, from, to, queue);
        }
        queue.total++;
        if (size > queue.maxSize) {
            queue.maxSize = size;
        }
        if (SHAPE.readsQueue()) {
            first.queue = queue.number;
        }
        queue.append(first);
        countTogether(priority, one, queue, SHAPE);
        return from + 1;
    }

    private int appendRun(Frame[] batch, int from, int to, QueueState queue) {
        int priority = batch[from].priority;
        long bound = queue.bound;
        long before = queue.held;
        long held = before;
        @Nullable Frame[] ring = queue.room(to - from);
        long end = queue.end;
        int next = from;
        while (next < to && batch[next].priority == priority) {
            Frame frame = batch[next];
            long after = held + FRAME + frame.lengthBytes;
            if (SHAPE.sizeOf(after) > bound) {
                // It will be asked about, and is the first then.
                break;
            }
            held = after;
            if (SHAPE.readsQueue()) {
                frame.queue = queue.number;
            }
            ring[(int) end++ & (ring.length - 1)] = frame;
            next++;
        }
        queue.end = end;
        queue.total += next - from;
        queue.maxSize = Math.max(queue.maxSize, SHAPE.sizeOf(held));
        countTogether(priority, held - before, queue, SHAPE);
        return next;
    }

    /** Whether the packet is not refused; others that it pushes out, or itself, are then lost. */
    private boolean decide(Frame frame) {
        QueueState queue = queueFor(frame);
        queue.total++;
        if (SHAPE.readsQueue()) {
            frame.queue = queue.number;
        }
        boolean isOver = isHit(congestion(queue, frame));
        BufferState buffer = SHAPE.shares() ? queue.buffer : null;
        boolean isBufferOver = false;
        if (buffer != null) {
            buffer.currQueue = queue.number;
            isBufferOver = isHit(bufferCongestion(queue, frame));
        }
        if (SHAPE.bounds()
                && (SHAPE.dropsByKey() || queue.dropsTail)
                && (isOver || SHAPE.sizeOf(queue.held + FRAME + frame.lengthBytes) > queue.limit)
                && (queue.dropsTail || isWorst(queue, frame))) {
            queue.dropped++;
            return false;
        }
        append(frame, queue);
        if (SHAPE.pushesOut()
                && ((SHAPE.bounds()
                                && queue.drops
                                && !queue.dropsTail
                                && !makeRoom(queue, frame, isOver))
                        || (buffer != null
                                && buffer.drops
                                && !makeRoomInBuffer(buffer, queue, frame, isBufferOver)))) {
            return true;
        }
        queue.maxSize = Math.max(queue.maxSize, SHAPE.sizeOf(queue.held));
        admitted(queue, frame);
        return true;
    }

    private QueueState queueFor(Frame frame) {
        if (SHAPE.isSingle()) {
            return queues[0];
        }
        if (!SHAPE.selects()) {
            return queueOfPriority[frame.priority];
        }
        return portQueues[Math.floorMod((long) selected(frame), portQueues.length)];
    }

    private void append(Frame frame, QueueState queue) {
        PlaceStacks stacks = SHAPE.dropsByKey() ? queue.stacks : null;
        if (stacks != null) {
            if (queue.end - queue.first == queue.ring.length) {
                closeUp(queue, stacks);
            }
            stacks.push(admissionKey(queue, frame), queue.end);
        }
        queue.append(frame);
        count(frame, queue, SHAPE);
    }

    private void closeUp(QueueState queue, PlaceStacks stacks) {
        stacks.clear(queue.room(1).length);
        for (long place = queue.first; place != queue.end; place++) {
            stacks.push(admissionKey(queue, queue.at(place)), place);
        }
    }

    @Override
    void join(Frame frame, long timeNs) {
        QueueState queue = queueFor(frame);
        frame.queue = queue.number;
        append(frame, queue);
    }

    /** Whether a frame that comes for a full queue is known to be the one to drop. */
    private boolean isWorst(QueueState queue, Frame frame) {
        PlaceStacks stacks = queue.stacks;
        return stacks != null
                && queue.drops
                && stacks.isLowest(admissionKey(queue, frame), queue.ring, queue.first);
    }

    /** Returns whether the packet itself is still there. */
    private boolean makeRoom(QueueState queue, Frame frame, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || SHAPE.sizeOf(queue.held) > queue.limit) {
            isOver = false;
            if (!dropWorst(queue, frame)) {
                return false;
            }
        }
        return true;
    }

    private boolean makeRoomInBuffer(
            BufferState buffer, QueueState queue, Frame frame, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || SHAPE.sizeOf(buffer.held) > buffer.limit) {
            isOver = false;
            if (!dropWorst(buffer.orders ? leastOf(buffer) : queue, frame)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether that was another than the arriving packet. */
    private boolean dropWorst(QueueState queue, Frame coming) {
        Frame worst = removeWorst(queue);
        uncount(worst, queue, SHAPE);
        lose(worst);
        queue.dropped++;
        if (worst == coming) {
            return false;
        }
        queue.pushedOut++;
        return true;
    }

    private static Frame removeWorst(QueueState queue) {
        PlaceStacks stacks = SHAPE.dropsByKey() ? queue.stacks : null;
        if (stacks == null) {
            return queue.losesOldest ? queue.at(queue.first++) : queue.at(--queue.end);
        }
        long place = stacks.worst(queue.ring, queue.first);
        Frame worst = queue.at(place);
        queue.punch(place);
        return worst;
    }

    /**
     * The queue of a full buffer that ranks lowest of those with packets; of equal ones the last.
     */
    private QueueState leastOf(BufferState buffer) {
        QueueState[] all = buffer.queues;
        int number = 0;
        while (all[number].held == 0) {
            number++;
        }
        QueueState least = all[number];
        for (number++; number < all.length; number++) {
            QueueState queue = all[number];
            if (queue.held != 0 && !isKeptBefore(buffer, queue, least)) {
                least = queue;
            }
        }
        return least;
    }

    // ---- packets start

    @Override
    public int dequeue(long timeNs, Pacer pacer, Frame[] into) {
        if (SHAPE.isSingle() && !SHAPE.acts()) {
            return run(timeNs, pacer, into);
        }
        return startAll(timeNs, pacer, into, 0, null);
    }

    /** Starts as many frames of the only queue as the pacer allows. */
    private int run(long timeNs, Pacer pacer, Frame[] into) {
        QueueState queue = queues[0];
        dequeued = 0;
        int count = 0;
        if (isStopped(queue)) {
            return 0;
        }
        long first = queue.first;
        long end = queue.end;
        long all = 0;
        boolean isMixed = (occupied & (occupied - 1)) != 0;
        long wirePs = pacer.takenPs();
        long maxPs = pacer.maxTakenPs(timeNs);
        boolean mayStart = first != end && wirePs < maxPs;
        while (mayStart) {
            Frame frame = queue.at(first);
            int priority = frame.priority;
            long together = 0;
            do {
                into[count++] = frame;
                together += FRAME + frame.lengthBytes;
                wirePs += pacer.durationPs(frame.lengthBytes);
                first++;
                while (SHAPE.dropsByKey() && first != end && queue.isHole(first)) {
                    first++;
                }
                mayStart = first != end && count < into.length && wirePs < maxPs;
                if (!mayStart) {
                    break;
                }
                frame = queue.at(first);
            } while (!isMixed || frame.priority == priority);
            uncountTogether(priority, together);
            all += together;
        }
        pacer.taken(wirePs);
        queue.first = first;
        queue.held -= all;
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
        while (count < into.length && pacer.mayStart(timeNs)) {
            QueueState queue = choose(timeNs, gate);
            if (queue == null) {
                break;
            }
            Frame frame = started(queue, removeFirst(queue));
            into[count++] = frame;
            // The frame is out before any listener is notified: a listener may throw.
            dequeued = count;
            int bytesOfIt = frame.lengthBytes;
            pacer.start(bytesOfIt);
            if (gate != null) {
                gate.started(timeNs, frame.priority, 1, bytesOfIt, gate.cost(bytesOfIt));
            }
        }
        return count;
    }

    /** The queue that is served next; null if none may be. */
    private @Nullable QueueState choose(long timeNs, @Nullable Gate gate) {
        if (SHAPE.isSingle()) {
            return queues[0].held != 0 && maySend(queues[0], timeNs, gate) ? queues[0] : null;
        }
        QueueState best = null;
        for (int rest = busy; rest != 0; rest &= rest - 1) {
            QueueState queue = portQueues[Integer.numberOfTrailingZeros(rest)];
            if (maySend(queue, timeNs, gate) && (best == null || isServedBefore(queue, best))) {
                best = queue;
            }
        }
        return best;
    }

    private boolean maySend(QueueState queue, long timeNs, @Nullable Gate gate) {
        return !isStopped(queue)
                && (gate == null
                        || isOpen(queue.number, queue.at(queue.first).lengthBytes, timeNs, gate));
    }

    private Frame removeFirst(QueueState queue) {
        Frame first = queue.at(queue.first++);
        if (SHAPE.dropsByKey()) {
            queue.skipHoles();
        }
        uncount(first, queue, SHAPE);
        return first;
    }

    // ---- what generated code calls

    /** The arrival number of a queue's first packet; 0 if it has none. */
    long headOrder(QueueState queue) {
        return queue.held == 0 ? 0 : queue.at(queue.first).arrival;
    }

    // ---- not on the path of ordinary frames

    /** Where the first frame of a priority is that a filter matches; a queue's end if none is. */
    private static long find(QueueState queue, int priority, @Nullable FrameFilter filter) {
        long place = queue.first;
        while (place != queue.end) {
            if (!queue.isHole(place)) {
                Frame frame = queue.at(place);
                if (frame.priority == priority && (filter == null || filter.matches(frame))) {
                    break;
                }
            }
            place++;
        }
        return place;
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
        QueueState queue = firstWith(priority, filter);
        if (queue == null) {
            return null;
        }
        long place = find(queue, priority, filter);
        Frame frame = queue.at(place);
        if (queue.stacks == null) {
            queue.removeAt(place);
        } else {
            queue.punch(place);
        }
        uncount(frame, queue, SHAPE);
        return starts ? started(queue, frame) : frame;
    }

    private Frame started(QueueState queue, Frame frame) {
        port.currQueue = queue.number;
        scheduled(queue, frame);
        return frame;
    }

    private @Nullable QueueState firstWith(int priority, @Nullable FrameFilter filter) {
        QueueState first = null;
        long arrival = Long.MAX_VALUE;
        for (QueueState queue : queues) {
            if ((queue.carries >>> priority & 1) != 0) {
                long place = find(queue, priority, filter);
                if (place != queue.end && queue.at(place).arrival < arrival) {
                    arrival = queue.at(place).arrival;
                    first = queue;
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
        QueueState queue = selects ? firstWith(priority, null) : queueOfPriority[priority];
        if (queue == null) {
            return null;
        }
        long place = find(queue, priority, null);
        return place == queue.end ? null : queue.at(place);
    }

    @Override
    public @Nullable Frame drain() {
        for (QueueState queue : queues) {
            if (queue.held != 0) {
                return removeFirst(queue);
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
            for (long place = queue.first; place != queue.end; place++) {
                if (!queue.isHole(place) && queue.at(place).priority == priority) {
                    all[count++] = queue.at(place);
                }
            }
        }
        if (selects) {
            Arrays.sort(all, BY_ARRIVAL);
        }
        return all;
    }

    @Override
    public @Nullable Frame first() {
        for (QueueState queue : portQueues) {
            if (queue.held != 0) {
                return queue.at(queue.first);
            }
        }
        return null;
    }

    // ---- the policy's own code, as in PolicyQueues

    double selected(Frame packet) {
        return 0;
    }

    double congestion(QueueState queue, Frame packet) {
        return 0;
    }

    double bufferCongestion(QueueState queue, Frame packet) {
        return 0;
    }

    void admitted(QueueState queue, Frame packet) {
        // Nothing.
    }

    void scheduled(QueueState queue, Frame packet) {
        // Nothing.
    }

    boolean isServedBefore(QueueState first, QueueState second) {
        return false;
    }

    boolean isKeptBefore(BufferState buffer, QueueState first, QueueState second) {
        return false;
    }

    long admissionKey(QueueState queue, Frame packet) {
        return 0;
    }
}
