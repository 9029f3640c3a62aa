package io.headgate.dataplane.openqueue;

import static io.headgate.dataplane.openqueue.QueueState.FRAME;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.domain.Domain;
import io.headgate.dataplane.domain.DomainSetup;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.FabricLayout.Stage;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.queue.QueueCounters;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A switch with the queueing structure of a policy, such as the buffered crossbar of figure 2.13:
 * packets wait in queues at inputs (one or more per output: virtual output queues), crosspoints and
 * outputs, each with the policy's own admission, order and scheduling. Queues of several ports may
 * share buffers. A policy may have no inputs or crosspoints.
 *
 * <p>The ports of inputs and crosspoints are lines: each moves one packet after another to the next
 * stage, at its rate. A packet is in the next queue as soon as it begins to move. A queue is
 * eligible if its first packet fits within the size of its next queue, or that queue is empty, and
 * the same holds for the next queue's buffer, unless it is also the queue's own. A line moves the
 * first packet of the eligible queue that its comparator ranks highest; without one it waits. So
 * stages lose no packets because of their sizes; a condition of the next queue is still applied. If
 * several lines can move a packet now, the one that moved least recently does.
 *
 * <p>Frames that the switch itself sends go to the queues of outputs; frames to the switch itself
 * are queued as in any switch.
 */
public final class Fabric implements Domain {
    /** Key of such a switch below {@code domain}. */
    public static final String NAME = "fabric";

    private static final double PERCENT = 100;
    private static final long BPS_PER_KBPS = 1_000;

    private final FabricLayout layout;
    private final Policy policy;
    private final PacketState core;
    private final int ports;

    // By queue.
    private final boolean[] isOutput;

    // By number of the policy's port; those of outputs have none.
    private final @Nullable Line[] lines;

    // Lines by their ports' numbers, the one that has moved a packet least recently first.
    private final int[] order;

    private final @Nullable FabricQueues[] egresses;
    private long nowNs;
    private long arrivals;
    private long started;

    // Whether a line may be able to move what it could not before.
    private boolean isStale;

    // The output that is being asked; what concerns others is for another call at this instant.
    private int asked;
    private boolean isAskedAgain;

    /** A port between two stages. */
    private static final class Line {
        private final Policy.Port port;
        private final Pacer pacer;
        private final QueueState[] queues;

        // When the line was last seen free with nothing to move: lateness is made up from then on.
        private long idleNs;

        Line(Policy.Port port, Pacer pacer, PacketState core) {
            this.port = port;
            this.pacer = pacer;
            this.queues =
                    port.queues().stream()
                            .map(queue -> core.queues[queue])
                            .toArray(QueueState[]::new);
        }

