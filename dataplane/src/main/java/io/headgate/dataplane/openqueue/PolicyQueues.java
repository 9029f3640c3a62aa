package io.headgate.dataplane.openqueue;

import static io.headgate.dataplane.openqueue.QueueState.FRAME;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.random.NamedRandom;
import org.jspecify.annotations.Nullable;

/**
 * The path of a frame through a policy's queues. Of this class {@link CompiledPolicy} makes one for
 * each policy, in which the methods of the last section have the policy's own code; the rest is
 * copied, so that what the JIT learns of one policy does not slow down another.
 *
 * <p>A packet that comes is dealt with in these steps. The conditions are evaluated on the state
 * before it; what they say about dropping is decided by one draw each. Then it is inserted. While
 * the queue is over its size, and once if its condition hit, the lowest of the queue by its
 * admission order is dropped, which ends it if that is the packet itself; then likewise for the
 * buffer, the lowest of the queue that its order of queues ranks lowest. A queue's or a buffer's
 * size is a bound only if its condition drops at all. At last what is done after admission.
 *
 * <p>{@link PolicyLists} does the same for policies that need no more than lists.
 */
final class PolicyQueues extends PacketState {
    /** What the last batch ended with: it is decided, and {@link #enqueue(Frame)} will be asked. */
    private @Nullable Frame decided;

    private boolean isRefused;

    PolicyQueues(
            PolicyPlan plan,
            PacketTable table,
            Ranking[] processing,
            @Nullable Ranking[] admission,
            NamedRandom random) {
        super(plan, table, processing, admission, random);
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
        if (batch[from] == decided) {
            return from;
        }
        int priority = batch[from].priority;
        for (int next = from; next < to; next++) {
            Frame frame = batch[next];
            if (frame.priority != priority) {
                return next;
            }
            boolean isTaken = decide(frame);
            if (!isTaken || hasLost()) {
                decided = frame;
                isRefused = !isTaken;
                return next;
            }
        }
        return to;
    }

    /** Whether the packet's tail is not dropped; others that it pushes out are then lost. */
    private boolean decide(Frame frame) {
        int packet = table.add(frame, nowNs);
        capture(frame, packet);
        int number = numberFor(frame, packet);
        QueueState queue = queues[number];
        table.queues[packet] = number;
        frame.queue = number;
        queue.total++;
        boolean isOver = isHit(congestion(number, packet));
        BufferState buffer = queue.buffer;
        boolean isBufferOver = false;
        if (buffer != null) {
            buffer.currQueue = number;
            isBufferOver = isHit(bufferCongestion(number, packet));
        }
        if (queue.dropsTail
                && (isOver || sizeOf(queue.held + FRAME + frame.lengthBytes) > queue.limit)) {
            table.remove(packet);
            queue.dropped++;
            return false;
        }
        insert(frame, packet, number, queue);
        if ((queue.drops && !makeRoom(number, queue, packet, isOver))
                || (buffer != null
                        && buffer.drops
                        && !makeRoomInBuffer(buffer, number, packet, isBufferOver))) {
            return true;
        }
        queue.maxSize = Math.max(queue.maxSize, sizeOf(queue.held));
        admitted(number, packet);
        return true;
    }

    @Override
    void join(Frame frame, long timeNs) {
        int packet = table.add(frame, timeNs);
        capture(frame, packet);
        int number = numberFor(frame, packet);
        table.queues[packet] = number;
        frame.queue = number;
        insert(frame, packet, number, queues[number]);
    }

    private int numberFor(Frame frame, int packet) {
        if (!selects) {
            return queueOfPriority[frame.priority];
        }
        return portQueues[Math.floorMod((long) selected(packet), portQueues.length)];
    }

    private void insert(Frame frame, int packet, int number, QueueState queue) {
        processing[number].insert(packet, processingKey(number, packet));
        Ranking other = separate[number];
        if (other != null) {
            other.insert(packet, admissionKey(number, packet));
        }
        count(frame, number, queue);
    }

