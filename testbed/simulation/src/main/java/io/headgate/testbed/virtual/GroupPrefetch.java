package io.headgate.testbed.virtual;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.virtual.link.LinkDirection;
import java.lang.foreign.ValueLayout;

/**
 * Loads the memory that nodes will need into the cache before they run. In a large network a node's
 * memory has left the cache by its next turn, and a frame's data is behind a chain of references,
 * with a cache miss at each. This class visits the ports of several nodes together, in passes that
 * each read one reference further: within a pass no read depends on another (group prefetching:
 * Chen, Ailamaki, Gibbons and Mowry, "Improving hash join performance through prefetching", ICDE
 * 2004).
 *
 * <p>Owned by its run, on the run's thread; only reads. Bounded by the ports of a group, or of a
 * single node that has more, and by {@link #MOST_FRAMES}.
 */
final class GroupPrefetch {
    /**
     * A run with fewer ports stays in the cores' own caches. Reading ahead gains nothing there and
     * takes a twentieth of the time.
     */
    static final int LEAST_PORTS_OF_RUN = 256;

    /** Ports of a group: enough to keep memory busy, and few enough for the nearer caches. */
    private static final int PORTS = 16;

    /** Frames of a group that are looked at; what more there is, is not read ahead. */
    private static final int MOST_FRAMES = 1024;

    /**
     * How far into a queue: what a port sends in a turn, at the delays and rates of data centres.
     */
    private static final int QUEUED_FRAMES = 6;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final NodeSchedule[] nodes = new NodeSchedule[PORTS];
    private int size;
    private int nodePorts;

    // By port of the group that has a link.
    private LinkDirection[] in = new LinkDirection[PORTS];
    private LinkDirection[] out = new LinkDirection[PORTS];
    private int linked;

    // Where frames lie that will arrive, and the slots that will be theirs.
    private final long[] arriving = new long[MOST_FRAMES];
    private final Frame[] slots = new Frame[MOST_FRAMES];
    private int arrivals;
    private int taken;

    // By queue that is not empty: the frame that was reached, and how many wait in it.
    private Frame[] queued = new Frame[PORTS];
    private int[] lengths = new int[PORTS];
    private int queues;

    // Kept, or the compiler would remove the loads.
    @SuppressWarnings("UnusedVariable")
    private long touched;

    /** Whether this group has no room for another node; it always has room for the first. */
    boolean isFullFor(NodeSchedule node) {
        return size == nodes.length || (size > 0 && nodePorts + node.ports > PORTS);
    }

    void add(NodeSchedule node) {
        nodes[size++] = node;
        nodePorts += node.ports;
    }

    int size() {
        return size;
    }

    NodeSchedule node(int index) {
        return nodes[index];
    }

    void clear() {
        size = 0;
        nodePorts = 0;
    }

    /**
     * Reads what the nodes of this group will need.
     *
     * @param fromPs when the first of them has something to do
     * @param untilPs up to when they will be run
     */
    void read(long fromPs, long untilPs) {
        touched ^= readNodes();
        touched ^= readHalves();
        touched ^= readParts(fromPs);
        touched ^= readTables(fromPs, untilPs);
        touched ^= readFrames();
        touched ^= readQueues();
    }

    private long readNodes() {
        if (in.length < nodePorts) {
            in = new LinkDirection[nodePorts];
            out = new LinkDirection[nodePorts];
            queued = new Frame[nodePorts];
            lengths = new int[nodePorts];
        }
        linked = 0;
        long read = 0;
        for (int i = 0; i < size; i++) {
            NodeSchedule node = nodes[i];
            read += node.events.prefetch(1);
            for (int port = 0; port < node.ports; port++) {
                LinkDirection receiving = node.arriving(port);
                LinkDirection sending = node.sending(port);
                if (receiving != null && sending != null) {
                    in[linked] = receiving;
                    out[linked++] = sending;
                }
            }
        }
        return read;
    }

    private long readHalves() {
        long read = 0;
        for (int i = 0; i < linked; i++) {
            read += in[i].touchReceiver(0) + out[i].touchSender(0);
        }
        return read;
    }

    private long readParts(long fromPs) {
        long read = 0;
        for (int i = 0; i < linked; i++) {
            if (in[i].isFlying()) {
                read += in[i].touchReceiver(1);
            }
            if (out[i].isBusy(fromPs)) {
                read += out[i].touchSender(1);
            }
        }
        return read;
    }

    private long readTables(long fromPs, long untilPs) {
        arrivals = 0;
        taken = 0;
        queues = 0;
        long read = 0;
        for (int i = 0; i < linked; i++) {
            LinkDirection receiving = in[i];
            if (receiving.isFlying()) {
                int before = arrivals;
                arrivals = receiving.peekArrivals(arriving, before, untilPs);
                if (arrivals > before) {
                    taken = receiving.peekSlots(slots, taken, arrivals - before);
                    read += receiving.touchReceiver(2);
                }
            }
            LinkDirection sending = out[i];
            if (sending.isBusy(fromPs)) {
                Frame first = sending.firstFrame();
                if (first != null) {
                    queued[queues] = first;
                    lengths[queues++] = sending.waitingFrames(first.priority);
                }
                read += sending.touchSender(2);
            }
        }
        return read;
    }

    private long readFrames() {
        long read = 0;
        for (int i = 0; i < arrivals; i++) {
            read += FrameRegion.MEMORY.get(LONG, arriving[i]);
        }
        for (int i = 0; i < taken; i++) {
            read += slots[i].lengthBytes + slots[i].packetId;
        }
        return read;
    }

    /** In a queue, frame leads to frame. */
    private long readQueues() {
        long read = 0;
        for (int i = 0; i < queues; i++) {
            read += queued[i].lengthBytes;
        }
        for (int place = 1; place < QUEUED_FRAMES; place++) {
            for (int i = 0; i < queues; i++) {
                Frame behind = queued[i].next;
                if (place < lengths[i] && behind != null) {
                    queued[i] = behind;
                    read += behind.lengthBytes;
                }
            }
        }
        return read;
    }
}
