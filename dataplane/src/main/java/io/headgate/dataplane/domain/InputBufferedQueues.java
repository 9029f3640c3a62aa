package io.headgate.dataplane.domain;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one output of an {@link InputBuffered} switch: of each priority one list in the
 * order in which packets came to the switch, whatever the input. The first of them that may be read
 * starts.
 *
 * <p>Bounded by the inputs' buffers, a few packets each; a list is searched from its oldest packet.
 */
final class InputBufferedQueues implements Queues {
    private static final int PRIORITIES = 8;
    private static final int ALL = (1 << PRIORITIES) - 1;
    private static final int NONE = -1;

    private final InputBuffered domain;
    private final int output;
    private final @Nullable Schedule schedule;
    private final long[] limitBytes = new long[PRIORITIES];

    // By priority; while a list is empty it has no head, and its tail is stale.
    private final @Nullable Frame[] heads = new Frame[PRIORITIES];
    private final @Nullable Frame[] tails = new Frame[PRIORITIES];
    private final int[] frames = new int[PRIORITIES];
    private final long[] bytes = new long[PRIORITIES];

    // Of each priority that may send, the packet that does: of the choice that was made last.
    private final @Nullable Frame[] chosen = new Frame[PRIORITIES];

    // That of the port, once it has been asked.
    private @Nullable Pacer pacer;

    private int allFrames;
    private long allBytes;
    private int occupied;
    private int eligible = ALL;
    private int dequeued;

    InputBufferedQueues(
            InputBuffered domain,
            int output,
            long limitBytes,
            int lossless,
            @Nullable Schedule schedule) {
        this.domain = domain;
        this.output = output;
        this.schedule = schedule;
        Arrays.setAll(
                this.limitBytes,
                queue -> (lossless >>> queue & 1) != 0 ? Long.MAX_VALUE : limitBytes);
    }

    /** The output that a packet waits for. */
    static int outputOf(Frame frame) {
        return frame.queue / PRIORITIES;
    }

    /** Whether the port, as far as is known, could start a packet that waits for it. */
    boolean mayStart(long nowNs, Frame frame) {
        return pacer != null && pacer.mayStart(nowNs) && (eligible >>> frame.priority & 1) != 0;
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
        frame.queue = output * PRIORITIES + priority;
        Frame last = tails[priority];
        if (heads[priority] == null || last == null) {
            heads[priority] = frame;
        } else {
            last.next = frame;
        }
        tails[priority] = frame;
        frames[priority]++;
        bytes[priority] += frame.lengthBytes;
        allFrames++;
        allBytes += frame.lengthBytes;
        occupied |= 1 << priority;
        domain.came(frame, output);
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

    @Override
    public int ready() {
        return occupied & eligible;
    }

    @Override
    public int occupied() {
        return occupied;
    }

    @Override
    public int dequeue(long nowNs, Pacer ofPort, Frame[] into) {
        return dequeue(nowNs, ofPort, into, 0, Gate.OPEN);
    }

    @Override
    public int dequeue(long nowNs, Pacer ofPort, Frame[] into, int from, Gate gate) {
        pacer = ofPort;
        domain.asked(output);
        int count = from;
        dequeued = from;
        while (count < into.length && ofPort.mayStart(nowNs)) {
            int priority = choose(nowNs, gate);
            Frame frame = priority == NONE ? null : chosen[priority];
            if (frame == null) {
                break;
            }
            remove(frame);
            into[count++] = frame;
            // The frame is out before anybody hears of it: who hears of it may throw.
            dequeued = count;
            domain.starts(frame, output);
            ofPort.start(frame.lengthBytes);
            gate.started(nowNs, priority, 1, frame.lengthBytes, gate.cost(frame.lengthBytes));
            if (schedule != null) {
                schedule.started(priority, schedule.cost(frame.lengthBytes), frames[priority] == 0);
            }
        }
        return count;
    }

    /** The priority that sends next, its packet being {@link #chosen}; {@link #NONE} if none. */
    private int choose(long nowNs, Gate gate) {
        int candidates = 0;
        for (int rest = occupied & eligible; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            Frame first = firstThatMayStart(priority);
            if (first == null) {
                continue;
            }
            if (gate.room(nowNs, priority, first.lengthBytes) == 0) {
                domain.refused();
            } else {
                chosen[priority] = first;
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

    private @Nullable Frame firstThatMayStart(int priority) {
        for (Frame frame = heads[priority]; frame != null; frame = after(frame)) {
            if (domain.mayStart(frame, output)) {
                return frame;
            }
        }
        return null;
    }

    private @Nullable Frame after(Frame frame) {
        return frame == tails[frame.priority] ? null : frame.next;
    }

    private void remove(Frame frame) {
        int priority = frame.priority;
        Frame before = null;
        Frame at = heads[priority];
        while (at != frame) {
            if (at == null) {
                throw new IllegalStateException(
                        "output %d: %s does not wait here".formatted(output, frame));
            }
            before = at;
            at = after(at);
        }
        Frame behind = after(frame);
        if (before == null) {
            heads[priority] = behind;
        } else {
            before.next = behind;
            if (behind == null) {
                tails[priority] = before;
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
    public int dequeued() {
        return dequeued;
    }

    @Override
    public Frame take(int queue) {
        Frame first = head(queue);
        if (first == null) {
            throw new IllegalStateException("queue " + queue + " is empty");
        }
        remove(first);
        if (schedule != null) {
            schedule.started(queue, schedule.cost(first.lengthBytes), frames[queue] == 0);
        }
        return first;
    }

    // ---- frames are taken out

    @Override
    public @Nullable Frame extract(int priority, FrameFilter filter) {
        for (Frame frame = heads[priority]; frame != null; frame = after(frame)) {
            if (filter.matches(frame)) {
                remove(frame);
                return frame;
            }
        }
        return null;
    }

    @Override
    public @Nullable Frame drain() {
        Frame first = occupied == 0 ? null : heads[31 - Integer.numberOfLeadingZeros(occupied)];
        if (first != null) {
            remove(first);
        }
        return first;
    }

    @Override
    public void handOver(Queues next) {
        Queues.super.handOver(next);
        if (next instanceof InputBufferedQueues queues) {
            queues.pacer = pacer;
            domain.install(output, queues);
        }
    }

    // ---- frames wait

    @Override
    public Frame[] waiting(int queue) {
        Frame[] all = new Frame[frames[queue]];
        int count = 0;
        for (Frame frame = heads[queue]; frame != null; frame = after(frame)) {
            all[count++] = frame;
        }
        return all;
    }

    @Override
    public @Nullable Frame head(int queue) {
        if (frames[queue] == 0) {
            return null;
        }
        for (Frame frame = heads[queue]; frame != null; frame = after(frame)) {
            if (domain.isReadable(frame)) {
                return frame;
            }
        }
        return heads[queue];
    }

    @Override
    public @Nullable Frame first() {
        return occupied == 0 ? null : heads[31 - Integer.numberOfLeadingZeros(occupied)];
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
