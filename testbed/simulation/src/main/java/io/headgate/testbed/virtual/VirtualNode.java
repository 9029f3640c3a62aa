package io.headgate.testbed.virtual;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Engine;
import io.headgate.testbed.virtual.link.LinkEnd;
import io.headgate.testbed.virtual.link.LinkPort;
import io.headgate.testbed.virtual.time.VirtualClock;
import org.jspecify.annotations.Nullable;

/** A switch or a host of a run: one engine and its place in the run's numbering. */
public abstract class VirtualNode {
    private final String name;
    private final int number;
    private final @Nullable LinkEnd[] ends;
    private final NodeHost host;

    VirtualNode(String name, int number, int ports, NodeHost host) {
        this.name = name;
        this.number = number;
        this.ends = new LinkEnd[ports];
        this.host = host;
    }

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

    /** The data of a port for its link. */
    final LinkPort linkPort(int port) {
        return new LinkPort(
                number,
                name,
                port,
                engine().ingress(port),
                engine().numbers().ingress(port),
                engine().egress(port),
                engine().numbers().egress(port),
                engine().region(),
                keepsFrames());
    }

    /**
     * Attaches a link's end to its port.
     *
     * @throws IllegalArgumentException if it already has a link
     */
    final void attach(LinkEnd end) {
        int port = end.port();
        if (ends[port] != null) {
            throw new IllegalArgumentException(
                    "port " + port + " of " + name + " has a link already");
        }
        ends[port] = end;
        engine().ingress(port).attach(end);
        engine().egress(port).attach(end);
    }

    /** Whether it may be in any part of the run; otherwise it must be in the first. */
    boolean isFree() {
        return true;
    }

    /** Called when the run starts: the node is in this part. */
    void join(int part, VirtualClock clock) {}

    /** Whether frames wait at a port whose link is down. */
    boolean keepsFrames() {
        return false;
    }

    /** The engine of the node. */
    public abstract Engine engine();

    /** The configuration of a port. */
    public abstract PortConfig config(int port);

    @Override
    public final String toString() {
        return name;
    }
}
