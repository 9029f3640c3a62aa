package io.headgate.testbed.virtual;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.traffic.TrafficDevice;
import io.headgate.testbed.virtual.time.VirtualClock;
import org.jspecify.annotations.Nullable;

/**
 * A host of a run: a network card, with its link at port {@link HostCard#WIRE}, and at port {@link
 * HostCard#APP} a device that represents the host's applications.
 */
public final class HostNode extends VirtualNode {
    private final HostCard engine;
    private @Nullable TrafficDevice traffic;

    HostNode(int number, NodeHost host, CardSetup setup) {
        super(setup.name(), number, HostCard.PORTS, host);
        engine = new HostCard(setup, host);
    }

    @Override
    public HostCard engine() {
        return engine;
    }

    /**
     * Attaches the device that sends and receives for this host's applications; once, before the
     * run starts. The card polls it for frames at its deadline, when a slot has become free, and
     * when it rings {@link #appDoorbell}.
     */
    public void attachApp(PortDevice device) {
        engine.ingress(HostCard.APP).attach(device);
        engine.egress(HostCard.APP).attach(device);
    }

    /** As {@link #attachApp}; any thread of the run may call it. */
    void attachTraffic(TrafficDevice device) {
        attachApp(device);
        traffic = device;
    }

    @Override
    boolean isFree() {
        return traffic != null && !traffic.needsOneThread();
    }

    @Override
    void join(int part, VirtualClock clock) {
        if (traffic != null) {
            traffic.join(part, clock::ps);
        }
    }

    /** Rung by the device behind the card when it has something to send before its deadline. */
    public Doorbell appDoorbell() {
        return doorbell(engine.numbers().ingress(HostCard.APP));
    }

    @Override
    public PortConfig config(int port) {
        return engine.port(port);
    }

    @Override
    boolean keepsFrames() {
        return true;
    }
}
