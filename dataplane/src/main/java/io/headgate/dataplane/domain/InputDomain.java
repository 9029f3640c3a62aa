package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A domain whose frames wait at their inputs: a frame that starts at an egress occupies the line of
 * its input, by which frames leave one after another.
 */
abstract sealed class InputDomain implements Domain permits Crossbar, InputBuffered {
    final Line[] lines;
    final @Nullable DomainQueues[] egresses;
    long nowNs;
    long calls;
    private final int speedup;
    private long started;

    // In which call a frame last started, and in which the far end of an egress last refused one.
    private long startedInCall;
    private long refusedInCall;

    /** The line from an input to the egresses. */
    static class Line {
        final Pacer pacer;

        // Frames that wait at this input, and in which call one was last taken away.
        int frames;
        long takenInCall;

        // When the line was last seen free with nothing to send: lateness is made up from then on.
        private long idleNs;

        Line(Pacer pacer) {
            this.pacer = pacer;
        }
    }

    /**
     * @param speedup rate of an input's line, as a multiple of its port's rate
     */
    InputDomain(DomainSetup setup, int speedup, BiFunction<Pacer, PortConfig, Line> made) {
        this.speedup = speedup;
        this.lines = new Line[setup.ports().size()];
        this.egresses = new DomainQueues[lines.length];
        for (int port = 0; port < lines.length; port++) {
            PortConfig config = setup.ports().get(port);
            long rateBps = config.rateBps() * speedup;
            Pacer pacer = new Pacer(rateBps, setup.maxCatchUpNs(), setup.wires().get(port));
            lines[port] = made.apply(pacer, config);
        }
    }

    abstract DomainQueues empty(int egress, PortConfig port, @Nullable Schedule schedule);

    @Override
    public final Queues queues(int egress, PortConfig port, @Nullable Schedule schedule) {
        DomainQueues queues = empty(egress, port, schedule);
        if (egresses[egress] == null) {
            egresses[egress] = queues;
        }
        return queues;
    }

    @Override
    public final void change(int port, PortConfig config) {
        lines[port].pacer.rate(config.rateBps() * speedup);
    }

    @Override
    public final void begin(long newNowNs) {
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
    public final long started() {
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

    // ---- what the queues of an egress say and ask

    /** Notes that a frame waits at its input, for an egress. */
    void arrived(Frame frame, int egress) {
        Line line = lines[frame.ingressPort];
        if (line.frames++ == 0) {
            line.idleNs = nowNs;
        }
    }

    /** Notes that a frame no longer waits. */
    void left(Frame frame) {
        Line line = lines[frame.ingressPort];
        line.frames--;
        line.takenInCall = calls;
    }

    /** Notes that a frame starts at an egress, and occupies the line of its input. */
    void starts(Frame frame, int egress) {
        Line line = lines[frame.ingressPort];
        line.pacer.resume(nowNs, line.idleNs);
        line.pacer.start(frame.lengthBytes);
        started++;
        startedInCall = calls;
    }

    /**
     * Notes that the next frame may not start, for example because an egress has no credits for it.
     */
    final void refused() {
        refusedInCall = calls;
    }
}
