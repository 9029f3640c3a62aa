package io.headgate.testbed.virtual;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.virtual.link.LinkEnd;
import io.headgate.testbed.virtual.link.LinkPort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A switch or a host of a run: one engine and its place in the run's numbering. */
public abstract class VirtualNode {
    private final String name;
    private final int number;
    private final @Nullable LinkEnd[] ends;
    private final NodeHost host;

    /** With an engine that is built on that host. */
    VirtualNode(String name, int number, int ports, NodeHost host) {
        this.name = name;
        this.number = number;
        this.ends = new LinkEnd[ports];
        this.host = host;
    }

    /** What the engine is built on. */
    final NodeHost engineHost() {
        return host;
    }

    public final String name() {
        return name;
    }

    /** Nodes are numbered from 0 as they are added. */
    public final int number() {
        return number;
    }

    final int firstDuty() {
        return host.firstDuty();
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
        return host.doorbell(duty);
    }

    /** A port, as a link is given it. */
    final LinkPort linkPort(int port) {
        int ingressDuty = firstDuty() + 2 * port;
        return new LinkPort(
                number,
                name,
                port,
                ingress(port),
                ingressDuty,
                egress(port),
                ingressDuty + 1,
                region(),
                keepsFrames());
    }

    /**
     * Puts a link's end to its port.
     *
     * @throws IllegalArgumentException if that has a link already
     */
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

    /** Whether frames wait at a port whose link is down. */
    abstract boolean keepsFrames();

    /** All duties, by number. */
    public abstract List<Duty> duties();

    public abstract IngressHalf ingress(int port);

    public abstract EgressHalf egress(int port);

    /** A port as it is configured. */
    public abstract PortConfig config(int port);

    public abstract FrameRegion region();

    public abstract CounterDirectory counters();

    @Override
    public final String toString() {
        return name;
    }
}
