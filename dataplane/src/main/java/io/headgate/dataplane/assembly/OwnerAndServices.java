package io.headgate.dataplane.assembly;

import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.service.Services;

/** A duty that runs the owner of the tables and the services of the switch, on the same worker. */
final class OwnerAndServices implements Duty {
    private final Duty owner;
    private final Services services;

    OwnerAndServices(Duty owner, Services services) {
        this.owner = owner;
        this.services = services;
    }

    @Override
    public String name() {
        return owner.name();
    }

    @Override
    public int doWork(long nowNs) {
        return owner.doWork(nowNs) + services.doWork(nowNs);
    }

    @Override
    public long deadlineNs() {
        return Math.min(owner.deadlineNs(), services.deadlineNs());
    }

    @Override
    public void publish() {
        owner.publish();
    }
}
