package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets that wait for one output of a {@link Fabric}, at any stage; the port sees them as
 * eight queues, one per priority. Packets start from the policy's queues at the output.
 */
final class FabricQueues implements Queues {
    private static final int PRIORITIES = PolicyState.PRIORITIES;
    private static final int NONE = PolicyState.NONE;
    private static final int ALL = (1 << PRIORITIES) - 1;

    private final Fabric fabric;
    private final PacketState core;
    private final int egress;

    // Numbers of the policy's queues whose packets are for this output, those nearest to it first;
    // of each, how near.
    private final int[] own;

    // Those at the output itself.
    private final int[] outputs;

    // By priority.
    private final int[] frames = new int[PRIORITIES];
    private final long[] bytes = new long[PRIORITIES];

    private int allFrames;
    private long allBytes;
    private int occupied;
    private int eligible = ALL;
    private int dequeued;

    // Packets that others have pushed out, or that a queue on the way has not taken: they count as
    // waiting until they are asked for.
    private @Nullable Frame firstLost;
    private @Nullable Frame lastLost;

    /**
     * @param own all queues for the output, nearest to it first
     * @param outputs the queues at the output itself
     */
    FabricQueues(Fabric fabric, PacketState core, int egress, int[] own, int[] outputs) {
        this.fabric = fabric;
        this.core = core;
        this.egress = egress;
        this.own = own;
        this.outputs = outputs;
    }

    // ---- packets come

    @Override
    public @Nullable Frame enqueue(Frame frame) {
        fabric.asks(egress);
        if (!fabric.come(frame, egress)) {
            return frame;
        }
        count(frame);
        return alsoLost();
    }

    @Override
    public int enqueue(Frame[] batch, int from, int to) {
        // Whether others are lost by one is not known before.
        return from;
    }

    @Override
    public void adopt(Frame frame) {
        fabric.adopt(frame, egress);
        count(frame);
    }

