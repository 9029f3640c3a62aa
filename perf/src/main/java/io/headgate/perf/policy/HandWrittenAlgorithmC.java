package io.headgate.perf.policy;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.Gate;
import org.jspecify.annotations.Nullable;

/**
 * {@code algorithm-c.oq} by hand: a list for each type of service, linked both ways, and a bit for
 * each that is not empty. The oldest of the highest is sent, the newest of the lowest is dropped.
 */
final class HandWrittenAlgorithmC extends HandWritten {
    private static final long LIMIT_FRAMES = 512;
    private static final int CLASSES = 256;
    private static final int WORDS = CLASSES / Long.SIZE;

    private static final class Node {
        private @Nullable Frame frame;
        private int service;
        private @Nullable Node before;
        private @Nullable Node behind;
    }

    private final Count count = counts[0];
    private final @Nullable Node[] oldest = new Node[CLASSES];
    private final @Nullable Node[] newest = new Node[CLASSES];
    private final long[] used = new long[WORDS];
    private @Nullable Node free;

    HandWrittenAlgorithmC() {
        super(1);
    }

    // ---- frames come

    @Override
    void admit(Frame frame) {
        count.total++;
        int service = serviceOf(frame);
        if (count.held >>> FRAMES_SHIFT >= LIMIT_FRAMES && service <= lowest().service) {
            count.dropped++;
            lose(frame);
            return;
        }
        append(frame, service);
        while (count.held >>> FRAMES_SHIFT > LIMIT_FRAMES) {
            Node lowest = lowest();
            Frame dropped = remove(lowest);
            lose(dropped);
            count.dropped++;
            if (dropped == frame) {
                return;
            }
            count.pushedOut++;
        }
        count.most = Math.max(count.most, count.held >>> FRAMES_SHIFT);
    }

    private static int serviceOf(Frame frame) {
        if (frame.ipOffset == Frame.ABSENT) {
            return 0;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        int service =
                frame.etherType == EtherType.IPV4
                        ? Ipv4.trafficClass(FrameRegion.MEMORY, ip)
                        : Ipv6.trafficClass(FrameRegion.MEMORY, ip);
        return service & (CLASSES - 1);
    }

    private void append(Frame frame, int service) {
        Node node = free;
        if (node == null) {
            node = new Node();
        } else {
            free = node.behind;
        }
        node.frame = frame;
        node.service = service;
        node.behind = null;
        Node last = newest[service];
        node.before = last;
        if (last == null) {
            oldest[service] = node;
            used[service >>> 6] |= 1L << service;
        } else {
            last.behind = node;
        }
        newest[service] = node;
        long one = FRAME + frame.lengthBytes;
        count.held += one;
        count(frame, one);
    }

    private Frame remove(Node node) {
        int service = node.service;
        Node before = node.before;
        Node behind = node.behind;
        if (before == null) {
            oldest[service] = behind;
        } else {
            before.behind = behind;
        }
        if (behind == null) {
            newest[service] = before;
        } else {
            behind.before = before;
        }
        if (before == null && behind == null) {
            used[service >>> 6] &= ~(1L << service);
        }
        node.behind = free;
        free = node;
        Frame frame = frameOf(node);
        long one = FRAME + frame.lengthBytes;
        count.held -= one;
        uncount(frame, one);
        return frame;
    }

    private static Frame frameOf(@Nullable Node node) {
        if (node == null || node.frame == null) {
            throw new IllegalStateException("no frame where one should be");
        }
        return node.frame;
    }

    private @Nullable Node highest() {
        for (int word = WORDS - 1; word >= 0; word--) {
            if (used[word] != 0) {
                return oldest[(word << 6) + 63 - Long.numberOfLeadingZeros(used[word])];
            }
        }
        return null;
    }

    private Node lowest() {
        int word = 0;
        while (used[word] == 0) {
            word++;
        }
        Node node = newest[(word << 6) + Long.numberOfTrailingZeros(used[word])];
        if (node == null) {
            throw new IllegalStateException("no frame where one should be");
        }
        return node;
    }

    // ---- frames start

    @Override
    @Nullable Frame start(long nowNs, @Nullable Gate gate) {
        Node best = eligible == ALL ? highest() : null;
        return best != null && isOpen(occupied, frameOf(best), nowNs, gate) ? remove(best) : null;
    }

    // ---- not on the path of ordinary frames

    @Override
    long current(int queue) {
        return count.held >>> FRAMES_SHIFT;
    }
}
