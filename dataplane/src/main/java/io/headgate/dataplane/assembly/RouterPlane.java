package io.headgate.dataplane.assembly;

import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PortRegistry;
import io.headgate.dataplane.forwarding.DirectedForwarding;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.ListeningForwarding;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.forwarding.RouteTable;
import io.headgate.dataplane.forwarding.RoutedForwarding;
import io.headgate.dataplane.forwarding.Router;
import io.headgate.dataplane.forwarding.Routes;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.local.Neighbours;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.service.Services;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The forwarding of a router, by longest prefix; ports carry untagged frames only. */
final class RouterPlane implements ForwardingPlane {
    private static final int VLAN = 1;

    private final SwitchConfig config;
    private final int localPort;
    private final VlanTable vlans;
    private final SwitchAddresses addresses;
    private final Routes routes;
    private final NeighbourTable neighbours;
    private final PortRegistry registry;
    private final int[] mtuBytes;
    private final int[] grownMtuBytes;
    private List<RoutedConfig.Route> routed;
    private @Nullable LocalPortDevice device;

    RouterPlane(SwitchConfig config, List<PortConfig> ports, PortRegistry registry) {
        this.config = config;
        this.localPort = ports.size() - 1;
        this.vlans = new VlanTable(ports.stream().map(port -> VlanConfig.DEFAULT).toList());
        this.addresses = SwitchAddresses.of(config);
        this.routes = new Routes(RouteTable.of(config));
        this.routed = config.routed().routes();
        this.neighbours = new NeighbourTable(config.routed().neighbourEntries());
        addStaticNeighbours();
        this.registry = registry;
        this.mtuBytes = ports.stream().mapToInt(PortConfig::mtuBytes).toArray();
        this.grownMtuBytes = ports.stream().mapToInt(PortConfig::grownMtuBytes).toArray();
    }

    private void addStaticNeighbours() {
        for (RoutedConfig.StaticNeighbour neighbour : config.routed().neighbours()) {
            InetAddress address = neighbour.address();
            int slot =
                    neighbours.add(
                            RouteTable.portTowards(config, address),
                            IpAddress.high(address),
                            IpAddress.low(address));
            if (slot < 0) {
                throw new IllegalArgumentException("more static neighbours than the table holds");
            }
            neighbours.setMac(slot, neighbour.mac());
        }
    }

    private Router router(int port) {
        return new Router(
                routes,
                neighbours,
                addresses,
                registry::isUp,
                mtuBytes,
                grownMtuBytes,
                config.routed().paths(),
                config.seed(),
                port);
    }

    @Override
    public VlanTable vlans() {
        return vlans;
    }

    @Override
    public Forwarding forwarding(int port, CounterBlock ingressCounters, Doorbell owner) {
        if (port == localPort) {
            return new DirectedForwarding(VLAN);
        }
        Forwarding routed = new RoutedForwarding(port, localPort, vlans, addresses, router(port));
        return ListeningForwarding.ofRouter(
                routed, Services.listenings(config), localPort, addresses.mac(port));
    }

    @Override
    public LocalPortDevice localDevice(
            FrameRegion region, CounterBlock counters, Doorbell ingress) {
        LocalPortDevice created =
                new LocalPortDevice(
                        region,
                        addresses,
                        counters,
                        () -> ingress.ring(Doorbell.DEVICE),
                        new LocalPortDevice.RouterTables(
                                router(localPort),
                                routes.table(),
                                neighbours,
                                config.routed().neighbourTimeoutNs()));
        device = created;
        return created;
    }

    @Override
    public Duty owner(CounterBlock counters, Doorbell localIngress) {
        LocalPortDevice local = device;
        Neighbours asked = local == null ? null : local.neighbours();
        if (local == null || asked == null) {
            throw new IllegalStateException("the owner needs the local device");
        }
        return new NeighbourOwner(local, asked, localIngress);
    }

    @Override
    public void change(SwitchConfig next) {
        boolean isRerouted = !next.routed().routes().equals(routed);
        if (isRerouted) {
            routed = next.routed().routes();
            routes.replace(RouteTable.of(next));
        }
        Neighbours asked = device == null ? null : device.neighbours();
        if (asked != null) {
            if (isRerouted) {
                asked.nextHops(routes.table());
            }
            asked.timeout(next.routed().neighbourTimeoutNs());
        }
    }

    NeighbourTable neighbours() {
        return neighbours;
    }
}