        /** The line's rate if its input is a port with this configuration. */
        static long rateBps(Policy.Port port, PortConfig config) {
            double rateBps =
                    port.isPercent()
                            ? config.rateBps() * port.rate() / PERCENT
                            : port.rate() * BPS_PER_KBPS;
            if (!(rateBps >= Pacer.MIN_RATE_BPS && rateBps <= Pacer.MAX_RATE_BPS)) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "port %s of the policy would have a rate of %.4g Mb/s, with %s at"
                                        + " %d Mb/s; allowed is 1 Mb/s to 6.4 Tb/s",
                                port.name(),
                                rateBps / 1e6,
                                config.name(),
                                config.rateBps() / 1_000_000));
            }
            return Math.round(rateBps);
        }

        boolean isEmpty() {
            for (QueueState queue : queues) {
                if (queue.held != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Creates an empty fabric.
     *
     * @param seed seed for drops with a probability
     * @throws IllegalArgumentException in one sentence, if the policy does not fit the switch
     */
    public Fabric(Policy policy, Binding binding, long seed, DomainSetup setup) {
        this.policy = policy;
        this.ports = setup.ports().size() - 1;
        this.layout = FabricLayout.of(policy, ports);
        this.core =
                (PacketState)
                        new CompiledPolicy(layout.plan(binding))
                                .queues(NamedRandom.of(seed, NAME, "policy"));
        this.lines = new Line[policy.ports().size()];
        this.order = new int[policy.ports().size() - ports];
        for (int port = 0; port < order.length; port++) {
            order[port] = port;
            int input = layout.inputOf(port);
            Policy.Port of = policy.ports().get(port);
            long rateBps = Line.rateBps(of, setup.ports().get(input));
            lines[port] =
                    new Line(
                            of,
                            new Pacer(rateBps, setup.maxCatchUpNs(), setup.wires().get(input)),
                            core);
        }
        this.egresses = new FabricQueues[ports];
        this.isOutput = new boolean[policy.queues().size()];
        for (int queue = 0; queue < isOutput.length; queue++) {
            isOutput[queue] = layout.stage(policy.portOf(queue)) == Stage.OUTPUT;
        }
    }

    /**
     * Refuses port rates for which a line's rate would be out of range.
     *
     * @param configs the switch's ports, in order
     * @throws IllegalArgumentException in one sentence, for the first of them
     */
    public static void requireRates(Policy policy, FabricLayout layout, List<PortConfig> configs) {
        for (int port = 0; port < policy.ports().size(); port++) {
            if (layout.stage(port) != Stage.OUTPUT) {
                Line.rateBps(policy.ports().get(port), configs.get(layout.inputOf(port)));
            }
        }
    }

    @Override
    public Queues queues(int egress, PortConfig port, @Nullable Schedule schedule) {
        if (egress == ports) {
            return new PriorityQueues(
                    port.queueLimitBytes(), port.traffic().losslessMask(), schedule, null);
        }
        int[] own = layout.queuesFor(egress);
        int[] outputs =
                policy.ports().get(layout.output(egress)).queues().stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
        FabricQueues queues = new FabricQueues(this, core, egress, own, outputs);
        if (egresses[egress] == null) {
            egresses[egress] = queues;
        }
        return queues;
    }

    @Override
    public QueueCounters.@Nullable Layout counted(int egress) {
        return egress == ports
                ? null
                : new QueueCounters.Layout(
                        NAME, PolicyCounter.texts(), layout.queuesFor(egress).length);
    }

    /** Sets the queues of an egress port. */
    void install(int egress, FabricQueues queues) {
        egresses[egress] = queues;
    }

    @Override
    public void change(int port, PortConfig config) {
        for (int number : order) {
            Line line = lines[number];
            if (line != null && layout.inputOf(number) == port) {
                line.pacer.rate(Line.rateBps(line.port, config));
            }
        }
    }

    @Override
    public void begin(long timeNs) {
        nowNs = timeNs;
        core.arriving(timeNs);
        asked = -1;
        move();
        // All outputs are about to be asked.
        isAskedAgain = false;
    }

    @Override
    public long started() {
        return started;
    }

    @Override
    public long deadlineNs() {
        if (isAskedAgain) {
            return nowNs;
        }
        long next = Long.MAX_VALUE;
        for (Line line : lines) {
            if (line != null && !line.pacer.mayStart(nowNs) && !line.isEmpty()) {
                next = Math.min(next, line.pacer.nextStartNs());
            }
        }
        return next;
    }

    // ---- packets come

    /** Notes that the queues of an output are being called. */
    void asks(int egress) {
        asked = egress;
    }

    /** Puts an arriving packet into its first queue; returns false if it was not admitted. */
    boolean come(Frame frame, int egress) {
        place(frame, egress);
        return offer(frame);
    }

    /** The same for a packet that had been admitted before. */
    void adopt(Frame frame, int egress) {
        place(frame, egress);
        core.adopt(frame);
    }

    private void place(Frame frame, int egress) {
        boolean isOwn = frame.ingressPort >= ports;
        frame.queue =
                layout.first(
                        isOwn ? FabricLayout.ITSELF : frame.ingressPort, egress, frame.priority);
        frame.arrival = nextArrival();
        isStale = true;
    }

    /** The arrival number for a packet that joins a queue now. */
    long nextArrival() {
        return ++arrivals;
    }

    /** Has a packet's queue decide on it; those that it pushes out are lost for their outputs. */
    private boolean offer(Frame frame) {
        boolean isTaken = true;
        for (Frame lost = core.enqueue(frame); lost != null; lost = core.alsoLost()) {
            if (lost == frame) {
                isTaken = false;
            } else {
                lose(lost);
            }
        }
        return isTaken;
    }

    private void lose(Frame frame) {
        int egress = layout.outputOf(frame.queue);
        FabricQueues queues = egresses[egress];
        if (queues == null) {
            throw new IllegalStateException("output " + egress + " has no queues");
        }
        queues.lose(frame);
        isStale = true;
        isAskedAgain = true;
    }

    // ---- packets move

    /** Moves all packets that can move now, if anything has changed. */
    void moveIfStale() {
        if (isStale) {
            move();
        }
    }

    private void move() {
        isStale = false;
        for (int i = 0; i < order.length; ) {
            int port = order[i];
            if (moves(lines[port])) {
                System.arraycopy(order, i + 1, order, i, order.length - 1 - i);
                order[order.length - 1] = port;
                i = 0;
            } else {
                i++;
            }
        }
        for (Line line : lines) {
            if (line != null && line.pacer.mayStart(nowNs)) {
                line.idleNs = nowNs;
            }
        }
    }

    private boolean moves(@Nullable Line line) {
        if (line == null || !line.pacer.mayStart(nowNs)) {
            return false;
        }
        QueueState best = null;
        for (QueueState queue : line.queues) {
            if (queue.held != 0
                    && fits(queue)
                    && (best == null || core.isServedBefore(queue, best))) {
                best = queue;
            }
        }
        if (best == null) {
            return false;
        }
        Frame frame = core.start(best.number);
        line.pacer.resume(nowNs, line.idleNs);
        line.pacer.start(frame.lengthBytes);
        frame.queue = layout.next(best.number, frame.priority);
        frame.arrival = nextArrival();
        if (!offer(frame)) {
            lose(frame);
        }
        int egress = layout.outputOf(frame.queue);
        isAskedAgain |= egress != asked && isOutput[frame.queue];
        return true;
    }

    /** Whether the first packet of a queue has room where it goes. */
    private boolean fits(QueueState from) {
        Frame frame = core.first(from.number).frame();
        QueueState to = core.queues[layout.next(from.number, frame.priority)];
        long one = FRAME + frame.lengthBytes;
        BufferState buffer = to.buffer;
        return (to.held == 0 || core.shape.sizeOf(to.held + one) <= to.limit)
                && (buffer == null
                        || buffer == from.buffer
                        || buffer.held == 0
                        || core.shape.sizeOf(buffer.held + one) <= buffer.limit);
    }

    // ---- packets start

    /** Starts the first packet of an output's queue. */
    Frame start(int queue) {
        started++;
        isStale = true;
        return core.start(queue);
    }

    /** Notes that a packet was taken out of a queue. */
    void left() {
        isStale = true;
    }
}
