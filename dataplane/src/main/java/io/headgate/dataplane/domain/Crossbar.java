package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * An input-buffered crossbar. Frames wait where they came in, per input, egress and priority; a
 * frame that starts at its egress occupies its input's line into the crossbar for as long as it
 * takes at that input's rate times the speedup, and meanwhile nothing else of that input starts.
 *
 * <p>An egress that is free serves the highest priority that it may (or as its weights say), and in
 * it the inputs in turn. If several egresses want the same input, the one whose last start is
 * longest ago is asked first: the engine calls them in that order. So every egress and every input
 * gets its turn.
 *
 * <p>Which frames a port may hold is decided when they come in, as without a crossbar: accounts,
 * pauses and credits are per input already.
 */
final class Crossbar implements Domain {
    private final int speedup;
    private final boolean fifo;
    private final Line[] lines;
    private final @Nullable CrossbarQueues[] egresses;
    private long nowNs;
    private long calls;
    private long started;

    // In which call a frame last started, and in which the far end of an egress last refused one.
    private long startedInCall;
    private long refusedInCall;

    /** An input's way into the crossbar. */
    private static final class Line {
        private final Pacer pacer;

        // Frames that wait at this input, and in which call one was last taken away.
        private int frames;
        private long takenInCall;

        // When the line was last seen free with nothing to send: lateness is made up from then on.
        private long idleNs;

        Line(Pacer pacer) {
            this.pacer = pacer;
        }
    }

    Crossbar(CrossbarConfig config, DomainSetup setup) {
        int ports = setup.ports().size();
        this.speedup = config.speedup();
        this.fifo = config.inputQueues() == CrossbarConfig.InputQueues.FIFO;
        this.lines = new Line[ports];
        this.egresses = new CrossbarQueues[ports];
        for (int port = 0; port < ports; port++) {
            long rateBps = setup.ports().get(port).rateBps() * speedup;
            lines[port] =
                    new Line(new Pacer(rateBps, setup.maxCatchUpNs(), setup.wires().get(port)));
        }
    }

    @Override
    public Queues queues(int egress, PortConfig port, @Nullable Schedule schedule) {
        CrossbarQueues queues =
                new CrossbarQueues(
                        this,
                        egress,
                        port.queueLimitBytes(),
                        port.traffic().losslessMask(),
                        schedule);
        if (egresses[egress] == null) {
            egresses[egress] = queues;
        }
        return queues;
    }

    /** These queues are an egress port's from now on. */
    void install(int egress, CrossbarQueues queues) {
        egresses[egress] = queues;
    }

    @Override
    public void change(int port, PortConfig config) {
        lines[port].pacer.rate(config.rateBps() * speedup);
    }

    @Override
    public void begin(long newNowNs) {
        for (Line line : lines) {
            if (line.takenInCall != calls && line.pacer.mayStart(nowNs)) {
                // Free all through the last call: if frames waited, it was not for this line.
                line.idleNs = nowNs;
            }
        }
        nowNs = newNowNs;
        calls++;
    }

    @Override
    public long started() {
        return started;
    }

    @Override
    public long deadlineNs() {
        if (startedInCall == calls && refusedInCall == calls) {
            // Behind the one that was refused, another input may have its turn now: the line of
            // that one has been taken.
            return nowNs;
        }
        long next = Long.MAX_VALUE;
        for (Line line : lines) {
            if (line.frames == 0) {
                continue;
            }
            if (!line.pacer.mayStart(nowNs)) {
                next = Math.min(next, line.pacer.nextStartNs());
            } else if (line.takenInCall == calls) {
                // The line is free though a frame has gone: it was dropped, or lateness is made up.
                // An egress that was asked before may start what follows.
                next = nowNs;
            }
        }
        return next;
    }

    int inputs() {
        return lines.length;
    }

    // ---- what the queues of an egress say and ask

    /** A frame waits at an input. */
    void arrived(int input) {
        Line line = lines[input];
        if (line.frames++ == 0) {
            line.idleNs = nowNs;
        }
    }

    /** A frame waits no more. */
    void left(int input) {
        Line line = lines[input];
        line.frames--;
        line.takenInCall = calls;
    }

    /** Whether an input may send the first frame that it has for an egress and a priority. */
    boolean maySend(int input, Frame first) {
        return lines[input].pacer.mayStart(nowNs) && (!fifo || isFirst(input, first));
    }

    /** Whether no frame of the same input and priority came before, be it for any egress. */
    private boolean isFirst(int input, Frame frame) {
        for (CrossbarQueues egress : egresses) {
            Frame other = egress == null ? null : egress.head(input, frame.priority);
            // Copies of a flooded frame have one number, and are first together.
            if (other != null && other.packetId < frame.packetId) {
                return false;
            }
        }
        return true;
    }

    /** A frame of an input starts, and occupies its line. */
    void starts(int input, int frameBytes) {
        Line line = lines[input];
        line.pacer.resume(nowNs, line.idleNs);
        line.pacer.start(frameBytes);
        started++;
        startedInCall = calls;
    }

    /** A frame whose turn it is may not start: an egress has no credits for it, say. */
    void refused() {
        refusedInCall = calls;
    }
}
