package io.headgate.config;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of a tree that the schema has seen. What the schema found bad is passed over with
 * its default, so that the rest can still be looked at; the result is only used if there was no
 * problem at all.
 */
final class SwitchBinder {
    private static final InetAddress NO_ADDRESS =
            Objects.requireNonNull(Addresses.address("0.0.0.0"));

    private static final DeviceConfig NO_DEVICE = new DeviceConfig.Memory("");

    private final YamlNode.Mapping root;
    private final Set<String> bad;
    private final ConfigSchema schema;
    private final Problems problems;
    private final @Nullable Path directory;

    /** For each port, whether it came through unharmed. */
    private final Map<Integer, Boolean> harmedPorts = new HashMap<>();

    SwitchBinder(
            YamlNode.Mapping root,
            Set<String> bad,
            ConfigSchema schema,
            Problems problems,
            @Nullable Path directory) {
        this.root = root;
        this.bad = bad;
        this.schema = schema;
        this.problems = problems;
        this.directory = directory;
    }

    SwitchConfig bind() {
        MemoryConfig memory = memory();
        return new SwitchConfig(
                text("/name", ""),
                choice("/mode", SwitchConfig.Mode.BRIDGE),
                has("/address") ? interfaceAddress("/address") : null,
                ports(memory),
                bridge(),
                routed(),
                memory,
                workers(),
                has("/seed") ? integer("/seed").longValue() : ConfigDefaults.SEED);
    }

    /** Whether a port has a name and a device that further checks can build on. */
    boolean isSound(int port) {
        return !harmedPorts.getOrDefault(port, false);
    }

    // ---- sections

    private List<PortConfig> ports(MemoryConfig memory) {
        List<PortConfig> ports = new ArrayList<>();
        for (int i = 0; i < items("/ports"); i++) {
            ports.add(port(Pointer.child("/ports", i), i, memory));
        }
        return ports;
    }

    private PortConfig port(String at, int index, MemoryConfig memory) {
        DeviceConfig device = has(at + "/device") ? device(at + "/device") : NO_DEVICE;
        if (device.equals(NO_DEVICE) || !has(at + "/name")) {
            harmedPorts.put(index, true);
        }
        int mtuBytes = count(setting(at, "mtu"), ConfigDefaults.MTU_BYTES);
        int capSlots =
                count(
                        setting(at, "account-cap-slots"),
                        ConfigDefaults.accountCapSlots(memory.slotsPerPort(), device));
        long capBytes = (long) capSlots * (mtuBytes + ConfigDefaults.OVERHEAD_BYTES);
        String vlanAt = setting(at, "vlan");
        return new PortConfig(
                text(at + "/name", ""),
                device,
                quantity(setting(at, "rate"), Quantity.RATE, ConfigDefaults.RATE_BPS),
                mtuBytes,
                has(vlanAt) ? vlan(vlanAt) : PortConfig.VlanConfig.DEFAULT,
                quantity(
                        setting(at, "queue-limit"),
                        Quantity.SIZE,
                        ConfigDefaults.QUEUE_LIMIT_BYTES),
                quantity(setting(at, "account-cap"), Quantity.SIZE, capBytes),
                capSlots,
                oneOrMore(at + "/addresses", this::interfaceAddress));
    }

    /** Where a port's setting stands: at the port, else in the defaults of all ports. */
    String setting(String at, String key) {
        String own = Pointer.child(at, key);
        String common = Pointer.child("/defaults", key);
        return Pointer.find(root, own) == null && Pointer.find(root, common) != null ? common : own;
    }

    private PortConfig.VlanConfig vlan(String at) {
        if (node(at) instanceof YamlNode.Scalar) {
            return new PortConfig.VlanConfig(
                    PortConfig.VlanConfig.Mode.ACCESS, count(at, 1), List.of());
        }
        String nativeAt = at + "/native";
        Integer nativeVlan =
                has(nativeAt) && scalar(nativeAt) instanceof BigInteger number
                        ? Integer.valueOf(number.intValue())
                        : null;
        TreeSet<Integer> allowed = new TreeSet<>();
        for (int i = 0; i < items(at + "/trunk"); i++) {
            trunkItem(Pointer.child(at + "/trunk", i), allowed);
        }
        return new PortConfig.VlanConfig(
                PortConfig.VlanConfig.Mode.TRUNK, nativeVlan, List.copyOf(allowed));
    }

    private void trunkItem(String at, Set<Integer> allowed) {
        if (!has(at)) {
            return;
        }
        int first;
        int last;
        if (scalar(at) instanceof String range) {
            int dash = range.indexOf('-');
            first = Integer.parseInt(range.substring(0, dash));
            last = Integer.parseInt(range.substring(dash + 1));
            if (first < 1 || last > 4094 || first > last) {
                refuse(at);
                return;
            }
        } else {
            first = count(at, 1);
            last = first;
        }
        for (int vlan = first; vlan <= last; vlan++) {
            if (!allowed.add(vlan)) {
                refuse(at, "VLAN " + vlan + " a second time", "each VLAN once");
                return;
            }
        }
    }

