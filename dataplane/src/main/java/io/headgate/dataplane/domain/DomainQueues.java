package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one egress port in a domain: eight queues, one per priority, each made of one or
 * several lists. The domain decides which frame of a priority may start, and is notified of each
 * frame that comes, starts or leaves.
 */
abstract sealed class DomainQueues implements Queues permits CrossbarQueues, InputBufferedQueues {
    static final int NONE = -1;
    private static final int ALL = (1 << TrafficConfig.PRIORITIES) - 1;

    /** Number of the port. */
    final int egress;

    private final InputDomain domain;

    private final @Nullable Schedule schedule;
    private final long[] limitBytes = new long[TrafficConfig.PRIORITIES];

    // By list, whose number modulo eight is its priority; while a list is empty it has no head, and
    // its tail is stale.
    private final @Nullable Frame[] heads;
    private final @Nullable Frame[] tails;

    // By priority.
    private final int[] frames = new int[TrafficConfig.PRIORITIES];
    private final long[] bytes = new long[TrafficConfig.PRIORITIES];

    // Per priority that may send: its frame, from the last choice.
    private final @Nullable Frame[] chosen = new Frame[TrafficConfig.PRIORITIES];

    private int allFrames;
    private long allBytes;
    private int occupied;
    private int eligible = ALL;
    private int dequeued;

    DomainQueues(
            InputDomain domain,
            int egress,
            int lists,
            PortConfig port,
            @Nullable Schedule schedule) {
        int lossless = port.traffic().losslessMask();
        this.domain = domain;
        this.egress = egress;
        this.schedule = schedule;
        this.heads = new Frame[lists * TrafficConfig.PRIORITIES];
        this.tails = new Frame[lists * TrafficConfig.PRIORITIES];
        Arrays.setAll(
                limitBytes,
                queue -> (lossless >>> queue & 1) != 0 ? Long.MAX_VALUE : port.queueLimitBytes());
    }

    // ---- calls of the domain

    /** Number of the list of its priority in which a frame waits, from 0. */
    abstract int listOf(Frame frame);

    /** Number of the switch's queue in which a frame waits, for {@link Frame#queue}. */
    abstract int queueOf(Frame frame);

    /** Called before the port is asked for frames to start. */
    abstract void asked(Pacer pacer);

    /** The frame of a priority that the domain lets start next; null if none may. */
    abstract @Nullable Frame next(int priority);

    /** The frame of a non-empty priority that will leave next, as known now. Changes no state. */
    abstract @Nullable Frame firstOf(int priority);

    void starts(Frame frame) {
        domain.starts(frame, egress);
    }

    // ---- frames come

    @Override
    public @Nullable Frame enqueue(Frame frame) {
        int priority = frame.priority;
        if (bytes[priority] + frame.lengthBytes > limitBytes[priority]) {
            return frame;
        }
        append(frame);
        return null;
    }

    @Override
    public int enqueue(Frame[] batch, int from, int to) {
        int priority = batch[from].priority;
        int next = from;
        while (next < to
                && batch[next].priority == priority
                && bytes[priority] + batch[next].lengthBytes <= limitBytes[priority]) {
            append(batch[next++]);
        }
        return next;
    }

    @Override
    public void adopt(Frame frame) {
        append(frame);
    }

    private void append(Frame frame) {
        int priority = frame.priority;
        int list = listOf(frame) * TrafficConfig.PRIORITIES + priority;
        frame.queue = queueOf(frame);
        Frame last = tails[list];
        if (heads[list] == null || last == null) {
            heads[list] = frame;
        } else {
            last.next = frame;
        }
        tails[list] = frame;
        frames[priority]++;
        bytes[priority] += frame.lengthBytes;
        allFrames++;
        allBytes += frame.lengthBytes;
        occupied |= 1 << priority;
        domain.arrived(frame, egress);
    }

    // ---- frames start

    @Override
    public boolean mayHoldBack() {
        return true;
    }

    @Override
    public void eligible(int mask) {
        eligible = mask & ALL;
    }

    /** Whether a priority is not stopped. */
    boolean isEligible(int priority) {
        return (eligible >>> priority & 1) != 0;
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
        return dequeue(nowNs, pacer, into, 0, Gate.OPEN);
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        asked(pacer);
        int count = from;
        dequeued = from;
        while (count < into.length && pacer.mayStart(nowNs)) {
            int priority = choose(nowNs, gate);
            Frame frame = priority == NONE ? null : chosen[priority];
            if (frame == null) {
                break;
            }
            remove(frame);
            into[count++] = frame;
            // The frame is out before any listener is notified: a listener may throw.
            dequeued = count;
            pacer.start(frame.lengthBytes);
            starts(frame);
            gate.started(nowNs, priority, 1, frame.lengthBytes, gate.cost(frame.lengthBytes));
            tellSchedule(priority, frame);
        }
        return count;
    }

