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
 * What waits for one egress port at all inputs of a {@link Crossbar}. Towards the port there are
 * eight queues, its priorities; each is made of one first-in first-out queue per input ({@link
 * Frame#queue} says which), and the inputs are served in turn.
 *
 * <p>Enqueue and dequeue do not look at more than one frame per input.
 */
final class CrossbarQueues implements Queues {
    private static final int PRIORITIES = 8;
    private static final int ALL = (1 << PRIORITIES) - 1;
    private static final int NONE = -1;

    private final Crossbar crossbar;
    private final int egress;
    private final int inputs;
    private final @Nullable Schedule schedule;
    private final long[] limitBytes = new long[PRIORITIES];

    // By input and priority; while a queue is empty it has no head, and its tail is stale.
    private final @Nullable Frame[] heads;
    private final @Nullable Frame[] tails;

    // By priority.
    private final int[] frames = new int[PRIORITIES];
    private final long[] bytes = new long[PRIORITIES];

    // Whose turn it is next: the first input from here on that may send.
    private final int[] turn = new int[PRIORITIES];

    // Of each priority that may send, the input that does: of the choice that was made last.
    private final int[] chosen = new int[PRIORITIES];

    private int allFrames;
    private long allBytes;
    private int occupied;
    private int eligible = ALL;
    private int dequeued;

    CrossbarQueues(
            Crossbar crossbar,
            int egress,
            long limitBytes,
            int lossless,
            @Nullable Schedule schedule) {
        this.crossbar = crossbar;
        this.egress = egress;
        this.inputs = crossbar.inputs();
        this.schedule = schedule;
        this.heads = new Frame[inputs * PRIORITIES];
        this.tails = new Frame[inputs * PRIORITIES];
        Arrays.setAll(
                this.limitBytes,
                queue -> (lossless >>> queue & 1) != 0 ? Long.MAX_VALUE : limitBytes);
    }

    private static int queueOf(int input, int priority) {
        return input * PRIORITIES + priority;
    }

    /** The frame that came first of those of an input and a priority; null if none waits. */
    @Nullable Frame first(int input, int priority) {
        return heads[queueOf(input, priority)];
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
        int queue = queueOf(frame.ingressPort, priority);
        frame.queue = queue;
        Frame last = tails[queue];
        if (heads[queue] == null || last == null) {
            heads[queue] = frame;
        } else {
            last.next = frame;
        }
        tails[queue] = frame;
        frames[priority]++;
        bytes[priority] += frame.lengthBytes;
        allFrames++;
        allBytes += frame.lengthBytes;
        occupied |= 1 << priority;
        crossbar.came(frame.ingressPort);
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
    public int dequeue(long nowNs, Pacer pacer, Frame[] into) {
        return dequeue(nowNs, pacer, into, 0, Gate.OPEN);
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        int count = from;
        dequeued = from;
        while (count < into.length && pacer.mayStart(nowNs)) {
            int priority = choose(nowNs, gate);
            if (priority == NONE) {
                break;
            }
            int input = chosen[priority];
            Frame frame = removeFirst(input, priority);
            into[count++] = frame;
            // The frame is out before anybody hears of it: who hears of it may throw.
            dequeued = count;
            pacer.start(frame.lengthBytes);
            crossbar.starts(input, frame.lengthBytes);
            turn[priority] = input + 1 < inputs ? input + 1 : 0;
            gate.started(nowNs, priority, 1, frame.lengthBytes, gate.cost(frame.lengthBytes));
            if (schedule != null) {
                schedule.started(priority, schedule.cost(frame.lengthBytes), frames[priority] == 0);
            }
        }
        return count;
    }

    /** The priority that sends next, its input being {@link #chosen}; {@link #NONE} if none may. */
    private int choose(long nowNs, Gate gate) {
        int candidates = 0;
        for (int rest = occupied & eligible; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            int input = inputThatMaySend(priority);
            Frame first = input == NONE ? null : first(input, priority);
            if (first == null) {
                continue;
            }
            if (gate.room(nowNs, priority, first.lengthBytes) == 0) {
                crossbar.refused();
            } else {
                chosen[priority] = input;
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

    private int inputThatMaySend(int priority) {
        int input = turn[priority];
        for (int looked = 0; looked < inputs; looked++) {
            Frame first = first(input, priority);
            if (first != null && crossbar.maySend(input, first)) {
                return input;
            }
            input = input + 1 < inputs ? input + 1 : 0;
        }
        return NONE;
    }

    /** The input whose turn it is of those that have a frame, whether or not it may send now. */
    private int inputInTurn(int priority) {
        int input = turn[priority];
        while (first(input, priority) == null) {
            input = input + 1 < inputs ? input + 1 : 0;
        }
        return input;
    }

    private Frame removeFirst(int input, int priority) {
        int queue = queueOf(input, priority);
        Frame first = heads[queue];
        if (first == null) {
            throw new IllegalStateException(
                    "egress " + egress + ": nothing of priority " + priority + " from " + input);
        }
        heads[queue] = first == tails[queue] ? null : first.next;
        removed(first);
        return first;
    }

    private void removed(Frame frame) {
        int priority = frame.queue % PRIORITIES;
        frames[priority]--;
        bytes[priority] -= frame.lengthBytes;
        allFrames--;
        allBytes -= frame.lengthBytes;
        if (frames[priority] == 0) {
            occupied &= ~(1 << priority);
        }
        crossbar.left(frame.queue / PRIORITIES);
    }

    @Override
    public int dequeued() {
        return dequeued;
    }

    @Override
    public Frame take(int queue) {
        Frame first = removeFirst(inputToTake(queue), queue);
        if (schedule != null) {
            schedule.started(queue, schedule.cost(first.lengthBytes), frames[queue] == 0);
        }
        return first;
    }

    private int inputToTake(int priority) {
        if (frames[priority] == 0) {
            throw new IllegalStateException("queue " + priority + " is empty");
        }
        int input = inputThatMaySend(priority);
        return input == NONE ? inputInTurn(priority) : input;
    }

    // ---- frames are taken out

    @Override
    public @Nullable Frame extract(int priority, FrameFilter filter) {
        for (int input = 0; input < inputs; input++) {
            Frame found = extract(input, priority, filter);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Frame extract(int input, int priority, FrameFilter filter) {
        int queue = queueOf(input, priority);
        Frame last = tails[queue];
        Frame before = null;
        Frame frame = heads[queue];
        while (frame != null && !filter.matches(frame)) {
            before = frame;
            frame = frame == last ? null : frame.next;
        }
        if (frame == null) {
            return null;
        }
        if (before == null) {
            return removeFirst(input, priority);
        }
        if (frame == last) {
            tails[queue] = before;
        } else {
            before.next = frame.next;
        }
        removed(frame);
        return frame;
    }

    @Override
    public @Nullable Frame drain() {
        if (occupied == 0) {
            return null;
        }
        int priority = 31 - Integer.numberOfLeadingZeros(occupied);
        return removeFirst(inputInTurn(priority), priority);
    }

    @Override
    public void handOver(Queues next) {
        Queues.super.handOver(next);
        if (next instanceof CrossbarQueues queues) {
            System.arraycopy(turn, 0, queues.turn, 0, PRIORITIES);
            crossbar.install(egress, queues);
        }
    }

    // ---- frames wait

    @Override
    public Frame[] waiting(int queue) {
        Frame[] all = new Frame[frames[queue]];
        int count = 0;
        for (int input = 0; input < inputs; input++) {
            Frame frame = first(input, queue);
            while (frame != null) {
                all[count++] = frame;
                frame = frame == tails[queueOf(input, queue)] ? null : frame.next;
            }
        }
        return all;
    }

    @Override
    public @Nullable Frame head(int queue) {
        return frames[queue] == 0 ? null : first(inputToTake(queue), queue);
    }

    @Override
    public @Nullable Frame first() {
        return occupied == 0 ? null : head(31 - Integer.numberOfLeadingZeros(occupied));
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