    /** Notes a lost packet, which is in no queue any more; the caller will collect it. */
    void lose(Frame frame) {
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
    public @Nullable Frame alsoLost() {
        Frame lost = firstLost;
        if (lost != null) {
            firstLost = lost == lastLost ? null : lost.next;
            uncount(lost);
        }
        return lost;
    }

    @Override
    public boolean losesLater() {
        return true;
    }

    private void count(Frame frame) {
        int priority = frame.priority;
        frames[priority]++;
        bytes[priority] += frame.lengthBytes;
        allFrames++;
        allBytes += frame.lengthBytes;
        occupied |= 1 << priority;
    }

    private void uncount(Frame frame) {
        int priority = frame.priority;
        frames[priority]--;
        bytes[priority] -= frame.lengthBytes;
        allFrames--;
        allBytes -= frame.lengthBytes;
        if (frames[priority] == 0) {
            occupied &= ~(1 << priority);
        }
    }

    // ---- packets start

    @Override
    public boolean mayHoldBack() {
        return true;
    }

    @Override
    public void eligible(int mask) {
        eligible = mask & ALL;
    }

    @Override
    public int ready() {
        int ready = occupied & eligible;
        for (int queue : outputs) {
            int carries = core.queues[queue].carries;
            if ((carries & ~eligible) != 0) {
                ready &= ~carries;
            }
        }
        return ready;
    }

    @Override
    public int occupied() {
        return occupied;
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into) {
        return dequeue(nowNs, pacer, into, 0, Gate.OPEN);
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        fabric.asks(egress);
        int count = from;
        dequeued = from;
        fabric.moveIfStale();
        while (count < into.length && pacer.mayStart(nowNs)) {
            int queue = choose(nowNs, gate);
            if (queue == NONE) {
                break;
            }
            Frame frame = fabric.start(queue);
            uncount(frame);
            into[count++] = frame;
            // The frame is out before any listener is notified: a listener may throw.
            dequeued = count;
            int bytesOfIt = frame.lengthBytes;
            pacer.start(bytesOfIt);
            gate.started(nowNs, frame.priority, 1, bytesOfIt, gate.cost(bytesOfIt));
            // There is room at the output now.
            fabric.moveIfStale();
        }
        return count;
    }

    /** The queue at the output that is served next; {@link #NONE} if none may be. */
    private int choose(long nowNs, Gate gate) {
        int best = NONE;
        for (int queue : outputs) {
            QueueState state = core.queues[queue];
            if (state.held != 0
                    && (state.carries & ~eligible) == 0
                    && core.isOpen(queue, first(queue).lengthBytes, nowNs, gate)
                    && (best == NONE || core.isServedBefore(state, core.queues[best]))) {
                best = queue;
            }
        }
        return best;
    }

    private Frame first(int queue) {
        return core.first(queue).frame();
    }

    @Override
    public int dequeued() {
        return dequeued;
    }

    @Override
    public Frame take(int priority) {
        Packet head = headPacket(priority);
        if (head == null) {
            throw new IllegalStateException(
                    "output " + egress + ": queue " + priority + " is empty");
        }
        return takeOut(head);
    }

    // ---- packets are taken out

    private Frame takeOut(Packet packet) {
        Frame frame = core.takeOut(packet);
        fabric.left();
        uncount(frame);
        return frame;
    }

    @Override
    public @Nullable Frame extract(int priority, FrameFilter filter) {
        for (Packet packet : packets(priority)) {
            if (filter.matches(packet.frame())) {
                return takeOut(packet);
            }
        }
        return null;
    }

    @Override
    public @Nullable Frame drain() {
        Frame lost = alsoLost();
        if (lost != null) {
            return lost;
        }
        Packet first = firstPacket();
        if (first == null) {
            return null;
        }
        Frame frame = takeOut(first);
        // Stages number what comes to them: out of them, what is nearest to the output came first.
        frame.arrival = fabric.nextArrival();
        return frame;
    }

    /** Hands over without moving packets: the fabric keeps those that wait. */
    @Override
    public void handOver(Queues next) {
        if (!(next instanceof FabricQueues queues)
                || queues.fabric != fabric
                || queues.allFrames != 0) {
            throw new IllegalStateException(
                    "output " + egress + ": a fabric's queues go to new ones of the same fabric");
        }
        System.arraycopy(frames, 0, queues.frames, 0, PRIORITIES);
        System.arraycopy(bytes, 0, queues.bytes, 0, PRIORITIES);
        queues.allFrames = allFrames;
        queues.allBytes = allBytes;
        queues.occupied = occupied;
        queues.eligible = eligible;
        queues.firstLost = firstLost;
        queues.lastLost = lastLost;
        Arrays.fill(frames, 0);
        Arrays.fill(bytes, 0);
        allFrames = 0;
        allBytes = 0;
        occupied = 0;
        firstLost = null;
        fabric.install(egress, queues);
    }

    // ---- packets wait

    /** The packets nearest to the output come first. */
    @Override
    public Frame[] waiting(int priority) {
        return packets(priority).stream().map(Packet::frame).toArray(Frame[]::new);
    }

    private List<Packet> packets(int priority) {
        List<Packet> all = new ArrayList<>();
        for (int queue : own) {
            if (core.queues[queue].held != 0) {
                core.packets(queue, priority)
                        .sorted(Comparator.comparingLong(PacketState::order))
                        .forEach(all::add);
            }
        }
        return all;
    }

    @Override
    public @Nullable Frame head(int priority) {
        Packet head = headPacket(priority);
        return head == null ? null : head.frame;
    }

    private @Nullable Packet headPacket(int priority) {
        if ((occupied >>> priority & 1) == 0) {
            return null;
        }
        for (int queue : own) {
            if (core.queues[queue].held != 0 && (core.waitingIn(queue) >>> priority & 1) != 0) {
                Packet first = core.first(queue);
                return first.frame().priority == priority
                        ? first
                        : core.packets(queue, priority)
                                .min(Comparator.comparingLong(PacketState::order))
                                .orElse(null);
            }
        }
        return null;
    }

    @Override
    public @Nullable Frame first() {
        Packet first = firstPacket();
        return first == null ? null : first.frame;
    }

    private @Nullable Packet firstPacket() {
        for (int queue : own) {
            if (core.queues[queue].held != 0) {
                return core.first(queue);
            }
        }
        return null;
    }

    @Override
    public boolean isEmpty() {
        return allFrames == 0;
    }

    @Override
    public int frames() {
        return allFrames;
    }

    @Override
    public long bytes() {
        return allBytes;
    }

    @Override
    public int queues() {
        return PRIORITIES;
    }

    @Override
    public int frames(int priority) {
        return frames[priority];
    }

    @Override
    public long bytes(int priority) {
        return bytes[priority];
    }

    @Override
    public long limitBytes(int priority) {
        return Long.MAX_VALUE;
    }

    @Override
    public int headBytes(int priority) {
        Frame first = head(priority);
        return first == null ? 0 : first.lengthBytes;
    }

    @Override
    public long headArrival(int priority) {
        Frame first = head(priority);
        return first == null ? 0 : first.arrival;
    }

    // ---- what has happened

    /** Includes the queues at inputs and crosspoints with packets for this output. */
    @Override
    public int countedQueues() {
        return own.length;
    }

    @Override
    public long counted(int counter, int queue) {
        return core.counted(counter, own[queue]);
    }
}