    /** Answers whether the packet itself is still there. */
    private boolean makeRoom(int number, QueueState queue, int packet, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || sizeOf(queue.held) > queue.limit) {
            isOver = false;
            if (!dropWorst(number, packet)) {
                return false;
            }
        }
        return true;
    }

    private boolean makeRoomInBuffer(BufferState buffer, int number, int packet, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || sizeOf(buffer.held) > buffer.limit) {
            isOver = false;
            int from = buffer.orders ? leastOf(buffer) : number;
            if (!dropWorst(from, packet)) {
                return false;
            }
        }
        return true;
    }

    /** Answers whether that was another than the packet that came. */
    private boolean dropWorst(int number, int packet) {
        Ranking order = admission[number];
        QueueState queue = queues[number];
        int worst = order == null ? packet : order.worst();
        Frame frame = takeOut(number, queue, worst);
        table.remove(worst);
        lose(frame);
        queue.dropped++;
        if (worst == packet) {
            return false;
        }
        queue.pushedOut++;
        return true;
    }

    private Frame takeOut(int number, QueueState queue, int packet) {
        processing[number].remove(packet);
        Ranking other = separate[number];
        if (other != null) {
            other.remove(packet);
        }
        Frame frame = table.frame(packet);
        uncount(frame, number, queue);
        return frame;
    }

    /** The queue of a buffer that ranks lowest of those with packets; of equal ones the last. */
    private int leastOf(BufferState buffer) {
        int least = NONE;
        for (int number : buffer.queues) {
            if (queues[number].held != 0
                    && (least == NONE
                            || !isKeptBefore(buffer.number, number, least)
                            || isKeptBefore(buffer.number, least, number))) {
                least = number;
            }
        }
        return least;
    }

    // ---- packets start

    @Override
    public int dequeue(long timeNs, Pacer pacer, Frame[] into) {
        return startAll(timeNs, pacer, into, 0, null);
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
            Frame frame = start(number);
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
            if (!isStopped(queues[number])
                    && (gate == null || isOpen(number, headBytesOf(number), timeNs, gate))
                    && (best == NONE || isServedBefore(number, best))) {
                best = number;
            }
        }
        return best;
    }

    private int headBytesOf(int number) {
        return table.frame(processing[number].best()).lengthBytes;
    }

    @Override
    Frame start(int number) {
        return start(number, processing[number].best());
    }

    private Frame start(int number, int packet) {
        QueueState queue = queues[number];
        queue.port.currQueue = number;
        Frame frame = takeOut(number, queue, packet);
        // The packet's fields are still there to be read.
        scheduled(number, packet);
        table.remove(packet);
        return frame;
    }

    @Override
    public Frame take(int priority) {
        int packet = headPacket(priority);
        if (packet == NONE) {
            throw new IllegalStateException("queue " + priority + " is empty");
        }
        return start(table.queues[packet], packet);
    }

    // ---- the policy's own code, in a class made of this one; here: one that does nothing

    /** Notes those of a frame's fields that the policy looks at. */
    void capture(Frame frame, int packet) {
        // None.
    }

    /** The number of the queue that a packet selects. */
    double selected(int packet) {
        return 0;
    }

    /** Does what the first case of a queue's condition says; answers how likely it drops. */
    double congestion(int queue, int packet) {
        return 0;
    }

    /** As {@link #congestion}, of the buffer of a queue. */
    double bufferCongestion(int queue, int packet) {
        return 0;
    }

    /** Does what follows admission. */
    void admitted(int queue, int packet) {
        // Nothing.
    }

    /** Does what follows scheduling; the packet is in no queue any more. */
    void scheduled(int queue, int packet) {
        // Nothing.
    }

    @Override
    boolean isServedBefore(int first, int second) {
        return false;
    }

    /** Whether a buffer's comparator ranks a queue higher than another. */
    boolean isKeptBefore(int buffer, int first, int second) {
        return false;
    }

    /** By which a packet is ranked for sending, the lowest first. */
    long processingKey(int queue, int packet) {
        return 0;
    }

    /** By which it is ranked for being kept, the lowest longest. */
    long admissionKey(int queue, int packet) {
        return 0;
    }
}
