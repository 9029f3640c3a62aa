package io.headgate.dataplane.engine;

import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Assigns each duty to a worker. Duties are numbered as in {@link DutyNumbers}; the local port is
 * the last of the ports. Halves do not know which worker runs them.
 */
public record WorkerPlan(int workers, List<Integer> workerOfDuty) {

    /** With this many cores or fewer, {@code auto} leaves all but one to hosts and tools. */
    private static final int FEW_CORES = 2;

    public WorkerPlan {
        workerOfDuty = List.copyOf(workerOfDuty);
    }

    /**
     * Makes the plan for a configuration.
     *
     * @param cores cores that this process may use, at least 1
     */
    public static WorkerPlan of(SwitchConfig config, int cores) {
        DutyNumbers numbers = DutyNumbers.of(config);
        if (numbers.hasDomain()) {
            return new WorkerPlan(1, Collections.nCopies(numbers.count(), 0));
        }
        int ports = config.ports().size();
        return switch (config.workers().layout()) {
            case SINGLE -> byPort(ports, 1);
            case AUTO -> byPort(ports, cores <= FEW_CORES ? 1 : Math.min(ports, cores / 2));
            case COUNT -> byPort(ports, Math.min(ports, Math.max(1, config.workers().count())));
            case PER_HALF -> perHalf(config);
        };
    }

    public static WorkerPlan single(int ports) {
        return byPort(ports, 1);
    }

    private static WorkerPlan byPort(int ports, int workers) {
        return new WorkerPlan(
                workers,
                IntStream.range(0, 2 * ports + 3)
                        .mapToObj(duty -> duty < 2 * ports ? duty / 2 % workers : 0)
                        .toList());
    }

    private static WorkerPlan perHalf(SwitchConfig config) {
        int ports = config.ports().size();
        Integer[] workerOfDuty = new Integer[2 * ports + 3];
        int next = 0;
        for (int port = 0; port < ports; port++) {
            workerOfDuty[2 * port] = next++;
            workerOfDuty[2 * port + 1] =
                    config.ports().get(port).device().kind().needsOneWorker() ? next - 1 : next++;
        }
        Arrays.fill(workerOfDuty, 2 * ports, workerOfDuty.length, next++);
        return new WorkerPlan(next, List.of(workerOfDuty));
    }

    /** One line for a person: how many cores the workers hold, and how. */
    public String describe(WorkerConfig asked) {
        boolean isLess = asked.layout() == WorkerConfig.Layout.COUNT && asked.count() > workers;
        return workers
                + (workers == 1 ? " worker" : " workers")
                + (asked.idle() == WorkerConfig.Idle.BUSY_SPIN
                        ? ", each using 100 % of a core, even when idle"
                        : ", each using a core while there is traffic and sleeping when idle")
                + (isLess
                        ? "; "
                                + asked.count()
                                + " were asked for, but at most one worker per port is used (two"
                                + " with layout per-half)"
                        : "");
    }
}
