package io.headgate.testbed.virtual;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.NicEngine;
import io.headgate.dataplane.engine.NicSetup;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.List;

/**
 * A host: a network card, and behind its port {@link NicEngine#APP} whatever device stands for what
 * runs there. Its link is at port {@link NicEngine#WIRE}.
 */
public final class HostNode extends VirtualNode {
    private static final int PORTS = 2;

    private final NicEngine engine;

    HostNode(int number, NodeHost host, NicSetup setup) {
        super(setup.name(), number, PORTS, host);
        engine = new NicEngine(setup, host);
    }

    public NicEngine engine() {
        return engine;
    }

    /**
     * Puts what sends and receives on this host behind its card; once, before the run starts. It is
     * asked for frames when its deadline comes, when a slot has become free, and when it rings
     * {@link #appDoorbell}.
     */
    public void attachApp(PortDevice device) {
        engine.ingress(NicEngine.APP).attach(device);
        engine.egress(NicEngine.APP).attach(device);
    }

    /** Rung by the device behind the card when it has something to send before its deadline. */
    public Doorbell appDoorbell() {
        return doorbell(2 * NicEngine.APP);
    }

    @Override
    public List<Duty> duties() {
        return engine.duties();
    }

    @Override
    int enginePorts() {
        return PORTS;
    }

    @Override
    public IngressHalf ingress(int port) {
        return engine.ingress(port);
    }

    @Override
    public EgressHalf egress(int port) {
        return engine.egress(port);
    }

    @Override
    public PortConfig config(int port) {
        return engine.port(port);
    }

    @Override
    boolean keepsFrames() {
        return true;
    }

    @Override
    public FrameRegion region() {
        return engine.region();
    }

    @Override
    public CounterDirectory counters() {
        return engine.counters();
    }
}
