package io.headgate.dataplane.openqueue;

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
 */
final class PolicyQueues extends PolicyState {

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
        int packet = table.add(frame, nowNs);
        int queue = queueFor(frame, packet);
        table.queues[packet] = queue;
        total[queue]++;
        boolean isOver = isHit(congestion(queue, packet));
        int buffer = bufferOf[queue];
        boolean isBufferOver = false;
        if (buffer >= 0) {
            bufferCurrQueue[buffer] = queue;
            isBufferOver = isHit(bufferCongestion(queue, packet));
        }
        if (dropsTail[queue] && (isOver || currSize[queue] + sizeOf(frame) > queueSize[queue])) {
            table.remove(packet);
            dropped[queue]++;
            return frame;
        }
        insert(frame, packet, queue);
        if (drops[queue] && !makeRoom(queue, packet, isOver)) {
            return alsoLost();
        }
        if (buffer >= 0
                && bufferDrops[buffer]
                && !makeRoomInBuffer(buffer, queue, packet, isBufferOver)) {
            return alsoLost();
        }
        maxSize[queue] = Math.max(maxSize[queue], currSize[queue]);
        admitted(queue, packet);
        return alsoLost();
    }

    /** Each is asked about by itself: what it may push out is none of a batch. */
    @Override
    public int enqueue(Frame[] batch, int from, int to) {
        return from;
    }

    @Override
    void join(Frame frame, long timeNs) {
        int packet = table.add(frame, timeNs);
        int queue = queueFor(frame, packet);
        table.queues[packet] = queue;
        insert(frame, packet, queue);
    }

    private int queueFor(Frame frame, int packet) {
        if (!selects) {
            return queueOfPriority[frame.priority];
        }
        return portQueues[Math.floorMod((long) selected(packet), portQueues.length)];
    }

    private void insert(Frame frame, int packet, int queue) {
        processing[queue].insert(packet, processingKey(queue, packet));
        Ranking other = separate[queue];
        if (other != null) {
            other.insert(packet, admissionKey(queue, packet));
        }
        count(frame, queue);
    }

    /** Answers whether the packet itself is still there. */
    private boolean makeRoom(int queue, int packet, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || currSize[queue] > queueSize[queue]) {
            isOver = false;
            if (!dropWorst(queue, packet)) {
                return false;
            }
        }
        return true;
    }

    private boolean makeRoomInBuffer(int buffer, int queue, int packet, boolean isHit) {
        boolean isOver = isHit;
        while (isOver || bufferCurrSize[buffer] > bufferSize[buffer]) {
            isOver = false;
            int from = bufferOrders[buffer] ? leastOf(buffer) : queue;
            if (!dropWorst(from, packet)) {
                return false;
            }
        }
        return true;
    }

    /** Answers whether that was another than the packet that came. */
    private boolean dropWorst(int queue, int packet) {
        Ranking order = admission[queue];
        int worst = order == null ? packet : order.worst();
        lose(remove(worst));
        dropped[queue]++;
        return worst != packet;
    }

    /** The queue of a buffer that ranks lowest of those with packets; of equal ones the last. */
    private int leastOf(int buffer) {
        int least = NONE;
        for (int queue : bufferQueues[buffer]) {
            if (packets[queue] > 0
                    && (least == NONE
                            || !isKeptBefore(buffer, queue, least)
                            || isKeptBefore(buffer, least, queue))) {
                least = queue;
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
        while (count < into.length && allFrames > 0 && pacer.mayStart(timeNs)) {
            int queue = choose(timeNs, gate);
            if (queue == NONE) {
                break;
            }
            Frame frame = start(queue, processing[queue].best());
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
        for (int queue : portQueues) {
            if (packets[queue] > 0
                    && !isStopped(queue)
                    && (gate == null || isOpen(queue, timeNs, gate))
                    && (best == NONE
                            || (isServedBefore(queue, best) && !isServedBefore(best, queue)))) {
                best = queue;
            }
        }
        return best;
    }

    /** Whether none of the priorities that wait in a queue lacks room for its first packet. */
    private boolean isOpen(int queue, long timeNs, Gate gate) {
        int headBytes = table.frame(processing[queue].best()).lengthBytes;
        for (int rest = waitingIn(queue); rest != 0; rest &= rest - 1) {
            if (gate.room(timeNs, Integer.numberOfTrailingZeros(rest), headBytes) == 0) {
                return false;
            }
        }
        return true;
    }

    private Frame start(int queue, int packet) {
        portCurrQueue = queue;
        processing[queue].remove(packet);
        Ranking other = separate[queue];
        if (other != null) {
            other.remove(packet);
        }
        Frame frame = table.frame(packet);
        uncount(frame, queue);
        // The packet's fields are still there to be read.
        scheduled(queue, packet);
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

    /** Whether the port's comparator ranks a queue higher than another. */
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
