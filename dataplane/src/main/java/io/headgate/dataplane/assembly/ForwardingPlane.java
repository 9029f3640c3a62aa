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

/** What differs between a bridge and a router. Used while a switch is assembled. */
interface ForwardingPlane {
    /** Which port carries which VLAN, the local port included. */
    VlanTable vlans();

    /**
     * The decision of one ingress half.
     *
     * @param owner rings the duty of {@link #owner}
     */
    Forwarding forwarding(int port, CounterBlock ingressCounters, Doorbell owner);

    /**
     * The switch itself; null if it has neither an address nor services. Asked for once, after all
     * forwardings.
     *
     * @param ingress rings the local port's ingress half
     */
    @Nullable LocalPortDevice localDevice(
            FrameRegion region, CounterBlock counters, Doorbell ingress);

    /** The one writer of the tables. Asked for once, after the local device. */
    Duty owner(CounterBlock counters, Doorbell localIngress);

    /** On the owner's worker: does as another configuration says, with tables as they are. */
    void change(SwitchConfig next);
}
