package io.headgate.testbed.virtual;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.ArrayList;
import java.util.List;

/**
 * The smallest network: hosts {@code h0}, {@code h1}, ... on one bridging switch {@code s}, which
 * knows their addresses. What is behind the hosts' cards is still to be attached.
 */
public final class Star {
    private static final long FIRST_MAC = 0x0200_0000_0000L;
    private static final int SLOT_BYTES = 512;
    private static final int SLOTS_PER_PORT = 1024;
    private static final int VLAN = 1;

    private final SwitchNode switchNode;
    private final List<HostNode> hosts = new ArrayList<>();
    private final List<VirtualLink> links = new ArrayList<>();

    /**
     * Adds the network to a run.
     *
     * @param setup of every link; hosts and switch have its rate
     */
    public Star(VirtualRun run, int hostCount, LinkSpec setup) {
        this(run, hostCount, setup, PortTraffic.End.PLAIN);
    }

    /**
     * Adds the network to a run.
     *
     * @param setup of every link; hosts and switch have its rate
     * @param end what both ends of every link do about priorities and flow control
     */
    public Star(VirtualRun run, int hostCount, LinkSpec setup, PortTraffic.End end) {
        List<PortConfig> ports = new ArrayList<>();
        List<BridgeConfig.StaticEntry> entries = new ArrayList<>();
        for (int host = 0; host < hostCount; host++) {
            ports.add(port("p" + host, setup.rateBps(), end));
            entries.add(new BridgeConfig.StaticEntry(mac(host), VLAN, "p" + host));
        }
        switchNode = run.addSwitch(bridge("s", ports, entries, SLOTS_PER_PORT + end.slots()));
        for (int host = 0; host < hostCount; host++) {
            HostNode node = run.addHost(CardSetup.of("h" + host, setup.rateBps()).withWire(end));
            hosts.add(node);
            links.add(run.connect(node, HostCard.WIRE, switchNode, host, setup));
        }
    }

    static PortConfig port(String name, long rateBps, PortTraffic.End end) {
        return ConfigDefaults.port(name, new DeviceConfig.Virtual(name))
                .withRateBps(rateBps)
                .withAccountCapBytes(Long.MAX_VALUE)
                .withAccountCapSlots(SLOTS_PER_PORT - ConfigDefaults.COPY_BURST_SLOTS)
                .withTraffic(end.traffic())
                .withFlowControl(end.flowControl())
                .withMechanisms(end.mechanisms());
    }

    static SwitchConfig bridge(
            String name,
            List<PortConfig> ports,
            List<BridgeConfig.StaticEntry> entries,
            int slotsPerPort) {
        return ConfigDefaults.bridge(name, ports)
                .withBridge(ConfigDefaults.BRIDGE.withStaticEntries(entries))
                .withMemory(
                        new MemoryConfig(
                                SLOT_BYTES,
                                slotsPerPort,
                                MemoryConfig.SlotReuse.LIFO,
                                0,
                                MemoryConfig.Payload.ELIDED));
    }

    /** The MAC address of a host. */
    public static long mac(int host) {
        return FIRST_MAC + host;
    }

    public SwitchNode switchNode() {
        return switchNode;
    }

    public HostNode host(int number) {
        return hosts.get(number);
    }

    /** A host's link; its end 0 is the host. */
    public VirtualLink link(int host) {
        return links.get(host);
    }
}
