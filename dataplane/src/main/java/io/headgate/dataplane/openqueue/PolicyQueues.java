package io.headgate.dataplane.openqueue;

import static io.headgate.dataplane.openqueue.QueueState.FRAME;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The path of a frame through a policy's queues. {@link CompiledPolicy} copies this class for each
 * policy, with the policy's own code in the methods of the last section, so that the JIT's profile
 * of one policy does not slow down another.
 *
 * <p>An arriving packet is handled in these steps. The conditions are evaluated on the state before
 * it; a drop with a probability is decided by one random draw per condition. Then the packet is
 * inserted. While the queue is over its size, and once if its condition holds, the queue's lowest
 * packet by its admission order is dropped; if that is the arriving packet, the handling ends. The
 * buffer then does the same with the lowest packet of the queue that its order of queues ranks
 * lowest. A queue's or a buffer's size is a bound only if its condition drops at all. Finally the
 * actions after admission run.
 *
 * <p>{@link PolicyLists} does the same for policies that need only lists.
 */
final class PolicyQueues extends PacketState {
    private static final PolicyShape SHAPE = PolicyShape.of(MethodHandles.lookup());

    /** What the last batch ended with: it is decided, and {@link #enqueue(Frame)} will be asked. */
    private @Nullable Frame decided;

    private boolean isRefused;

    PolicyQueues(
            PolicyPlan plan,
            Ranking[] processing,
            @Nullable Ranking[] admission,
            NamedRandom random) {
        super(plan, processing, admission, random);
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

    /** Whether the packet is not refused; others that it pushes out, or itself, are then lost. */
    private boolean decide(Frame frame) {
        Packet packet = pool.add(frame, nowNs);
        capture(frame, packet);
        QueueState queue = queueFor(frame, packet);
        if (!SHAPE.isSingle()) {
            packet.queue = queue.number;
        }
        queue.total++;
        boolean isOver = isHit(congestion(queue, packet));
        BufferState buffer = SHAPE.shares() ? queue.buffer : null;
        boolean isBufferOver = false;
        if (buffer != null) {
            buffer.currQueue = queue.number;
            isBufferOver = isHit(bufferCongestion(queue, packet));
        }
        if ((isOver || SHAPE.sizeOf(queue.held + FRAME + frame.lengthBytes) > queue.limit)
                && (queue.dropsTail || (SHAPE.pushesOut() && isWorst(queue, packet)))) {
            pool.remove(packet);
            queue.dropped++;
            return false;
        }
        insert(frame, packet, queue);
        if (SHAPE.pushesOut()
                && ((queue.drops && !queue.dropsTail && !makeRoom(queue, packet, isOver))
                        || (buffer != null
                                && buffer.drops
                                && !makeRoomInBuffer(buffer, queue, packet, isBufferOver)))) {
            return true;
        }
        long size = SHAPE.sizeOf(queue.held);
        if (size > queue.maxSize) {
            queue.maxSize = size;
        }
        admitted(queue, packet);
        return true;
    }

    @Override
    void join(Frame frame, long timeNs) {
        Packet packet = pool.add(frame, timeNs);
        capture(frame, packet);
        QueueState queue = queueFor(frame, packet);
        packet.queue = queue.number;
        insert(frame, packet, queue);
    }

    private QueueState queueFor(Frame frame, Packet packet) {
        if (SHAPE.isSingle()) {
            return queues[0];
        }
        if (!SHAPE.selects()) {
            return queueOfPriority[frame.priority];
        }
        return portQueues[Math.floorMod((long) selected(packet), portQueues.length)];
    }

    private void insert(Frame frame, Packet packet, QueueState queue) {
        long key = processingKey(queue, packet);
        if (SHAPE.hasBuckets()) {
            queue.buckets.insert(packet, key);
        } else {
            queue.processing.insert(packet, key);
        }
        if (SHAPE.pushesOut() && queue.separate != null) {
            queue.separate.insert(packet.admission, admissionKey(queue, packet));
        }
        count(frame, queue, SHAPE);
    }

    /** The packet that a queue sends next. */
    private static @Nullable Packet best(QueueState queue) {
        return SHAPE.hasBuckets() ? queue.buckets.best() : queue.processing.best();
    }

    private @Nullable Packet worst(QueueState queue) {
        if (SHAPE.hasBuckets() && queue.separate == null) {
            return queue.buckets.worst();
        }
        Ranking order = admission[queue.number];
        return order == null ? null : order.worst();
    }

    /** Whether a packet that comes for a full queue is known to be the one to drop. */
    private boolean isWorst(QueueState queue, Packet packet) {
        return SHAPE.hasBuckets()
                && queue.drops
                && queue.separate == null
                && queue.buckets.isLowest(admissionKey(queue, packet));
    }

    /** Takes out a packet; its fields are still there to be read. */
    private Frame takeOut(QueueState queue, Packet packet) {
        remove(queue, packet);
        Frame frame = packet.frame();
        uncount(frame, queue, SHAPE);
        return frame;
    }

    private static void remove(QueueState queue, Packet packet) {
        if (SHAPE.hasBuckets()) {
            queue.buckets.remove(packet);
        } else {
            queue.processing.remove(packet);
        }
        if (SHAPE.pushesOut() && queue.separate != null) {
            queue.separate.remove(packet.admission);
        }
    }

    /** Returns whether the packet itself is still there. */
    private boolean makeRoom(QueueState queue, Packet packet, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || SHAPE.sizeOf(queue.held) > queue.limit) {
            isOver = false;
            if (!dropWorst(queue, packet)) {
                return false;
            }
        }
        return true;
    }

