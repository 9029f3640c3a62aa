package io.headgate.dataplane.assembly;

import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.local.Neighbours;

/**
 * Runs the timers of a router's neighbours. Runs on the local port's worker and shares its device.
 */
final class NeighbourOwner implements Duty {
    private final LocalPortDevice device;
    private final Neighbours neighbours;
    private final Doorbell localIngress;

    NeighbourOwner(LocalPortDevice device, Neighbours neighbours, Doorbell localIngress) {
        this.device = device;
        this.neighbours = neighbours;
        this.localIngress = localIngress;
    }

    @Override
    public String name() {
        return "neighbours";
    }

    @Override
    public int doWork(long nowNs) {
        int work = neighbours.doWork(nowNs);
        if (work > 0 && device.hasLeaving()) {
            localIngress.ring(Doorbell.DEVICE);
        }
        return work;
    }

    @Override
    public long deadlineNs() {
        return neighbours.deadlineNs();
    }
}
