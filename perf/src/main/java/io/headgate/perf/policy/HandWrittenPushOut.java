package io.headgate.perf.policy;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Gate;
import org.jspecify.annotations.Nullable;

/**
 * {@code push-out.oq} by hand: one list in order of arrival, linked both ways, and through the same
 * nodes one for each value, which is the priority, from its newest frame to its oldest.
 */
final class HandWrittenPushOut extends HandWritten {
    private static final long LIMIT_BYTES = 100_000;

    private static final class Node {
        private @Nullable Frame frame;
        private @Nullable Node before;
        private @Nullable Node behind;

        /**
         * The next older node of the same value; stale if the counts say that there is no older
         * one.
         */
        private @Nullable Node older;
    }

    private final Count count = counts[0];
    private final @Nullable Node[] newestOf = new Node[PRIORITIES];
    private @Nullable Node oldest;
    private @Nullable Node newest;
    private @Nullable Node free;

    HandWrittenPushOut() {
        super(1);
    }

    // ---- frames come

    @Override
    void admit(Frame frame) {
        count.total++;
        long after = (count.held & BYTES_MASK) + frame.lengthBytes;
        if (after > LIMIT_BYTES && frame.priority <= Integer.numberOfTrailingZeros(occupied)) {
            count.dropped++;
            lose(frame);
            return;
        }
        append(frame);
        while ((count.held & BYTES_MASK) > LIMIT_BYTES) {
            if (dropLeast() == frame) {
                return;
            }
            count.pushedOut++;
        }
        count.most = Math.max(count.most, count.held & BYTES_MASK);
    }

    private void append(Frame frame) {
        Node node = free;
        if (node == null) {
            node = new Node();
        } else {
            free = node.behind;
        }
        node.frame = frame;
        Node last = newest;
        node.before = last;
        node.behind = null;
        if (last == null) {
            oldest = node;
        } else {
            last.behind = node;
        }
        newest = node;
        node.older = newestOf[frame.priority];
        newestOf[frame.priority] = node;
        long one = FRAME + frame.lengthBytes;
        count.held += one;
        count(frame, one);
    }

    private Frame dropLeast() {
        int value = Integer.numberOfTrailingZeros(occupied);
        Node node = newestOf[value];
        if (node == null) {
            throw new IllegalStateException("no frame of value " + value);
        }
        newestOf[value] = node.older;
        Frame frame = unlink(node);
        lose(frame);
        count.dropped++;
        return frame;
    }

    private Frame unlink(Node node) {
        Node before = node.before;
        Node behind = node.behind;
        if (before == null) {
            oldest = behind;
        } else {
            before.behind = behind;
        }
        if (behind == null) {
            newest = before;
        } else {
            behind.before = before;
        }
        node.behind = free;
        free = node;
        Frame frame = node.frame;
        if (frame == null) {
            throw new IllegalStateException("no frame in a node");
        }
        long one = FRAME + frame.lengthBytes;
        count.held -= one;
        uncount(frame, one);
        return frame;
    }

    // ---- frames start

    @Override
    @Nullable Frame start(long nowNs, @Nullable Gate gate) {
        Node first = eligible == ALL ? oldest : null;
        Frame head = first == null ? null : first.frame;
        return first != null && head != null && isOpen(occupied, head, nowNs, gate)
                ? unlink(first)
                : null;
    }

    // ---- not on the path of ordinary frames

    /** The list is in order of arrival by itself. */
    @Override
    public boolean readsArrivals() {
        return false;
    }

    @Override
    long current(int queue) {
        return count.held & BYTES_MASK;
    }
}
