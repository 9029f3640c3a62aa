package io.headgate.dataplane.assembly;

import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.lldp.LldpAgent;

/**
 * The owner of the tables, and beside it on the same worker what speaks with neighbours. Should the
 * latter fail, it rests alone: tables go on.
 */
final class OwnerAndLldp implements Duty {
    private final Duty owner;
    private final RestingDuty agent;
    private Duty failed = this;

    OwnerAndLldp(Duty owner, LldpAgent agent) {
        this.owner = owner;
        this.agent = new RestingDuty(agent);
    }

    @Override
    public String name() {
        return owner.name();
    }

    @Override
    public int doWork(long nowNs) {
        failed = this;
        int work = owner.doWork(nowNs);
        try {
            return work + agent.doWork(nowNs);
        } catch (RuntimeException | Error e) {
            failed = agent.whatFailed();
            throw e;
        }
    }

    @Override
    public Duty whatFailed() {
        return failed;
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