    private DeviceConfig device(String at) {
        if (!(node(at) instanceof YamlNode.Mapping mapping)) {
            return NO_DEVICE;
        }
        String kind = mapping.entries().keySet().iterator().next();
        String deviceAt = Pointer.child(at, kind);
        if (!has(deviceAt)) {
            return NO_DEVICE;
        }
        return switch (kind) {
            case "afpacket", "afxdp", "tap", "pcap" -> interfaceDevice(kind, deviceAt);
            case "pcap-file" -> pcapFile(deviceAt);
            case "vxlan" -> vxlan(deviceAt);
            case "memory" -> new DeviceConfig.Memory(text(deviceAt, ""));
            default -> NO_DEVICE;
        };
    }

    private DeviceConfig interfaceDevice(String kind, String at) {
        boolean isShort = node(at) instanceof YamlNode.Scalar;
        String interfaceAt = isShort ? at : at + "/interface";
        if (!has(interfaceAt)) {
            return NO_DEVICE;
        }
        String name = text(interfaceAt, "");
        String netns = has(at + "/netns") ? text(at + "/netns", "") : null;
        String ringAt = at + "/ring";
        return switch (kind) {
            case "afpacket" ->
                    new DeviceConfig.AfPacket(
                            name, netns, count(ringAt, ConfigDefaults.AF_PACKET_RING_FRAMES));
            case "afxdp" ->
                    new DeviceConfig.AfXdp(
                            name,
                            netns,
                            count(at + "/queue", 0),
                            choice(at + "/mode", DeviceConfig.XdpMode.AUTO),
                            count(ringAt, ConfigDefaults.AF_XDP_RING_FRAMES));
            case "tap" -> new DeviceConfig.Tap(name, netns, flag(at + "/create", true));
            default -> new DeviceConfig.PcapLive(name, netns);
        };
    }

    private DeviceConfig pcapFile(String at) {
        Path input = has(at + "/input") ? path(at + "/input") : null;
        Path output = has(at + "/output") ? path(at + "/output") : null;
        if (input == null && output == null && problems.isEmpty()) {
            refuse(at, "neither input nor output", schema.allowedAt(at));
        }
        return new DeviceConfig.PcapFile(
                input, output, choice(at + "/timing", DeviceConfig.PcapFile.Timing.RECORDED));
    }

    private @Nullable Path path(String at) {
        try {
            Path path = Path.of(text(at, ""));
            return directory == null ? path : directory.resolve(path).normalize();
        } catch (InvalidPathException e) {
            refuse(at);
            return null;
        }
    }

    private DeviceConfig vxlan(String at) {
        InetSocketAddress local = endpoint(at + "/local");
        InetSocketAddress remote = endpoint(at + "/remote");
        if (local == null || remote == null || !has(at + "/vni")) {
            return NO_DEVICE;
        }
        return new DeviceConfig.Vxlan(local, remote, count(at + "/vni", 1));
    }

    private @Nullable InetSocketAddress endpoint(String at) {
        if (!has(at)) {
            return null;
        }
        InetSocketAddress endpoint = Addresses.endpoint(text(at, ""));
        if (endpoint == null) {
            refuse(at);
        }
        return endpoint;
    }

    private BridgeConfig bridge() {
        BridgeConfig defaults = ConfigDefaults.BRIDGE;
        List<BridgeConfig.StaticEntry> entries = new ArrayList<>();
        for (int i = 0; i < items("/bridge/static"); i++) {
            String at = Pointer.child("/bridge/static", i);
            long mac = has(at + "/mac") ? Addresses.mac(text(at + "/mac", "")) : -1;
            entries.add(
                    new BridgeConfig.StaticEntry(
                            mac, count(at + "/vlan", 1), text(at + "/port", "")));
        }
        return new BridgeConfig(
                quantity("/bridge/ageing", Quantity.DURATION, defaults.ageingNs()),
                count("/bridge/fdb-entries", defaults.fdbEntries()),
                quantity("/bridge/flood-limit", Quantity.FREQUENCY, defaults.floodFramesPerSec()),
                Math.toIntExact(
                        quantity(
                                "/bridge/move-limit",
                                Quantity.FREQUENCY,
                                defaults.moveLimitPerSec())),
                entries);
    }

    private RoutedConfig routed() {
        List<RoutedConfig.Route> routes = new ArrayList<>();
        for (int i = 0; i < items("/routed/routes"); i++) {
            String at = Pointer.child("/routed/routes", i);
            InterfaceAddress prefix =
                    has(at + "/prefix")
                            ? interfaceAddress(at + "/prefix")
                            : new InterfaceAddress(NO_ADDRESS, 0);
            routes.add(new RoutedConfig.Route(prefix, oneOrMore(at + "/via", this::address)));
        }
        return new RoutedConfig(
                routes,
                quantity(
                        "/routed/neighbour-timeout",
                        Quantity.DURATION,
                        ConfigDefaults.ROUTED.neighbourTimeoutNs()));
    }

