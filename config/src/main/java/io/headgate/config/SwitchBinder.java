package io.headgate.config;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of a tree that the schema has seen. What the schema found bad is passed over with
 * its default, so that the rest can still be looked at; the result is only used if there was no
 * problem at all.
 */
final class SwitchBinder {
    private static final InetAddress NO_ADDRESS =
            Objects.requireNonNull(Addresses.address("0.0.0.0"));

    static final DeviceConfig NO_DEVICE = new DeviceConfig.Memory("");

    private final YamlConfig yaml;

    /** For each port, whether it came through unharmed. */
    private final Map<Integer, Boolean> harmedPorts = new HashMap<>();

    SwitchBinder(YamlConfig yaml) {
        this.yaml = yaml;
    }

    SwitchConfig bind() {
        MemoryConfig memory = memory();
        return new SwitchConfig(
                yaml.text("/name", ""),
                yaml.choice("/mode", SwitchConfig.Mode.BRIDGE),
                yaml.has("/address") ? interfaceAddress("/address") : null,
                ports(memory),
                bridge(),
                routed(),
                memory,
                workers(),
                yaml.integer("/seed", ConfigDefaults.SEED));
    }

    /** Whether a port has a name and a device that further checks can build on. */
    boolean isSound(int port) {
        return !harmedPorts.getOrDefault(port, false);
    }

    // ---- sections

    private List<PortConfig> ports(MemoryConfig memory) {
        List<PortConfig> ports = new ArrayList<>();
        for (int i = 0; i < yaml.items("/ports"); i++) {
            ports.add(port(Pointer.child("/ports", i), i, memory));
        }
        return ports;
    }

    private PortConfig port(String at, int index, MemoryConfig memory) {
        DeviceConfig device = yaml.has(at + "/device") ? device(at + "/device") : NO_DEVICE;
        if (device.equals(NO_DEVICE) || !yaml.has(at + "/name")) {
            harmedPorts.put(index, true);
        }
        int mtuBytes = yaml.count(setting(at, "mtu"), ConfigDefaults.MTU_BYTES);
        long rateBps = yaml.quantity(setting(at, "rate"), Quantity.RATE, ConfigDefaults.RATE_BPS);
        TrafficBinder trafficBinder = new TrafficBinder(yaml, at, rateBps, mtuBytes);
        TrafficConfig traffic = trafficBinder.traffic();
        int ringSlots = ConfigDefaults.ringSlots(device);
        FlowControlConfig flowControl =
                trafficBinder.flowControl(traffic, memory.slotsPerPort() - ringSlots);
        int promised = trafficBinder.slotsFor(flowControl, traffic.lossless().size());
        int capSlots =
                yaml.count(
                        setting(at, "account-cap-slots"),
                        ConfigDefaults.accountCapSlots(
                                memory.slotsPerPort() - ringSlots - promised,
                                ConfigDefaults.ACCOUNTS - traffic.lossless().size()));
        long capBytes = (long) capSlots * ConfigDefaults.maxFrameBytes(mtuBytes);
        String vlanAt = setting(at, "vlan");
        return new PortConfig(
                yaml.text(at + "/name", ""),
                device,
                rateBps,
                mtuBytes,
                yaml.has(vlanAt) ? vlan(vlanAt) : PortConfig.VlanConfig.DEFAULT,
                yaml.quantity(
                        setting(at, "queue-limit"),
                        Quantity.SIZE,
                        ConfigDefaults.QUEUE_LIMIT_BYTES),
                yaml.quantity(setting(at, "account-cap"), Quantity.SIZE, capBytes),
                capSlots,
                yaml.oneOrMore(at + "/addresses", this::interfaceAddress),
                traffic,
                flowControl);
    }

    /** Where a port's setting stands: at the port, else in the defaults of all ports. */
    String setting(String at, String key) {
        return setting(yaml, at, key);
    }

    static String setting(YamlConfig yaml, String at, String key) {
        String own = Pointer.child(at, key);
        String common = Pointer.child("/defaults", key);
        return !yaml.isGiven(own) && yaml.isGiven(common) ? common : own;
    }

    private PortConfig.VlanConfig vlan(String at) {
        if (yaml.node(at) instanceof YamlNode.Scalar) {
            return new PortConfig.VlanConfig(
                    PortConfig.VlanConfig.Mode.ACCESS, yaml.count(at, 1), List.of());
        }
        String nativeAt = at + "/native";
        Integer nativeVlan =
                yaml.has(nativeAt) && yaml.scalar(nativeAt) instanceof BigInteger number
                        ? Integer.valueOf(number.intValue())
                        : null;
        TreeSet<Integer> allowed = new TreeSet<>();
        for (int i = 0; i < yaml.items(at + "/trunk"); i++) {
            trunkItem(Pointer.child(at + "/trunk", i), allowed);
        }
        return new PortConfig.VlanConfig(
                PortConfig.VlanConfig.Mode.TRUNK, nativeVlan, List.copyOf(allowed));
    }

