package io.headgate.testbed.swarm;

import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.testbed.swarm.check.BlockedFlows;
import io.headgate.testbed.swarm.check.BrokenException;
import io.headgate.testbed.swarm.check.CaseNetwork;
import io.headgate.testbed.swarm.check.ClassifiedAlike;
import io.headgate.testbed.swarm.check.Conservation;
import io.headgate.testbed.swarm.check.FlowOrder;
import io.headgate.testbed.swarm.check.HeldFlows;
import io.headgate.testbed.swarm.check.LosslessPromise;
import io.headgate.testbed.swarm.check.NodeCounters;
import io.headgate.testbed.swarm.check.Rest;
import io.headgate.testbed.swarm.check.TokenEnds;
import io.headgate.testbed.swarm.draw.Order;
import io.headgate.testbed.swarm.draw.SwarmCase;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualRun;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs a case: once with every check, then once more, by one thread or several, which must give the
 * same result. In the quick way it runs only once, with checks now and then and at the end; the
 * full way takes twenty times as long.
 */
final class CaseRun {
    /** Most periods in which a network should come to rest. */
    private static final int MOST_PATIENCE = 16;

    /**
     * Number of looks at a cyclic wait in which no flow can move, after which a quick run stops
     * waiting, if all links are sound: a watchdog that ends it has done so by then. Between two
     * looks pauses may end and begin again, and single frames go on meanwhile.
     */
    private static final int CIRCLE_PATIENCE = 4;

    /** Parts of the time with traffic: after each, the run looks for blocked flows. */
    private static final int PARTS = 32;

    /** A run with this number of instants is broken: cases are drawn to have far fewer. */
    private static final long MOST_INSTANTS = 3_000_000;

    /** Threads of the run without checks: one of these numbers, by the seed. */
    private static final int[] THREADS = {1, 2, 3, 7};

    /**
     * The result of a case.
     *
     * @param unblocked number of flows that were seen blocked, with an open path, and then moved
     * @param tokens Escape's counters over all switches, by label
     * @param counters all counters; empty for a quick run
     */
    record Result(
            long digest,
            long frameHops,
            long instants,
            boolean deadlocked,
            long unblocked,
            Map<String, Long> tokens,
            Map<String, Long> counters) {}

    /** The run was cancelled before its end. */
    static final class CancelledException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Some round trips: a cancelled run without checks goes on for at most this time. */
    private static final long UNCHECKED_STEP_PS = 50_000_000;

    private final SwarmCase what;
    private final BooleanSupplier cancelled;
    private final Consumer<CaseNetwork> meddler;
    private final Map<Order, Optional<SwitchConfig>> patched = new HashMap<>();

    CaseRun(SwarmCase what, BooleanSupplier cancelled) {
        this(what, cancelled, network -> {});
    }

    /**
     * @param meddler changes the network before it runs, so that tests can plant defects
     */
    CaseRun(SwarmCase what, BooleanSupplier cancelled, Consumer<CaseNetwork> meddler) {
        this.what = what;
        this.cancelled = cancelled;
        this.meddler = meddler;
    }

    /**
     * Runs the case once, without the checks after every instant.
     *
     * @throws BrokenException if something that must hold does not
     */
    Result runQuickly() {
        return run(RunOptions.of(what.seed()), true);
    }

    /**
     * Runs it.
     *
     * @throws BrokenException if something that must hold does not
     */
    Result run() {
        Result checked = run(RunOptions.of(what.seed()).withChecking(true), false);
        long meanPs = Math.max(1, what.trafficEndPs() / 200);
        int threads = THREADS[(int) Math.floorMod(what.seed(), 4L)];
        Result again =
                run(
                        RunOptions.of(what.seed())
                                .withExtraCallsMeanPs(meanPs)
                                .withThreads(threads)
                                .withReadAheadPorts(0),
                        false);
        if (checked.digest() != again.digest() || checked.frameHops() != again.frameHops()) {
            throw new BrokenException(
                    ("the same seed gives another run: digest %016x with %d frame-hops under"
                                    + " checking, %016x with %d without, by %d threads, with duties"
                                    + " called at random")
                            .formatted(
                                    checked.digest(),
                                    checked.frameHops(),
                                    again.digest(),
                                    again.frameHops(),
                                    threads));
        }
        NodeCounters.compare(checked.counters(), again.counters());
        return checked;
    }

