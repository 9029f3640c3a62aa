package io.headgate.dataplane.engine;

/** The channels between workers and halves, and the outbox of each worker. */
final class Wiring {
    private final WorkerPlan plan;
    private final EngineHost host;
    private final FrameChannel[][] byWorkerAndHalf;
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
                byWorkerAndHalf[worker][half] =
                        toWorker == worker
                                ? new FrameChannel.Local(slots)
                                : new FrameChannel.Ring(slots);
                doorbells[half] = host.doorbell(worker, toWorker, half);
            }
            outboxes[worker] = new Outbox(byWorkerAndHalf[worker], doorbells);
        }
    }

    /** What comes towards a half, one channel a worker. */
    FrameChannel[] towards(int half) {
        FrameChannel[] channels = new FrameChannel[byWorkerAndHalf.length];
        for (int worker = 0; worker < channels.length; worker++) {
            channels[worker] = byWorkerAndHalf[worker][half];
        }
        return channels;
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
