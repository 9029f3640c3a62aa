package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.counter.CounterDirectory;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A switch or a host of a run: one engine and its place in the run's numbering. */
public abstract sealed class VirtualNode permits SwitchNode, HostNode {
    private final VirtualRun run;
    private final String name;
    private final int number;
    private final int firstDuty;
    private final @Nullable LinkEnd[] ends;
    private final NodeHost engineHost;

    VirtualNode(VirtualRun run, String name, int number, int firstDuty, int ports) {
        this.run = run;
        this.name = name;
        this.number = number;
        this.firstDuty = firstDuty;
        this.ends = new LinkEnd[ports];
        this.engineHost = new NodeHost(run, firstDuty);
    }

    /** What the engine is built with. */
    final NodeHost engineHost() {
        return engineHost;
    }

    public final VirtualRun run() {
        return run;
    }

    public final String name() {
        return name;
    }

    /** Nodes are numbered from 0 as they are added. */
    public final int number() {
        return number;
    }

    final int firstDuty() {
        return firstDuty;
    }

    /** Ports, those without a link included. */
    public final int ports() {
        return ends.length;
    }

    /** The port's end of its link; null if it has none. */
    public final @Nullable LinkEnd end(int port) {
        return ends[port];
    }

    /** Rings a duty of this node, by its number in the node. */
    public final Doorbell doorbell(int duty) {
        return new DutyBell(run.duties(), firstDuty + duty);
    }

    final void attach(LinkEnd end) {
        int port = end.port();
        if (ends[port] != null) {
            throw new IllegalArgumentException(
                    "port " + port + " of " + name + " has a link already");
        }
        ends[port] = end;
        ingress(port).attach(end);
        egress(port).attach(end);
    }

    /** The engine's ports, also those that stand for the switch itself. */
    abstract int enginePorts();

    /** All duties, by number. */
    public abstract List<Duty> duties();

    public abstract IngressHalf ingress(int port);

    public abstract EgressHalf egress(int port);

    public abstract FrameRegion region();

    public abstract CounterDirectory counters();

    @Override
    public final String toString() {
        return name;
    }
}
