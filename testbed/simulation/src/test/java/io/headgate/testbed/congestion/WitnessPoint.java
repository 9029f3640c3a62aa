package io.headgate.testbed.congestion;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.memory.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes what it is shown, and fails where that does not agree with the port's queues. Draws, reads
 * what it may, ticks while frames wait: all that must change nothing.
 */
public final class WitnessPoint implements CongestionPoint {
    private static final int QUEUES = 8;

    /**
     * A stop that ended: when the point was notified, and the time from which the queue may send.
     */
    record Release(int queue, long toldNs, long endedNs) {}

    /** A look at its deadline. */
    record Tick(long dueNs, long nowNs) {}

    private final CongestionSetup setup;
    private final long periodNs;
    private final List<ArrayDeque<Frame>> queued = new ArrayList<>();
    private final long[] counted = new long[QUEUES];
    private final long[] startedBlocks = new long[QUEUES];
    private final List<Release> releases = new ArrayList<>();
    private final List<Tick> ticks = new ArrayList<>();
    private long deadlineNs = Long.MAX_VALUE;
    private long lastNs = Long.MIN_VALUE;
    private int waiting;
    private long drawn;

    WitnessPoint(CongestionSetup setup, long periodNs) {
        this.setup = setup;
        this.periodNs = periodNs;
        for (int queue = 0; queue < QUEUES; queue++) {
            queued.add(new ArrayDeque<>());
        }
    }

    List<Release> releases() {
        return releases;
    }

    List<Tick> ticks() {
        return ticks;
    }

    long rateBps() {
        return setup.rateBps();
    }

    /** The queues that are stopped, as the point may read it at any time. */
    int stopped() {
        return setup.stops().stopped();
    }

    /** The frame that leaves a queue next, by what the point was shown. */
    @Nullable Frame head(int queue) {
        return queued.get(queue).peekFirst();
    }

    /** Blocks of 64 bytes of all frames of a queue that have started. */
    long startedBlocks(int queue) {
        return startedBlocks[queue];
    }

    private void at(long nowNs) {
        require(nowNs >= lastNs, "time goes back from " + lastNs + " to " + nowNs);
        lastNs = nowNs;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private void agrees(int queue) {
        long bytes = queued.get(queue).stream().mapToLong(frame -> frame.lengthBytes).sum();
        require(
                setup.queues().frames(queue) == queued.get(queue).size()
                        && setup.queues().bytes(queue) == bytes,
                "queue %d has %d frames, %d were shown"
                        .formatted(queue, setup.queues().frames(queue), queued.get(queue).size()));
    }

    @Override
    public int queues() {
        return (1 << QUEUES) - 1;
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        at(nowNs);
        for (int i = from; i < to; i++) {
            require(frames[i].priority == queue, frames[i] + " in queue " + queue);
            queued.get(queue).add(frames[i]);
            waiting++;
        }
        agrees(queue);
        if (deadlineNs == Long.MAX_VALUE) {
            deadlineNs = nowNs + periodNs;
        }
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        at(nowNs);
        drawn += setup.random().nextLong(1000);
        for (int i = from; i < to; i++) {
            Frame frame = frames[i];
            Frame first = queued.get(frame.priority).pollFirst();
            require(frame.equals(first), frame + " starts before " + first);
            startedBlocks[frame.priority] += Math.ceilDiv(frame.lengthBytes, 64);
            waiting--;
        }
        for (int i = from; i < to; i++) {
            agrees(frames[i].priority);
        }
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        at(nowNs);
        require(queued.get(frame.priority).remove(frame), frame + " was not queued");
        waiting--;
    }

    @Override
    public void released(long nowNs, int queues) {
        at(nowNs);
        for (int rest = queues; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            long endedNs = setup.stops().endedNs(queue);
            require(endedNs <= nowNs, "a stop ended at " + endedNs + ", it is " + nowNs);
            require((stopped() >>> queue & 1) == 0, "queue " + queue + " is still stopped");
            releases.add(new Release(queue, nowNs, endedNs));
            counted[queue]++;
        }
    }

    @Override
    public int tick(long nowNs) {
        at(nowNs);
        require(deadlineNs <= nowNs, "called at " + nowNs + " before " + deadlineNs);
        ticks.add(new Tick(deadlineNs, nowNs));
        deadlineNs = waiting == 0 ? Long.MAX_VALUE : nowNs + periodNs;
        return 1;
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public long counted(int counter, int queue) {
        return counted[queue];
    }

    @Override
    public void reset(long nowNs) {
        at(nowNs);
        require(waiting == 0, waiting + " frames wait at a port without a link");
    }

    @Override
    public String toString() {
        return "witness[" + ticks.size() + " ticks, " + drawn + "]";
    }
}