    private void trunkItem(String at, Set<Integer> allowed) {
        if (!yaml.has(at)) {
            return;
        }
        int first;
        int last;
        if (yaml.scalar(at) instanceof String range) {
            int dash = range.indexOf('-');
            first = Integer.parseInt(range.substring(0, dash));
            last = Integer.parseInt(range.substring(dash + 1));
            if (first < 1 || last > 4094 || first > last) {
                yaml.refuse(at);
                return;
            }
        } else {
            first = yaml.count(at, 1);
            last = first;
        }
        for (int vlan = first; vlan <= last; vlan++) {
            if (!allowed.add(vlan)) {
                yaml.refuse(at, "VLAN " + vlan + " a second time", "each VLAN once");
                return;
            }
        }
    }

    DeviceConfig device(String at) {
        if (!(yaml.node(at) instanceof YamlNode.Mapping mapping)) {
            return NO_DEVICE;
        }
        String kind = mapping.entries().keySet().iterator().next();
        String deviceAt = Pointer.child(at, kind);
        if (!yaml.has(deviceAt)) {
            return NO_DEVICE;
        }
        return switch (kind) {
            case "afpacket", "afxdp", "tap", "pcap" -> interfaceDevice(kind, deviceAt);
            case "pcap-file" -> pcapFile(deviceAt);
            case "vxlan" -> vxlan(deviceAt);
            case "memory" -> new DeviceConfig.Memory(yaml.text(deviceAt, ""));
            case "virtual" -> new DeviceConfig.Virtual(yaml.text(deviceAt, ""));
            default -> NO_DEVICE;
        };
    }

    /** A TAP that stands by itself; no {@link DeviceConfig.Tap} where it is not usable. */
    DeviceConfig tap(String at) {
        return interfaceDevice("tap", at);
    }

    private DeviceConfig interfaceDevice(String kind, String at) {
        boolean isShort = yaml.node(at) instanceof YamlNode.Scalar;
        String interfaceAt = isShort ? at : at + "/interface";
        if (!yaml.has(interfaceAt)) {
            return NO_DEVICE;
        }
        String name = yaml.text(interfaceAt, "");
        String netns = netns(at);
        String ringAt = at + "/ring";
        return switch (kind) {
            case "afpacket" ->
                    new DeviceConfig.AfPacket(
                            name, netns, yaml.count(ringAt, ConfigDefaults.AF_PACKET_RING_FRAMES));
            case "afxdp" ->
                    new DeviceConfig.AfXdp(
                            name,
                            netns,
                            yaml.count(at + "/queue", 0),
                            yaml.choice(at + "/mode", DeviceConfig.XdpMode.AUTO),
                            yaml.count(ringAt, ConfigDefaults.AF_XDP_RING_FRAMES));
            case "tap" -> new DeviceConfig.Tap(name, netns, yaml.flag(at + "/create", true));
            default -> new DeviceConfig.PcapLive(name, netns);
        };
    }

    private @Nullable String netns(String at) {
        return yaml.has(at + "/netns") ? yaml.text(at + "/netns", "") : null;
    }

    private DeviceConfig pcapFile(String at) {
        Path input = yaml.has(at + "/input") ? yaml.path(at + "/input") : null;
        Path output = yaml.has(at + "/output") ? yaml.path(at + "/output") : null;
        if (input == null && output == null && yaml.isSound()) {
            yaml.refuse(at, "neither input nor output", yaml.allowedAt(at));
        }
        return new DeviceConfig.PcapFile(
                input, output, yaml.choice(at + "/timing", DeviceConfig.PcapFile.Timing.RECORDED));
    }

    private DeviceConfig vxlan(String at) {
        InetSocketAddress local = endpoint(at + "/local");
        InetSocketAddress remote = endpoint(at + "/remote");
        if (local == null || remote == null || !yaml.has(at + "/vni")) {
            return NO_DEVICE;
        }
        return new DeviceConfig.Vxlan(local, remote, yaml.count(at + "/vni", 1), netns(at));
    }

    private @Nullable InetSocketAddress endpoint(String at) {
        if (!yaml.has(at)) {
            return null;
        }
        InetSocketAddress endpoint = Addresses.endpoint(yaml.text(at, ""));
        if (endpoint == null) {
            yaml.refuse(at);
        }
        return endpoint;
    }

    private BridgeConfig bridge() {
        BridgeConfig defaults = ConfigDefaults.BRIDGE;
        List<BridgeConfig.StaticEntry> entries = new ArrayList<>();
        for (int i = 0; i < yaml.items("/bridge/static"); i++) {
            String at = Pointer.child("/bridge/static", i);
            entries.add(
                    new BridgeConfig.StaticEntry(
                            mac(at + "/mac"),
                            yaml.count(at + "/vlan", 1),
                            yaml.text(at + "/port", "")));
        }
        return new BridgeConfig(
                yaml.quantity("/bridge/ageing", Quantity.DURATION, defaults.ageingNs()),
                yaml.count("/bridge/fdb-entries", defaults.fdbEntries()),
                yaml.quantity(
                        "/bridge/flood-limit", Quantity.FREQUENCY, defaults.floodFramesPerSec()),
                Math.toIntExact(
                        yaml.quantity(
                                "/bridge/move-limit",
                                Quantity.FREQUENCY,
                                defaults.moveLimitPerSec())),
                entries);
    }

