package io.headgate.dataplane.assembly;

import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.lldp.LldpAgent;

/** The owner of the tables, and beside it on the same worker what speaks with neighbours. */
final class OwnerAndLldp implements Duty {
    private final Duty owner;
    private final LldpAgent agent;

    OwnerAndLldp(Duty owner, LldpAgent agent) {
        this.owner = owner;
        this.agent = agent;
    }

    @Override
    public String name() {
        return owner.name();
    }

    @Override
    public int doWork(long nowNs) {
        return owner.doWork(nowNs) + agent.doWork(nowNs);
    }

    @Override
    public long deadlineNs() {
        return Math.min(owner.deadlineNs(), agent.deadlineNs());
    }

    @Override
    public void publish() {
        owner.publish();
    }
}