    /**
     * Runs the case once.
     *
     * @throws BrokenException if something that must hold does not
     */
    Result run(RunOptions options, boolean quick) {
        try {
            CaseNetwork built = new CaseNetwork(what, options, patched);
            meddler.accept(built);
            VirtualRun run = built.run();
            Rest rest = new Rest(built);
            BlockedFlows blocked = new BlockedFlows(built);
            for (int part = 1; part <= PARTS; part++) {
                runUntil(run, what.trafficEndPs() * part / PARTS);
                blocked.look();
            }
            new HeldFlows(built).check();
            runToRest(run, rest, blocked, quick);
            new Conservation(built).check();
            boolean deadlocked = !rest.isThere() && !rest.explain().isEmpty();
            new LosslessPromise(built).check();
            new ClassifiedAlike(built).check();
            if (!deadlocked) {
                rest.checkRecovered();
                new TokenEnds(built).check();
                new FlowOrder(built).check();
            }
            return new Result(
                    run.digest(),
                    run.frameHops(),
                    run.instants(),
                    deadlocked,
                    blocked.moved(),
                    new TokenEnds(built).counted(),
                    quick ? Map.of() : NodeCounters.of(built.nodes()));
        } catch (BrokenException | CancelledException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            // Checks say what is wrong by one of these; anything else that is thrown is wrong, too.
            boolean says = e instanceof IllegalStateException;
            throw new BrokenException(says ? Reason.of(e) : e.toString(), e);
        }
    }

    /** Runs until all frames have arrived, or it is clear that some never will. */
    private void runToRest(VirtualRun run, Rest rest, BlockedFlows blocked, boolean quick) {
        int patience = 0;
        int inCircle = 0;
        long stepPs = what.patiencePs();
        // At least twice: what is on the wire must arrive, and its answer.
        while (patience < 2 || !rest.isThere()) {
            boolean isInCircle =
                    quick && blocked.areLinksSound() && !blocked.isAnyToMove() && rest.isStuck();
            if (isInCircle && inCircle++ >= CIRCLE_PATIENCE) {
                return;
            }
            if (patience++ >= MOST_PATIENCE) {
                // What is slow is not stuck: a frame for each of a few credits, and a long queue
                // of frames that are sent again before their turn has come.
                boolean isLong = patience > 2 * MOST_PATIENCE;
                if (!mayMove(blocked, patience) && (isLong || rest.isStuck())) {
                    return;
                }
                stepPs += isLong ? 0 : stepPs / 2;
            }
            // A little longer each time: a flow whose frames are lost sends them again after each
            // time-out, half as long, and is at rest in between.
            stepPs += what.patiencePs() / (2 * MOST_PATIENCE);
            runUntil(run, run.clock().ps() + stepPs);
            blocked.look();
        }
    }

    /**
     * Whether a flow may still move: within a bound on the looks at a network, such a flow either
     * moves or has been blocked for too long.
     */
    private static boolean mayMove(BlockedFlows blocked, int patience) {
        return blocked.isAnyToMove() && patience <= 4 * MOST_PATIENCE;
    }

    /** Under checks instant by instant, otherwise as any run: many instants of a node in a row. */
    private void runUntil(VirtualRun run, long untilPs) {
        int count = 0;
        while (next(run, untilPs)) {
            boolean asks = !run.options().checking() || (++count & 255) == 0;
            if (asks && cancelled.getAsBoolean()) {
                throw new CancelledException();
            }
            if (run.options().checking() && run.instants() > MOST_INSTANTS) {
                throw new BrokenException(
                        "no end: %d instants, and it is %d ps"
                                .formatted(run.instants(), run.clock().ps()));
            }
        }
        run.runUntil(untilPs);
    }

    private static boolean next(VirtualRun run, long untilPs) {
        if (run.options().checking()) {
            return run.step(untilPs);
        }
        long nextPs = run.nextPs();
        if (nextPs > untilPs) {
            return false;
        }
        run.runUntil(Math.min(untilPs, nextPs + UNCHECKED_STEP_PS));
        return true;
    }
}