    private RoutedConfig routed() {
        List<RoutedConfig.Route> routes = new ArrayList<>();
        for (int i = 0; i < yaml.items("/routed/routes"); i++) {
            String at = Pointer.child("/routed/routes", i);
            InterfaceAddress prefix =
                    yaml.has(at + "/prefix")
                            ? interfaceAddress(at + "/prefix")
                            : new InterfaceAddress(NO_ADDRESS, 0);
            routes.add(new RoutedConfig.Route(prefix, yaml.oneOrMore(at + "/via", this::address)));
        }
        RoutedConfig defaults = ConfigDefaults.ROUTED;
        return new RoutedConfig(
                routes,
                yaml.quantity(
                        "/routed/neighbour-timeout",
                        Quantity.DURATION,
                        defaults.neighbourTimeoutNs()),
                yaml.count("/routed/neighbour-entries", defaults.neighbourEntries()),
                neighbours());
    }

    private List<RoutedConfig.StaticNeighbour> neighbours() {
        List<RoutedConfig.StaticNeighbour> neighbours = new ArrayList<>();
        for (int i = 0; i < yaml.items("/routed/neighbours"); i++) {
            String at = Pointer.child("/routed/neighbours", i);
            InetAddress address = yaml.has(at + "/address") ? address(at + "/address") : NO_ADDRESS;
            neighbours.add(new RoutedConfig.StaticNeighbour(address, mac(at + "/mac")));
        }
        return neighbours;
    }

    /** A MAC address; -1 where there is none that can be used. */
    private long mac(String at) {
        return yaml.has(at) ? Addresses.mac(yaml.text(at, "")) : -1;
    }

    private MemoryConfig memory() {
        MemoryConfig defaults = ConfigDefaults.MEMORY;
        return new MemoryConfig(
                Math.toIntExact(yaml.quantity("/memory/slot", Quantity.SIZE, defaults.slotBytes())),
                yaml.count("/memory/slots-per-port", coveringSlots()),
                yaml.choice("/memory/reuse", defaults.slotReuse()),
                yaml.choice("/memory/payload", defaults.payload()));
    }

    /** The default number of slots: 4,096, or the next power of two that covers the given caps. */
    private int coveringSlots() {
        int slots = ConfigDefaults.SLOTS_PER_PORT;
        for (int i = 0; i < yaml.items("/ports"); i++) {
            String at = Pointer.child("/ports", i);
            int cap = yaml.count(setting(at, "account-cap-slots"), 0);
            DeviceConfig device =
                    yaml.has(at + "/device/afxdp")
                            ? interfaceDevice("afxdp", at + "/device/afxdp")
                            : NO_DEVICE;
            TrafficBinder traffic =
                    new TrafficBinder(
                            yaml,
                            at,
                            yaml.quantity(
                                    setting(at, "rate"), Quantity.RATE, ConfigDefaults.RATE_BPS),
                            yaml.count(setting(at, "mtu"), ConfigDefaults.MTU_BYTES));
            int lossless = traffic.lossless().size();
            // With no cap given the default one adapts to the slots; the ring must leave some.
            long needed =
                    (long) (ConfigDefaults.ACCOUNTS - lossless) * Math.max(cap, 64)
                            + ConfigDefaults.ringSlots(device)
                            + traffic.neededSlots();
            while (slots < needed && slots < 1 << 20) {
                slots *= 2;
            }
        }
        return slots;
    }

    WorkerConfig workers() {
        WorkerConfig defaults = ConfigDefaults.WORKERS;
        boolean isCount =
                yaml.has("/workers/layout") && yaml.scalar("/workers/layout") instanceof BigInteger;
        List<Integer> cores = new ArrayList<>();
        for (int i = 0; i < yaml.items("/workers/cores"); i++) {
            cores.add(yaml.count(Pointer.child("/workers/cores", i), 0));
        }
        return new WorkerConfig(
                isCount
                        ? WorkerConfig.Layout.COUNT
                        : yaml.choice("/workers/layout", defaults.layout()),
                isCount ? yaml.count("/workers/layout", 1) : defaults.count(),
                yaml.choice("/workers/idle", defaults.idle()),
                cores,
                yaml.quantity(
                        "/workers/stall-threshold",
                        Quantity.DURATION,
                        defaults.stallThresholdNs()));
    }

    // ---- values

    private InterfaceAddress interfaceAddress(String at) {
        InterfaceAddress address = Addresses.withPrefix(yaml.text(at, ""));
        if (address == null) {
            yaml.refuse(at);
            return new InterfaceAddress(NO_ADDRESS, 0);
        }
        return address;
    }

    private InetAddress address(String at) {
        InetAddress address = Addresses.address(yaml.text(at, ""));
        if (address == null) {
            yaml.refuse(at);
            return NO_ADDRESS;
        }
        return address;
    }
}
