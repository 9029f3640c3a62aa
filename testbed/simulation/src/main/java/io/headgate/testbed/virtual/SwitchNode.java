package io.headgate.testbed.virtual;

import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.assembly.SwitchEngine;

/** A switch of a run: the real switch's engine, on one worker unless halves are interleaved. */
public final class SwitchNode extends VirtualNode {
    private final SwitchEngine engine;

    SwitchNode(int number, NodeHost host, SwitchConfig config) {
        super(config.name(), number, config.ports().size(), host);
        engine = new SwitchEngine(config, host.plan(config), host);
    }

    /**
     * Changes the switch's configuration, by orders that its halves carry out in this instant.
     * Called from a timer.
     *
     * @throws IllegalArgumentException in one sentence, if it cannot
     */
    public void change(long nowNs, SwitchConfig next) {
        SwitchEngine.Change change = engine.prepare(engine.config(), next);
        for (int port : change.ports()) {
            if (!engine.ingress(port).order(change.ingress(port))
                    || !engine.egress(port).order(change.egress(port, () -> nowNs))) {
                throw new IllegalStateException(name() + ": too many orders in one instant");
            }
        }
        engine.inForce(next);
    }

    @Override
    public SwitchEngine engine() {
        return engine;
    }

    @Override
    public PortConfig config(int port) {
        return engine.config().ports().get(port);
    }
}