    private MemoryConfig memory() {
        MemoryConfig defaults = ConfigDefaults.MEMORY;
        return new MemoryConfig(
                Math.toIntExact(quantity("/memory/slot", Quantity.SIZE, defaults.slotBytes())),
                count("/memory/slots-per-port", coveringSlots()),
                choice("/memory/reuse", defaults.slotReuse()));
    }

    /** The default number of slots: 4,096, or the next power of two that covers the given caps. */
    private int coveringSlots() {
        int slots = ConfigDefaults.SLOTS_PER_PORT;
        for (int i = 0; i < items("/ports"); i++) {
            String at = Pointer.child("/ports", i);
            int cap = count(setting(at, "account-cap-slots"), 0);
            DeviceConfig device =
                    has(at + "/device/afxdp")
                            ? interfaceDevice("afxdp", at + "/device/afxdp")
                            : NO_DEVICE;
            // With no cap given the default one adapts to the slots; the ring must leave some.
            int needed =
                    ConfigDefaults.ACCOUNTS * Math.max(cap, 64) + ConfigDefaults.ringSlots(device);
            while (slots < needed && slots < 1 << 20) {
                slots *= 2;
            }
        }
        return slots;
    }

    private WorkerConfig workers() {
        WorkerConfig defaults = ConfigDefaults.WORKERS;
        boolean isCount = has("/workers/layout") && scalar("/workers/layout") instanceof BigInteger;
        List<Integer> cores = new ArrayList<>();
        for (int i = 0; i < items("/workers/cores"); i++) {
            cores.add(count(Pointer.child("/workers/cores", i), 0));
        }
        return new WorkerConfig(
                isCount ? WorkerConfig.Layout.COUNT : choice("/workers/layout", defaults.layout()),
                isCount ? count("/workers/layout", 1) : defaults.count(),
                choice("/workers/idle", defaults.idle()),
                cores,
                quantity(
                        "/workers/stall-threshold",
                        Quantity.DURATION,
                        defaults.stallThresholdNs()));
    }

    // ---- values

    private boolean has(String at) {
        return node(at) != null;
    }

    /** The node at a pointer, unless it is absent or the schema found it bad. */
    private @Nullable YamlNode node(String at) {
        return bad.contains(at) ? null : Pointer.find(root, at);
    }

    private @Nullable Object scalar(String at) {
        return node(at) instanceof YamlNode.Scalar scalar ? scalar.value() : null;
    }

    private int items(String at) {
        return node(at) instanceof YamlNode.Sequence sequence ? sequence.items().size() : 0;
    }

    private String text(String at, String absent) {
        return scalar(at) instanceof String text ? text : absent;
    }

    private BigInteger integer(String at) {
        return scalar(at) instanceof BigInteger number ? number : BigInteger.ZERO;
    }

    private int count(String at, int absent) {
        return scalar(at) instanceof BigInteger number ? number.intValue() : absent;
    }

    private boolean flag(String at, boolean absent) {
        return scalar(at) instanceof Boolean flag ? flag : absent;
    }

    private long quantity(String at, Quantity quantity, long absent) {
        Long value = scalar(at) instanceof String text ? quantity.parse(text) : null;
        return value == null ? absent : value;
    }

    private <E extends Enum<E>> E choice(String at, E absent) {
        if (!(scalar(at) instanceof String text)) {
            return absent;
        }
        return Enum.valueOf(
                absent.getDeclaringClass(), text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private <T> List<T> oneOrMore(String at, Function<String, T> read) {
        if (node(at) instanceof YamlNode.Scalar) {
            return List.of(read.apply(at));
        }
        List<T> values = new ArrayList<>();
        for (int i = 0; i < items(at); i++) {
            String itemAt = Pointer.child(at, i);
            if (has(itemAt)) {
                values.add(read.apply(itemAt));
            }
        }
        return values;
    }

    private InterfaceAddress interfaceAddress(String at) {
        InterfaceAddress address = Addresses.withPrefix(text(at, ""));
        if (address == null) {
            refuse(at);
            return new InterfaceAddress(NO_ADDRESS, 0);
        }
        return address;
    }

    private InetAddress address(String at) {
        InetAddress address = Addresses.address(text(at, ""));
        if (address == null) {
            refuse(at);
            return NO_ADDRESS;
        }
        return address;
    }

    private void refuse(String at) {
        YamlNode node = Objects.requireNonNull(Pointer.find(root, at), at);
        refuse(at, node.describe(), schema.allowedAt(at));
    }

    private void refuse(String at, String found, String allowed) {
        problems.addAt(root, at, found, allowed);
    }
}
