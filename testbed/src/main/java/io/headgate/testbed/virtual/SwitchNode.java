package io.headgate.testbed.virtual;

import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.SwitchEngine;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.List;

/** A switch: the engine of the real one, on one worker. */
public final class SwitchNode extends VirtualNode {
    private final SwitchEngine engine;

    SwitchNode(int number, NodeHost host, SwitchConfig config) {
        super(config.name(), number, config.ports().size(), host);
        engine = new SwitchEngine(config, WorkerPlan.single(config.ports().size()), host);
    }

    public SwitchEngine engine() {
        return engine;
    }

    @Override
    public List<Duty> duties() {
        return engine.duties();
    }

    @Override
    int enginePorts() {
        return engine.ports();
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
        return engine.config().ports().get(port);
    }

    @Override
    boolean keepsFrames() {
        return false;
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
