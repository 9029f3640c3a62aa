package io.headgate.dataplane.assembly;

import io.headgate.config.BridgeConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PortRegistry;
import io.headgate.dataplane.forwarding.BridgeForwarding;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.ForwardingDatabase;
import io.headgate.dataplane.forwarding.Listening;
import io.headgate.dataplane.forwarding.ListeningForwarding;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.forwarding.SwitchForwarding;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.service.Services;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forwarding of a bridge, by learned MAC addresses; the bridge's own address is a static entry
 * of the table.
 */
final class BridgePlane implements ForwardingPlane {
    private final SwitchConfig config;
    private final List<Listening> listenings;
    private final int localPort;
    private final VlanTable vlans;
    private final ForwardingDatabase database;
    private final PortRegistry registry;
    private final LearnRequests[] learning;
    private @Nullable ForwardingOwner owner;

    /**
     * @param ports all ports, the local port last
     */
    BridgePlane(
            SwitchConfig config,
            List<PortConfig> ports,
            ForwardingDatabase database,
            PortRegistry registry) {
        this.config = config;
        this.listenings = Services.listenings(config);
        this.localPort = ports.size() - 1;
        this.vlans = new VlanTable(ports.stream().map(PortConfig::vlan).toList());
        this.database = database;
        this.registry = registry;
        this.learning = new LearnRequests[ports.size()];
        addStaticEntries(ports);
    }

    private void addStaticEntries(List<PortConfig> ports) {
        for (BridgeConfig.StaticEntry entry : config.bridge().staticEntries()) {
            add(entry.vlan(), entry.mac(), portNumber(ports, entry.port()));
        }
        Integer vlan = ports.getLast().vlan().nativeVlan();
        boolean isAddressed =
                config.address() != null
                        || listenings.stream().anyMatch(each -> !each.isReserved());
        if (isAddressed && vlan != null) {
            add(vlan, SwitchAddresses.mac(config.name(), -1), localPort);
        }
    }

    private static int portNumber(List<PortConfig> ports, String name) {
        return ports.stream().map(PortConfig::name).toList().indexOf(name);
    }

    private void add(int vlan, long mac, int port) {
        if (!database.put(ForwardingDatabase.key(vlan, mac), port, true, 0)) {
            throw new IllegalArgumentException("more static entries than the table holds");
        }
    }

    @Override
    public VlanTable vlans() {
        return vlans;
    }

    @Override
    public Forwarding forwarding(int port, CounterBlock ingressCounters, Doorbell owner) {
        LearnRequests requests = new LearnRequests(ingressCounters, owner);
        learning[port] = requests;
        Forwarding bridge =
                new BridgeForwarding(port, vlans, database, requests, config.bridge().ageingNs());
        if (port == localPort) {
            return new SwitchForwarding(bridge, vlans);
        }
        return ListeningForwarding.ofBridge(bridge, listenings, localPort);
    }

    @Override
    public @Nullable LocalPortDevice localDevice(
            FrameRegion region, CounterBlock counters, Doorbell ingress) {
        if (config.address() == null && Services.counters(config).isEmpty()) {
            return null;
        }
        return new LocalPortDevice(
                region,
                SwitchAddresses.of(config),
                counters,
                () -> ingress.ring(Doorbell.DEVICE),
                null);
    }

    @Override
    public Duty owner(CounterBlock counters, Doorbell localIngress) {
        ForwardingOwner created =
                new ForwardingOwner(database, learning, registry, counters, config.bridge());
        owner = created;
        return created;
    }

    @Override
    public void change(SwitchConfig next) {
        if (owner != null) {
            owner.change(next.bridge());
        }
    }
}
