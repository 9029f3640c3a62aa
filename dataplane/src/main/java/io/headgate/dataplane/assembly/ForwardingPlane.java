package io.headgate.dataplane.assembly;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.memory.FrameRegion;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a switch that differ between a bridge and a router. Used while a switch is
 * assembled.
 */
interface ForwardingPlane {
    /** The VLANs of each port, the local port included. */
    VlanTable vlans();

    /**
     * The forwarding of one ingress half.
     *
     * @param owner rings the duty of {@link #owner}
     */
    Forwarding forwarding(int port, CounterBlock ingressCounters, Doorbell owner);

    /**
     * The device of the local port, which represents the switch itself; null if the switch has
     * neither an address nor services. Called once, after all forwardings.
     *
     * @param ingress rings the local port's ingress half
     */
    @Nullable LocalPortDevice localDevice(
            FrameRegion region, CounterBlock counters, Doorbell ingress);

    /** The only writer of the tables. Called once, after the local device. */
    Duty owner(CounterBlock counters, Doorbell localIngress);

    /** On the owner's worker: applies another configuration, with the same tables. */
    void change(SwitchConfig next);
}
