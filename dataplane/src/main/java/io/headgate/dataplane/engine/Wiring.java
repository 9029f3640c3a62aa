package io.headgate.dataplane.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The channels between workers and halves, and the outbox of each worker. */
final class Wiring {
    private final WorkerPlan plan;
    private final EngineHost host;
    private final @Nullable FrameChannel[][] byWorkerAndHalf;
    private final Outbox[] outboxes;

    /**
     * @param slots most slots that can be in one channel
     */
    Wiring(WorkerPlan plan, EngineHost host, int halves, int slots) {
        this.plan = plan;
        this.host = host;
        this.byWorkerAndHalf = new FrameChannel[plan.workers()][halves];
        this.outboxes = new Outbox[plan.workers()];
        for (int worker = 0; worker < plan.workers(); worker++) {
            Doorbell[] doorbells = new Doorbell[halves];
            for (int half = 0; half < halves; half++) {
                int toWorker = plan.workerOfDuty().get(half);
                byWorkerAndHalf[worker][half] = channel(half, toWorker == worker, slots);
                doorbells[half] = host.doorbell(worker, toWorker, half);
            }
            outboxes[worker] = new Outbox(byWorkerAndHalf[worker], doorbells);
        }
    }

    /** None where frames go home themselves: to an ingress half of the same worker. */
    private static @Nullable FrameChannel channel(int half, boolean sameWorker, int slots) {
        if (!sameWorker) {
            return new FrameChannel.Ring(slots);
        }
        return half == Outbox.egressHalf(half >> 1) ? new FrameChannel.Local(slots) : null;
    }

    /** What comes towards a half: a channel of each worker, but of its own to an ingress half. */
    FrameChannel[] towards(int half) {
        List<FrameChannel> channels = new ArrayList<>();
        for (int worker = 0; worker < byWorkerAndHalf.length; worker++) {
            FrameChannel channel = byWorkerAndHalf[worker][half];
            if (channel != null) {
                channels.add(channel);
            }
        }
        return channels.toArray(new FrameChannel[0]);
    }

    /** Says that an ingress half is built: halves on its worker send its frames home themselves. */
    void built(int port, IngressHalf ingress) {
        int half = Outbox.ingressHalf(port);
        outboxOf(half).home(half, ingress.home());
    }

    /** Where a duty sends to. */
    Outbox outboxOf(int duty) {
        return outboxes[plan.workerOfDuty().get(duty)];
    }

    /** What one duty rings to reach another. */
    Doorbell doorbell(int fromDuty, int toDuty) {
        return host.doorbell(
                plan.workerOfDuty().get(fromDuty), plan.workerOfDuty().get(toDuty), toDuty);
    }

    /** What a thread that is no worker rings. */
    Doorbell doorbellFromOutside(int toDuty) {
        return host.doorbell(EngineHost.OUTSIDE, plan.workerOfDuty().get(toDuty), toDuty);
    }
}
