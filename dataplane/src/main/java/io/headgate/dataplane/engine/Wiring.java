package io.headgate.dataplane.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the channels between workers and halves, and the outbox of each worker. The capacity of a
 * channel is the number of slots that can be in it: towards an egress half those of the sending
 * worker's ingress halves, towards an ingress half its own.
 */
final class Wiring {
    private final WorkerPlan plan;
    private final DutyNumbers numbers;
    private final EngineHost host;
    private final @Nullable FrameChannel[][] byWorkerAndHalf;
    private final FrameOutbox[] outboxes;

    Wiring(WorkerPlan plan, DutyNumbers numbers, EngineHost host, int[] slotsOfPorts) {
        int halves = 2 * slotsOfPorts.length;
        this.plan = plan;
        this.numbers = numbers;
        this.host = host;
        this.byWorkerAndHalf = new FrameChannel[plan.workers()][halves];
        this.outboxes = new FrameOutbox[plan.workers()];
        int[] received = new int[plan.workers()];
        boolean[] transmits = new boolean[plan.workers()];
        for (int port = 0; port < slotsOfPorts.length; port++) {
            received[workerOf(FrameOutbox.ingressHalf(port))] += slotsOfPorts[port];
            transmits[workerOf(FrameOutbox.egressHalf(port))] = true;
        }
        for (int worker = 0; worker < plan.workers(); worker++) {
            @Nullable FrameChannel[] channels = byWorkerAndHalf[worker];
            for (int port = 0; port < slotsOfPorts.length; port++) {
                int in = FrameOutbox.ingressHalf(port);
                int out = FrameOutbox.egressHalf(port);
                // Egress halves alone send frames home; those of this worker's ingress halves do so
                // without a channel.
                if (transmits[worker] && workerOf(in) != worker) {
                    channels[in] = new FrameChannel.Ring(slotsOfPorts[port]);
                }
                if (workerOf(out) == worker) {
                    channels[out] = new FrameChannel.Local(received[worker]);
                } else if (received[worker] > 0) {
                    channels[out] = new FrameChannel.Ring(received[worker]);
                }
            }
            Doorbell[] doorbells = new Doorbell[halves];
            for (int half = 0; half < halves; half++) {
                doorbells[half] = host.doorbell(worker, workerOf(half), numbers.ofHalf(half));
            }
            outboxes[worker] = new FrameOutbox(channels, doorbells);
        }
    }

    private int workerOf(int half) {
        return worker(numbers.ofHalf(half));
    }

    /** The channels towards a half: one from each worker that sends to it by a channel. */
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

    /**
     * Registers a built ingress half: halves on its worker send its frames home without a channel.
     */
    void built(int port, IngressHalf ingress) {
        int half = FrameOutbox.ingressHalf(port);
        outboxOf(half).home(half, ingress.home());
    }

    FrameOutbox outboxOf(int half) {
        return outboxes[workerOf(half)];
    }

    /** The doorbell by which one duty reaches another. */
    Doorbell doorbell(int fromDuty, int toDuty) {
        return host.doorbell(worker(fromDuty), worker(toDuty), toDuty);
    }

    int worker(int duty) {
        return plan.workerOfDuty().get(duty);
    }

    /** The doorbell by which threads other than workers reach a half. */
    Doorbell doorbellFromOutside(int half) {
        return host.doorbell(EngineHost.OUTSIDE, workerOf(half), numbers.ofHalf(half));
    }
}
