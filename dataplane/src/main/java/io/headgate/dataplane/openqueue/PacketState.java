package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The {@link PolicyState} of a policy with ranked packets. */
abstract class PacketState extends PolicyState {
    final PacketPool pool;
    final Ranking[] processing;
    final @Nullable Ranking[] admission;

    /** The ranking for admission of each queue, if it differs from that for processing. */
    final @Nullable Ranking[] separate;

    PacketState(
            PolicyPlan plan,
            Ranking[] processing,
            @Nullable Ranking[] admission,
            NamedRandom random) {
        super(plan, random);
        this.pool = new PacketPool(!plan.kept().isEmpty());
        this.processing = processing;
        this.admission = admission;
        this.separate = new Ranking[processing.length];
        for (int queue = 0; queue < separate.length; queue++) {
            separate[queue] = plan.queues().get(queue).isShared() ? null : admission[queue];
            queues[queue].holds(processing[queue], separate[queue]);
        }
    }

    // ---- what generated code calls

    /** Notes that a packet has met congestion in a queue. */
    final void mark(QueueState queue, Packet packet) {
        mark(queue, packet.frame());
    }

    /** The packet that a queue sends next; if it has none, a dummy with all fields 0. */
    final Packet headOf(QueueState queue) {
        Packet best = queue.processing.best();
        return best == null ? pool.none : best;
    }

    /** The arrival number of that packet; 0 without a packet. */
    final long headOrder(QueueState queue) {
        Packet best = queue.processing.best();
        return best == null ? 0 : best.frame().arrival;
    }

    /** The arrival number of a packet. */
    static long order(Packet packet) {
        return packet.frame().arrival;
    }

    // ---- not on the path of ordinary frames

    /** Takes the first packet of a queue for sending. */
    abstract Frame start(int number);

    /** The packet that a queue sends next; the queue must have one. */
    final Packet first(int number) {
        Packet best = processing[number].best();
        if (best == null) {
            throw new IllegalStateException("no packet in queue " + number);
        }
        return best;
    }

    /** Whether the comparator of a port ranks the first queue higher, and not also the second. */
    abstract boolean isServedBefore(QueueState first, QueueState second);

    /** Removes a waiting packet from all structures. */
    final Frame takeOut(Packet packet) {
        int number = packet.queue;
        processing[number].remove(packet);
        Ranking other = separate[number];
        if (other != null) {
            other.remove(packet.admission);
        }
        Frame frame = packet.frame();
        pool.remove(packet);
        uncount(frame, queues[number], shape);
        return frame;
    }

    /**
     * The packet of a priority that leaves next, as far as that is known; null if there is none.
     */
    final @Nullable Packet headPacket(int priority) {
        if ((occupied >>> priority & 1) == 0) {
            return null;
        }
        for (int number = 0; number < queues.length; number++) {
            if (queues[number].held != 0 && (waitingIn(number) >>> priority & 1) != 0) {
                Packet best = processing[number].best();
                return best != null && best.frame().priority == priority
                        ? best
                        : earliest(priority, null);
            }
        }
        return null;
    }

    /** The packets of a priority that wait in a queue, in any order. */
    final Stream<Packet> packets(int queue, int priority) {
        return Arrays.stream(pool.all())
                .filter(packet -> {
                    Frame frame = packet.frame;
                    return frame != null && packet.queue == queue && frame.priority == priority;
                });
    }

    private @Nullable Packet earliest(int priority, @Nullable FrameFilter filter) {
        Packet earliest = null;
        for (Packet packet : pool.all()) {
            Frame frame = packet.frame;
            if (frame != null
                    && frame.priority == priority
                    && (earliest == null || frame.arrival < earliest.frame().arrival)
                    && (filter == null || filter.matches(frame))) {
                earliest = packet;
            }
        }
        return earliest;
    }

    @Override
    public final @Nullable Frame head(int queue) {
        Packet packet = headPacket(queue);
        return packet == null ? null : packet.frame;
    }

    @Override
    public final @Nullable Frame extract(int queue, FrameFilter filter) {
        Packet packet = earliest(queue, filter);
        return packet == null ? null : takeOut(packet);
    }

    @Override
    public final @Nullable Frame drain() {
        Packet best = anyBest();
        return best == null ? null : takeOut(best);
    }

    private @Nullable Packet anyBest() {
        for (Ranking ranking : processing) {
            Packet best = ranking.best();
            if (best != null) {
                return best;
            }
        }
        return null;
    }

    @Override
    final void moveAll(List<Moving> into) {
        for (Packet best = anyBest(); best != null; best = anyBest()) {
            long timeNs = best.timeNs;
            into.add(new Moving(takeOut(best), timeNs));
        }
    }

    @Override
    public final Frame[] waiting(int queue) {
        Frame[] all = new Frame[frames(queue)];
        int count = 0;
        for (Packet packet : pool.all()) {
            Frame frame = packet.frame;
            if (frame != null && frame.priority == queue) {
                all[count++] = frame;
            }
        }
        Arrays.sort(all, BY_ARRIVAL);
        return all;
    }

    @Override
    public final @Nullable Frame first() {
        for (QueueState queue : portQueues) {
            Packet best = queue.processing.best();
            if (best != null) {
                return best.frame;
            }
        }
        return null;
    }
}
