package io.headgate.testbed.scenario.explain;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.VirtualBed;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.deadlock.Deadlock;
import io.headgate.testbed.virtual.deadlock.DeadlockWatch;
import io.headgate.testbed.virtual.link.LinkObserver;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run in virtual time that records pauses and deadlocks, and takes one snapshot of its queues.
 */
final class WatchedRun implements VirtualBed.Watching {
    /** Value instead of a time: the snapshot is taken when the first deadlock is found. */
    static final long AT_DEADLOCK = -1;

    static final long NEVER = -2;

    private final long lookPs;
    private @Nullable Begun begun;
    private @Nullable QueueSnapshot snapshot;
    private String digest = "";

    private record Begun(
            Experiment experiment, NetworkPlan plan, PauseLog log, DeadlockWatch deadlocks) {}

    private WatchedRun(long lookPs) {
        this.lookPs = lookPs;
    }

    /**
     * Runs a cell.
     *
     * @param lookPs when to look into the queues, {@link #AT_DEADLOCK} or {@link #NEVER}
     * @throws ScenarioException if it cannot be run, or not in virtual time
     */
    static WatchedRun of(Scenario scenario, Cell cell, long lookPs) throws ScenarioException {
        WatchedRun run = new WatchedRun(lookPs);
        run.digest = scenario.run(cell, run).digest();
        if (run.begun == null) {
            throw new ScenarioException(
                    "only pauses of runs in virtual time can be explained, but this run is of the "
                            + cell.bed().word()
                            + " bed");
        }
        return run;
    }

    @Override
    public LinkObserver begin(
            Experiment experiment,
            VirtualNetwork network,
            Traffic traffic,
            DeadlockWatch deadlocks) {
        NetworkPlan plan = network.plan();
        PauseLog log = new PauseLog(plan);
        begun = new Begun(experiment, plan, log, deadlocks);
        FrameNames names = new FrameNames(experiment, plan, traffic);
        if (lookPs >= 0) {
            network.run()
                    .addProbe((_, _) -> snapshot = new QueueSnapshot(network, names))
                    .schedule(lookPs);
        } else if (lookPs == AT_DEADLOCK) {
            network.run()
                    .addProbe((self, nowPs) -> {
                        if (deadlocks.found().isEmpty()) {
                            self.schedule(nowPs + deadlocks.intervalPs());
                        } else {
                            snapshot = new QueueSnapshot(network, names);
                        }
                    })
                    .schedule(deadlocks.intervalPs());
        }
        return log;
    }

    private Begun begun() {
        return Objects.requireNonNull(begun);
    }

    Experiment experiment() {
        return begun().experiment;
    }

    NetworkPlan plan() {
        return begun().plan;
    }

    /** The snapshot of the queues; null: its time did not come. */
    @Nullable QueueSnapshot snapshot() {
        return snapshot;
    }

    String digest() {
        return digest;
    }

    List<Pause> pauses() {
        return begun().log.pauses(experiment().durationPs());
    }

    List<Deadlock> deadlocks() {
        return begun().deadlocks.found();
    }

    @Override
    public boolean isCancelled() {
        return false;
    }
}
