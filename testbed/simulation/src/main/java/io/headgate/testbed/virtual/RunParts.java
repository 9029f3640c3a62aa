package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RecursiveAction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a run, one for each of its threads, driven together as one. Each runs in its own
 * thread only during a turn; all of them rest when it is over.
 */
final class RunParts {
    private final RunPart[] parts;
    private final Turn[] turns;
    private final List<Runnable> atRest = new ArrayList<>();

    RunParts(int threads, boolean overwrites) {
        parts = new RunPart[threads];
        turns = new Turn[threads];
        for (int part = 0; part < threads; part++) {
            parts[part] = new RunPart(overwrites);
            turns[part] = new Turn(parts[part]);
        }
    }

    /** Adds an action that is called whenever threads have run nodes and rest again. */
    void atRest(Runnable action) {
        atRest.add(action);
    }

    int count() {
        return parts.length;
    }

    RunPart get(int part) {
        return parts[part];
    }

    /**
     * The first part. With one thread it has all nodes; with several it always has those that are
     * not free.
     */
    RunPart first() {
        return parts[0];
    }

    void start(NodeSchedule[] byNode, boolean readingAhead) {
        for (RunPart part : parts) {
            part.start(byNode, readingAhead);
        }
        handOver();
    }

    void time(long ps) {
        for (RunPart part : parts) {
            part.clock.set(ps);
        }
    }

    /** Time of the next event at a node of a side; {@link PacingWheel#NEVER} if there is none. */
    long nextTime(int side) {
        long next = PacingWheel.NEVER;
        for (RunPart part : parts) {
            next = Math.min(next, part.agenda(side).nextTime());
        }
        return next;
    }

    void happen(long nowPs) {
        for (RunPart part : parts) {
            part.happen(0, nowPs);
            part.happen(1, nowPs);
        }
    }

    void settle() {
        for (RunPart part : parts) {
            part.duties.settle();
        }
        handOver();
    }

    void reportReturns() {
        for (RunPart part : parts) {
            part.duties.reportReturns();
        }
        handOver();
    }

    void publish() {
        for (RunPart part : parts) {
            part.duties.publish();
        }
        handOver();
    }

    /**
     * Runs the nodes of a side up to a time (exclusive), before which nodes of the same side cannot
     * affect each other.
     *
     * @param fromPs when the first of them has something to do
     */
    void turn(int side, long fromPs, long untilPs) {
        if (parts.length == 1) {
            parts[0].turn(side, fromPs, untilPs);
            return;
        }
        for (int part = 1; part < parts.length; part++) {
            if (parts[part].agenda(side).nextTime() < untilPs) {
                turns[part].begin(side, fromPs, untilPs);
            }
        }
        Throwable failed = failureOf(() -> parts[0].turn(side, fromPs, untilPs), null);
        // All are waited for: none may still run when the caller learns that one has failed.
        for (int part = 1; part < parts.length; part++) {
            failed = failureOf(turns[part]::end, failed);
        }
        if (failed instanceof RuntimeException exception) {
            throw exception;
        }
        if (failed instanceof Error error) {
            throw error;
        }
        handOver();
        for (int part = 1; part < parts.length; part++) {
            parts[part].lent.pools().share(parts[0].lent.pools());
            parts[0].lent.pools().share(parts[part].lent.pools());
        }
    }

    /** What a share of a turn throws, behind what another has thrown. */
    private static @Nullable Throwable failureOf(Runnable share, @Nullable Throwable earlier) {
        try {
            share.run();
            return earlier;
        } catch (RuntimeException | Error e) {
            return earlier == null ? e : earlier;
        }
    }

    private void handOver() {
        for (RunPart part : parts) {
            part.lent.crossings().forEach(Runnable::run);
            part.lent.crossings().clear();
        }
        for (Runnable action : atRest) {
            action.run();
        }
    }

    /** A part's share of a turn; any thread may run it. */
    private static final class Turn extends RecursiveAction {
        private static final long serialVersionUID = 1;

        private final transient RunPart part;
        private int side;
        private long fromPs;
        private long untilPs;
        private boolean begun;

        Turn(RunPart part) {
            this.part = part;
        }

        void begin(int ofSide, long ofFromPs, long ofUntilPs) {
            side = ofSide;
            fromPs = ofFromPs;
            untilPs = ofUntilPs;
            begun = true;
            reinitialize();
            fork();
        }

        /** Waits until the turn has ended, if it was begun; throws what it threw. */
        void end() {
            if (begun) {
                begun = false;
                join();
            }
        }

        @Override
        protected void compute() {
            part.turn(side, fromPs, untilPs);
        }
    }

    // --- What a duty may not do, and what all of them have done --------------------------------

    void requireNone(String what) {
        for (RunPart part : parts) {
            part.duties.requireNone(what);
        }
    }

    /** Records that a timer has fired, which may have changed any node. */
    void timerFired() {
        for (RunPart part : parts) {
            part.duties.timerFired();
        }
    }

    /** Calls none of a node's duties until {@link #resume}. */
    void stall(int node) {
        for (RunPart part : parts) {
            part.duties.watch().stall(node);
        }
    }

    void resume(int node) {
        for (RunPart part : parts) {
            part.duties.watch().resume(node);
        }
    }

    int duties() {
        return Math.toIntExact(sum(part -> part.duties.count()));
    }

    /** Makes a duty, by its number among all, be called without cause. */
    void call(int duty) {
        int number = duty;
        for (RunPart part : parts) {
            int count = part.duties.count();
            if (number >= 0 && number < count) {
                part.duties.ready().set(number);
            }
            number -= count;
        }
    }

    long interleaved() {
        return sum(part -> part.duties.interleaved());
    }

    long instants() {
        return sum(part -> part.instants);
    }

    long calls() {
        return sum(part -> part.duties.calls());
    }

    private long sum(ToLongFunction<RunPart> what) {
        long sum = 0; // no stream: runs ask at every instant
        for (RunPart part : parts) {
            sum += what.applyAsLong(part);
        }
        return sum;
    }
}