    /**
     * The priority that sends next, with its frame in {@link #chosen}; {@link #NONE} if none may.
     */
    private int choose(long nowNs, Gate gate) {
        int candidates = 0;
        for (int rest = occupied & eligible; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            Frame next = next(priority);
            if (next == null) {
                continue;
            }
            if (gate.room(nowNs, priority, next.lengthBytes) == 0) {
                domain.refused();
            } else {
                chosen[priority] = next;
                candidates |= 1 << priority;
            }
        }
        if (candidates == 0) {
            return NONE;
        }
        return schedule == null
                ? 31 - Integer.numberOfLeadingZeros(candidates)
                : schedule.select(this, candidates);
    }

    private void tellSchedule(int priority, Frame started) {
        if (schedule != null) {
            schedule.started(priority, schedule.cost(started.lengthBytes), frames[priority] == 0);
        }
    }

    @Override
    public int dequeued() {
        return dequeued;
    }

    @Override
    public Frame take(int queue) {
        Frame first = head(queue);
        if (first == null) {
            throw new IllegalStateException("egress " + egress + ": queue " + queue + " is empty");
        }
        remove(first);
        tellSchedule(queue, first);
        return first;
    }

    // ---- frames are taken out

    private void remove(Frame frame) {
        int priority = frame.priority;
        int list = listOf(frame) * TrafficConfig.PRIORITIES + priority;
        Frame before = null;
        Frame at = heads[list];
        while (at != frame) {
            if (at == null) {
                throw new IllegalStateException(
                        "egress %d: %s does not wait here".formatted(egress, frame));
            }
            before = at;
            at = behind(at);
        }
        Frame next = behind(frame);
        if (before == null) {
            heads[list] = next;
        } else {
            before.next = next;
            if (next == null) {
                tails[list] = before;
            }
        }
        frames[priority]--;
        bytes[priority] -= frame.lengthBytes;
        allFrames--;
        allBytes -= frame.lengthBytes;
        if (frames[priority] == 0) {
            occupied &= ~(1 << priority);
        }
        domain.left(frame);
    }

    @Override
    public @Nullable Frame extract(int priority, FrameFilter filter) {
        for (int list = priority; list < heads.length; list += TrafficConfig.PRIORITIES) {
            for (Frame frame = heads[list]; frame != null; frame = behind(frame)) {
                if (filter.matches(frame)) {
                    remove(frame);
                    return frame;
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable Frame drain() {
        Frame first = first();
        if (first != null) {
            remove(first);
        }
        return first;
    }

    /** Moves the lists as they are: the domain is not notified, and the frames keep their order. */
    @Override
    public void handOver(Queues next) {
        if (!(next instanceof DomainQueues queues)
                || queues.allFrames != 0
                || queues.heads.length != heads.length) {
            throw new IllegalStateException(
                    "egress " + egress + ": a domain's queues go to new ones of the same domain");
        }
        System.arraycopy(heads, 0, queues.heads, 0, heads.length);
        System.arraycopy(tails, 0, queues.tails, 0, tails.length);
        System.arraycopy(frames, 0, queues.frames, 0, TrafficConfig.PRIORITIES);
        System.arraycopy(bytes, 0, queues.bytes, 0, TrafficConfig.PRIORITIES);
        queues.allFrames = allFrames;
        queues.allBytes = allBytes;
        queues.occupied = occupied;
        Arrays.fill(heads, null);
        Arrays.fill(frames, 0);
        Arrays.fill(bytes, 0);
        allFrames = 0;
        allBytes = 0;
        occupied = 0;
        domain.egresses[egress] = queues;
    }

    // ---- frames wait

    /** The first frame of a list of a priority; null if none waits. */
    @Nullable Frame head(int list, int priority) {
        return heads[list * TrafficConfig.PRIORITIES + priority];
    }

    /** The frame behind another one in its list; null if that is the last. */
    @Nullable Frame behind(Frame frame) {
        return frame == tails[listOf(frame) * TrafficConfig.PRIORITIES + frame.priority]
                ? null
                : frame.next;
    }

    @Override
    public Frame[] waiting(int queue) {
        Frame[] all = new Frame[frames[queue]];
        int count = 0;
        for (int list = queue; list < heads.length; list += TrafficConfig.PRIORITIES) {
            for (Frame frame = heads[list]; frame != null; frame = behind(frame)) {
                all[count++] = frame;
            }
        }
        return all;
    }

    @Override
    public @Nullable Frame head(int queue) {
        return frames[queue] == 0 ? null : firstOf(queue);
    }

    @Override
    public @Nullable Frame first() {
        int list = 31 - Integer.numberOfLeadingZeros(occupied);
        while (occupied != 0 && heads[list] == null) {
            list += TrafficConfig.PRIORITIES;
        }
        return occupied == 0 ? null : heads[list];
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
        return TrafficConfig.PRIORITIES;
    }

    @Override
    public int frames(int queue) {
        return frames[queue];
    }

    @Override
    public long bytes(int queue) {
        return bytes[queue];
    }

    @Override
    public long limitBytes(int queue) {
        return limitBytes[queue];
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
