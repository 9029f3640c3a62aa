package io.headgate.dataplane.runner;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.device.linux.SharedSlots;
import io.headgate.dataplane.engine.WorkerPlan;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** A switch that runs in real time. */
public final class RealTimeSwitch extends RealTimeEngine<SwitchEngine> {
    /**
     * Builds the switch; nothing runs yet.
     *
     * @param counterMemory allocates zeroed memory of a size, aligned to 128 bytes: a mapped file,
     *     or private memory
     * @param failures notified of a duty that failed
     */
    public RealTimeSwitch(
            SwitchConfig config,
            LongFunction<MemorySegment> counterMemory,
            DutyFailureListener failures) {
        super(List.of(seat(config, counterMemory)), config.workers(), failures);
    }

    private static Seat<SwitchEngine> seat(
            SwitchConfig config, LongFunction<MemorySegment> counterMemory) {
        WorkerPlan plan = WorkerPlan.of(config, Affinity.allowedCores().length);
        // Slots take up room as they are first used, and then for good: the last that came home is
        // taken first, so that a port has as many as it ever needed at a time.
        boolean shared = config.ports().stream().anyMatch(p -> p.device().kind().sharesSlots());
        return new Seat<>(
                plan,
                0,
                counterMemory,
                shared ? new SharedSlots() : ReservedMemory.withinWhatThereIs(),
                host -> new SwitchEngine(config, plan, host));
    }

    /**
     * Changes the switch to another configuration with the same ports and memory: its halves apply
     * it one after another, between bursts. If one does not, those that did return to the old
     * configuration.
     *
     * @throws IllegalArgumentException in one sentence, if this switch cannot change; the old
     *     configuration stays
     * @throws IllegalStateException if a worker hangs; the old configuration stays in force
     */
    public synchronized void change(SwitchConfig next) {
        SwitchConfig before = engine().config();
        SwitchEngine.Change change = engine().prepare(before, next);
        List<Integer> changed = new ArrayList<>();
        try {
            for (int port : change.ports()) {
                changed.add(port);
                order(port, change);
            }
        } catch (IllegalStateException e) {
            giveBack(changed, engine().prepare(next, before), e);
            throw e;
        }
        engine().inForce(next);
        for (int port = 0; port < next.ports().size(); port++) {
            PortDevice device = device(port);
            if (device != null && changed.contains(port)) {
                device.change(next.ports().get(port));
            }
        }
    }

    private void order(int port, SwitchEngine.Change change) {
        awaitBoth(port, change.ingress(port), change.egress(port, this::nowNs));
    }

    private void giveBack(
            List<Integer> changed, SwitchEngine.Change back, IllegalStateException why) {
        for (int port : changed) {
            try {
                order(port, back);
            } catch (IllegalStateException e) {
                why.addSuppressed(e);
            }
        }
    }

    public SwitchEngine engine() {
        return engines().getFirst();
    }

    public WorkerPlan plan() {
        return engine().plan();
    }
}