    private boolean makeRoomInBuffer(
            BufferState buffer, QueueState queue, Packet packet, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || SHAPE.sizeOf(buffer.held) > buffer.limit) {
            isOver = false;
            if (!dropWorst(buffer.orders ? leastOf(buffer) : queue, packet)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether that was another than the arriving packet. */
    private boolean dropWorst(QueueState queue, Packet coming) {
        Packet worst = worst(queue);
        Packet dropped = worst == null ? coming : worst;
        lose(takeOut(queue, dropped));
        pool.remove(dropped);
        queue.dropped++;
        if (dropped == coming) {
            return false;
        }
        queue.pushedOut++;
        return true;
    }

    /** The queue of a buffer that ranks lowest of those with packets; of equal ones the last. */
    private QueueState leastOf(BufferState buffer) {
        QueueState least = null;
        for (QueueState queue : buffer.queues) {
            if (queue.held != 0 && (least == null || !isKeptBefore(buffer, queue, least))) {
                least = queue;
            }
        }
        if (least == null) {
            throw new IllegalStateException("a buffer is full, and no queue of it has a packet");
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
        int count = 0;
        long all = 0;
        if (!isStopped(queue)) {
            while (count < into.length && pacer.mayStart(timeNs)) {
                Packet best = best(queue);
                if (best == null) {
                    break;
                }
                remove(queue, best);
                Frame frame = best.frame();
                pool.remove(best);
                into[count++] = frame;
                long one = FRAME + frame.lengthBytes;
                uncountTogether(frame.priority, one);
                all += one;
                pacer.start(frame.lengthBytes);
            }
        }
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
            Frame frame = start(bestOf(queue), queue);
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
                        || isOpen(queue.number, bestOf(queue).frame().lengthBytes, timeNs, gate));
    }

    @Override
    Frame start(int number) {
        return start(bestOf(queues[number]), queues[number]);
    }

    private static Packet bestOf(QueueState queue) {
        Packet best = best(queue);
        if (best == null) {
            throw new IllegalStateException("no packet in queue " + queue.number);
        }
        return best;
    }

    private Frame start(Packet packet, QueueState queue) {
        queue.port.currQueue = queue.number;
        Frame frame = takeOut(queue, packet);
        scheduled(queue, packet);
        pool.remove(packet);
        return frame;
    }

    @Override
    public Frame take(int priority) {
        Packet packet = headPacket(priority);
        if (packet == null) {
            throw new IllegalStateException("queue " + priority + " is empty");
        }
        return start(packet, queues[packet.queue]);
    }

    // ---- the policy's own code, in a class made of this one; here: one that does nothing

    /** Captures the fields of a frame that the policy reads. */
    void capture(Frame frame, Packet packet) {
        // None.
    }

    /** The number of the queue that a packet selects. */
    double selected(Packet packet) {
        return 0;
    }

    /** Executes the first case of a queue's condition that holds; returns its drop probability. */
    double congestion(QueueState queue, Packet packet) {
        return 0;
    }

    /** As {@link #congestion}, for the buffer of a queue. */
    double bufferCongestion(QueueState queue, Packet packet) {
        return 0;
    }

    /** Executes the actions after admission. */
    void admitted(QueueState queue, Packet packet) {
        // Nothing.
    }

    /** Executes the actions after scheduling; the packet is in no queue any more. */
    void scheduled(QueueState queue, Packet packet) {
        // Nothing.
    }

    @Override
    boolean isServedBefore(QueueState first, QueueState second) {
        return false;
    }

    /** Whether a buffer's comparator ranks the first queue higher, and not also the second. */
    boolean isKeptBefore(BufferState buffer, QueueState first, QueueState second) {
        return false;
    }

    /** The key that ranks a packet for sending, the lowest first. */
    long processingKey(QueueState queue, Packet packet) {
        return 0;
    }

    /** The key that ranks a packet for admission; the one with the lowest key is kept longest. */
    long admissionKey(QueueState queue, Packet packet) {
        return 0;
    }
}
