package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link PolicyState} of a policy whose packets are numbered, and ranked by their numbers. */
abstract class PacketState extends PolicyState {
    final PacketTable table;
    final Ranking[] processing;
    final @Nullable Ranking[] admission;

    /** That for admission, where it is not the same as that for processing. */
    final @Nullable Ranking[] separate;

    PacketState(
            PolicyPlan plan,
            PacketTable table,
            Ranking[] processing,
            @Nullable Ranking[] admission,
            NamedRandom random) {
        super(plan, random);
        this.table = table;
        this.processing = processing;
        this.admission = admission;
        this.separate = new Ranking[processing.length];
        for (int queue = 0; queue < separate.length; queue++) {
            separate[queue] = plan.queues().get(queue).isShared() ? null : admission[queue];
        }
    }

    // ---- what generated code calls

    /** Notes that a packet has met congestion in a queue. */
    final void mark(int queue, int packet) {
        mark(queue, table.frame(packet));
    }

    /** A field of the packet that a queue sends next; 0 if it has none. */
    final long headField(int queue, int field) {
        int packet = processing[queue].best();
        return packet == NONE ? 0 : table.fields[field][packet];
    }

    /** The number of that packet in the order in which packets came. */
    final long headOrder(int queue) {
        int packet = processing[queue].best();
        return packet == NONE ? 0 : table.arrivals[packet];
    }

    /** When that packet came, in ns. */
    final long headTime(int queue) {
        int packet = processing[queue].best();
        return packet == NONE ? 0 : table.times[packet];
    }

    // ---- not on the path of ordinary frames

    /** The first packet of a queue is sent. */
    abstract Frame start(int number);

    /** Whether the comparator of a port ranks a queue of it higher than another, and not both. */
    abstract boolean isServedBefore(int first, int second);

    /** Takes a packet that waits out of everything. */
    final Frame takeOut(int packet) {
        int number = table.queues[packet];
        processing[number].remove(packet);
        Ranking other = separate[number];
        if (other != null) {
            other.remove(packet);
        }
        Frame frame = table.remove(packet);
        uncount(frame, number, queues[number]);
        return frame;
    }

    /** The packet of a priority that leaves next, as far as that can be said; NONE if none is. */
    final int headPacket(int priority) {
        if ((occupied >>> priority & 1) == 0) {
            return NONE;
        }
        for (int number = 0; number < queues.length; number++) {
            if (queues[number].held != 0 && (waitingIn(number) >>> priority & 1) != 0) {
                int best = processing[number].best();
                return table.frame(best).priority == priority ? best : earliest(priority, null);
            }
        }
        return NONE;
    }

    private int earliest(int priority, @Nullable FrameFilter filter) {
        int earliest = NONE;
        for (int packet = 0; packet < table.end(); packet++) {
            Frame frame = table.frames[packet];
            if (frame != null
                    && frame.priority == priority
                    && (earliest == NONE || table.arrivals[packet] < table.arrivals[earliest])
                    && (filter == null || filter.matches(frame))) {
                earliest = packet;
            }
        }
        return earliest;
    }

    @Override
    public final @Nullable Frame head(int queue) {
        int packet = headPacket(queue);
        return packet == NONE ? null : table.frame(packet);
    }

    @Override
    public final @Nullable Frame extract(int queue, FrameFilter filter) {
        int packet = earliest(queue, filter);
        return packet == NONE ? null : takeOut(packet);
    }

    @Override
    public final @Nullable Frame drain() {
        for (int number = 0; number < queues.length; number++) {
            if (queues[number].held != 0) {
                return takeOut(processing[number].best());
            }
        }
        return null;
    }

    @Override
    final void moveAll(List<Moving> into) {
        for (int packet = 0; packet < table.end(); packet++) {
            Frame frame = table.frames[packet];
            if (frame != null) {
                into.add(new Moving(frame, table.times[packet]));
                takeOut(packet);
            }
        }
    }

    @Override
    public final Frame[] waiting(int queue) {
        Frame[] all = new Frame[frames(queue)];
        int count = 0;
        for (int packet = 0; packet < table.end(); packet++) {
            Frame frame = table.frames[packet];
            if (frame != null && frame.priority == queue) {
                all[count++] = frame;
            }
        }
        Arrays.sort(all, Comparator.comparingLong(frame -> frame.arrival));
        return all;
    }

    @Override
    public final @Nullable Frame first() {
        for (int queue : portQueues) {
            if (queues[queue].held != 0) {
                return table.frame(processing[queue].best());
            }
        }
        return null;
    }
}
