package io.headgate.config.read;

import io.headgate.config.Addresses;
import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Text;
import io.headgate.config.yaml.YamlConfig;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold between the values of a configuration, each told where it stands in the file. */
final class SwitchChecks {
    /** Longest frame that AF_XDP carries in one buffer, in bytes. */
    private static final int AF_XDP_FRAME_BYTES = 3840;

    /** What a slot holds beside the frame: 256 bytes before it and 64 behind. */
    private static final int SLOT_ROOM_BYTES = 256 + 64;

    private static final long MAX_REGION_BYTES = 64L << 30;

    /** Queues and accounts count a switch's slots in 24 bits, those for its own frames included. */
    private static final long MAX_REGION_SLOTS = 16_000_000;

    private final YamlConfig yaml;
    private final SwitchConfig config;

    SwitchChecks(YamlConfig yaml, SwitchConfig config) {
        this.yaml = yaml;
        this.config = config;
    }

    void run() {
        portNamesAreUnique();
        devicesAreDistinct();
        memoryPairsHaveTwoEnds();
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            String at = YamlConfig.child("/ports", i);
            modeFits(port, at);
            slotsCover(port, at);
            if (isSound(config.ports().get(i))) {
                framesFit(port, at);
                deviceIsPossible(port.device(), at + "/device");
            }
        }
        regionIsPossible();
        payloadFits();
        if (config.address() != null) {
            isHostAddress("/address", config.address());
        }
        if (config.mode() == SwitchConfig.Mode.BRIDGE) {
            staticEntriesFit();
            if (!config.routed().routes().isEmpty()) {
                refuse("/routed/routes", "routes in bridge mode", "none, or mode: routed");
            }
            if (!config.routed().neighbours().isEmpty()) {
                refuse("/routed/neighbours", "neighbours in bridge mode", "none, or mode: routed");
            }
        } else {
            networksAreDisjoint();
            routesFit();
            neighboursFit();
            if (!config.bridge().staticEntries().isEmpty()) {
                refuse("/bridge/static", "static entries in routed mode", "none, or mode: bridge");
            }
        }
    }

    private void portNamesAreUnique() {
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < config.ports().size(); i++) {
            String name = config.ports().get(i).name();
            Integer before = name.isEmpty() ? null : first.putIfAbsent(name, i);
            if (before != null) {
                refuse(
                        YamlConfig.child("/ports", i) + "/name",
                        Text.quote(name) + ", the name of ports[" + before + "] too",
                        "a name that no other port has, such as p" + (i + 1));
            }
        }
    }

    private void devicesAreDistinct() {
        Map<Object, Integer> first = new HashMap<>();
        for (int i = 0; i < config.ports().size(); i++) {
            String at = YamlConfig.child("/ports", i) + "/device";
            for (Object place : places(config.ports().get(i).device())) {
                Integer before = first.putIfAbsent(place, i);
                if (before != null && before != i) {
                    refuse(
                            at,
                            place + ", which ports[" + before + "] has too",
                            "a device of its own for each port");
                }
            }
        }
    }

    /** What of the machine a device claims for itself. */
    private static List<Object> places(DeviceConfig device) {
        return switch (device) {
            case DeviceConfig.AfPacket d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.AfXdp d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.Tap d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.PcapLive d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.PcapFile d ->
                    d.output() == null ? List.of() : List.of(new Output(d.output()));
            case DeviceConfig.Vxlan d -> List.of(new Tunnel(d));
            case DeviceConfig.Memory _, DeviceConfig.Virtual _ -> List.of();
        };
    }

    private record Interface(String name, @Nullable String netns) {
        @Override
        public String toString() {
            return "interface " + name + inNamespace(netns);
        }
    }

    private static String inNamespace(@Nullable String netns) {
        return netns == null ? "" : " in namespace " + netns;
    }

    private record Tunnel(DeviceConfig.Vxlan vxlan) {
        @Override
        public String toString() {
            return "VXLAN "
                    + vxlan.vni()
                    + " from "
                    + Addresses.format(vxlan.local())
                    + " to "
                    + Addresses.format(vxlan.remote())
                    + inNamespace(vxlan.netns());
        }
    }

    private record Output(Path file) {
        @Override
        public String toString() {
            return "output " + Text.shorten(file.toString());
        }
    }

    private void memoryPairsHaveTwoEnds() {
        Map<String, Integer> ends = new HashMap<>();
        for (PortConfig port : config.ports()) {
            if (port.device() instanceof DeviceConfig.Memory memory) {
                ends.merge(memory.pair(), 1, Integer::sum);
            }
        }
        for (int i = 0; i < config.ports().size(); i++) {
            if (isSound(config.ports().get(i))
                    && config.ports().get(i).device() instanceof DeviceConfig.Memory memory) {
                int count = ends.getOrDefault(memory.pair(), 0);
                if (count != 2) {
                    refuse(
                            YamlConfig.child("/ports", i) + "/device/memory",
                            "pair "
                                    + Text.quote(memory.pair())
                                    + " with "
                                    + (count == 1 ? "1 end" : count + " ends"),
                            "the same pair on exactly two ports");
                }
            }
        }
    }

    private void modeFits(PortConfig port, String at) {
        if (config.mode() == SwitchConfig.Mode.BRIDGE) {
            if (!port.addresses().isEmpty()) {
                refuse(
                        at + "/addresses",
                        "addresses in bridge mode",
                        "none (the switch's own is address: at the top), or mode: routed");
            }
            return;
        }
        if (port.addresses().isEmpty()) {
            refuse(
                    at + "/addresses",
                    "nothing in routed mode",
                    "an address with its prefix length, such as 10.0.1.1/24");
        }
        if (!port.vlan().equals(PortConfig.VlanConfig.DEFAULT)) {
            refuse(setting(at, "vlan"), "a VLAN in routed mode", "none, or mode: bridge");
        }
    }

    /** Small slots and frames without payload are for the links of the virtual test bed. */
    private void payloadFits() {
        boolean elided = config.memory().payload() == MemoryConfig.Payload.ELIDED;
        if (!elided && config.memory().slotBytes() < ConfigDefaults.MEMORY.slotBytes()) {
            refuse(
                    "/memory/slot",
                    Quantity.SIZE.format(config.memory().slotBytes()) + " with whole frames",
                    "2KiB, 4KiB or 16KiB, or memory: {payload: elided}");
        }
        if (elided
                && config.ports().stream()
                        .anyMatch(port -> !(port.device() instanceof DeviceConfig.Virtual))) {
            refuse(
                    "/memory/payload",
                    "elided with a device that carries whole frames",
                    "stored, or virtual as the device of every port");
        }
    }

    private void framesFit(PortConfig port, String at) {
        int frameBytes = port.mtuBytes() + ConfigDefaults.OVERHEAD_BYTES;
        int slotFrameBytes = config.memory().slotBytes() - SLOT_ROOM_BYTES;
        if (config.memory().payload() == MemoryConfig.Payload.ELIDED) {
            slotFrameBytes = frameBytes;
        }
        if (port.device() instanceof DeviceConfig.AfXdp) {
            if (config.memory().slotBytes() > 4096) {
                refuse(
                        "/memory/slot",
                        Quantity.SIZE.format(config.memory().slotBytes())
                                + " with AF_XDP on port "
                                + Text.shorten(port.name()),
                        "2KiB or 4KiB, or another device than afxdp");
                return;
            }
            int most = Math.min(AF_XDP_FRAME_BYTES, 4096 - SLOT_ROOM_BYTES);
            if (frameBytes > most) {
                refuse(
                        setting(at, "mtu"),
                        port.mtuBytes() + " with AF_XDP",
                        "at most "
                                + (most - ConfigDefaults.OVERHEAD_BYTES)
                                + " with memory: {slot: 4KiB}, or another device than afxdp");
                return;
            }
        }
        if (frameBytes > slotFrameBytes) {
            refuse(
                    setting(at, "mtu"),
                    port.mtuBytes()
                            + " with slots of "
                            + Quantity.SIZE.format(config.memory().slotBytes()),
                    "at most "
                            + (slotFrameBytes - ConfigDefaults.OVERHEAD_BYTES)
                            + ", or memory: {slot: "
                            + (frameBytes <= 4096 - SLOT_ROOM_BYTES ? "4KiB" : "16KiB")
                            + "}");
        }
        holdsOneFrame(port.queueLimitBytes(), frameBytes, setting(at, "queue-limit"));
        holdsOneFrame(port.accountCapBytes(), frameBytes, setting(at, "account-cap"));
    }

    private void holdsOneFrame(long limitBytes, int frameBytes, String at) {
        if (limitBytes < frameBytes) {
            refuse(
                    at,
                    Quantity.SIZE.format(limitBytes),
                    "at least one frame of the port's MTU: " + Quantity.SIZE.format(frameBytes));
        }
    }

    private void slotsCover(PortConfig port, String at) {
        int ringSlots = ConfigDefaults.ringSlots(port.device());
        int lossless = port.traffic().lossless().size();
        // A virtual bed has many ports and few busy priorities, which may use the same slots.
        boolean isVirtual = port.device() instanceof DeviceConfig.Virtual;
        int lossy = ConfigDefaults.ACCOUNTS - lossless;
        int accounts = isVirtual ? Math.min(1, lossy) : lossy;
        boolean hasPool = port.sharedSlots() > 0;
        long promised = (long) port.promisedSlots() + port.sharedSlots();
        long capped = hasPool ? 0 : (long) accounts * port.accountCapSlots();
        long needed = capped + promised + ringSlots;
        int slots = config.memory().slotsPerPort();
        if (needed <= slots) {
            return;
        }
        String capAt = setting(at, "account-cap-slots");
        boolean isCapGiven = !hasPool && accounts > 0 && yaml.isGiven(capAt);
        long most = accounts == 0 ? 0 : (slots - ringSlots - promised) / accounts;
        String found =
                hasPool
                        ? String.format("a shared pool of %d slots", port.sharedSlots())
                        : String.format(
                                "%d %s of %d slots",
                                accounts,
                                accounts == 1 ? "account" : "accounts",
                                port.accountCapSlots());
        if (lossless > 0) {
            found +=
                    String.format(
                            ", %d slots for %d lossless priorities",
                            port.promisedSlots(), lossless);
        }
        refuse(
                isCapGiven ? capAt : "/memory/slots-per-port",
                found
                        + String.format(
                                " and a ring of %d, which is %d, with %d slots",
                                ringSlots, needed, slots),
                (isCapGiven && most > 0 ? "at most " + most + " here, or " : "")
                        + "memory: {slots-per-port: "
                        + needed
                        + "}");
    }

    private void regionIsPossible() {
        long slots = (long) config.memory().slotsPerPort() * config.ports().size();
        long bytes = slots * config.memory().slotBytes();
        if (bytes > MAX_REGION_BYTES || slots > MAX_REGION_SLOTS) {
            refuse(
                    "/memory/slots-per-port",
                    String.format(
                            Locale.ROOT,
                            "%d ports with %d slots of %d bytes, which is %,d slots and %.1f GiB",
                            config.ports().size(),
                            config.memory().slotsPerPort(),
                            config.memory().slotBytes(),
                            slots,
                            bytes / (double) (1L << 30)),
                    "at most 16,000,000 slots and 64 GiB in all");
        }
    }

    private void deviceIsPossible(DeviceConfig device, String at) {
        if (device instanceof DeviceConfig.Vxlan vxlan) {
            InetAddress local = vxlan.local().getAddress();
            InetAddress remote = vxlan.remote().getAddress();
            if (local.isMulticastAddress()) {
                refuse(at + "/vxlan/local", Addresses.format(local), "an address of this machine");
            }
            if (remote.isMulticastAddress() || remote.isAnyLocalAddress()) {
                refuse(at + "/vxlan/remote", Addresses.format(remote), "the address of one peer");
            } else if (Addresses.bits(local) != Addresses.bits(remote)) {
                refuse(
                        at + "/vxlan/remote",
                        Addresses.format(remote),
                        "an address of local's family, IPv4 or IPv6");
            } else if (vxlan.local().equals(vxlan.remote())) {
                refuse(
                        at + "/vxlan/remote",
                        "the local address",
                        "the address of another machine, or another port here");
            }
        } else if (device instanceof DeviceConfig.PcapFile file
                && file.input() != null
                && file.input().equals(file.output())) {
            refuse(at + "/pcap-file/output", "the input file", "another file than input");
        }
    }

    private void staticEntriesFit() {
        Map<String, PortConfig> ports = new HashMap<>();
        config.ports().forEach(port -> ports.putIfAbsent(port.name(), port));
        Set<List<Long>> seen = new HashSet<>();
        List<BridgeConfig.StaticEntry> entries = config.bridge().staticEntries();
        for (int i = 0; i < entries.size(); i++) {
            BridgeConfig.StaticEntry entry = entries.get(i);
            String at = YamlConfig.child("/bridge/static", i);
            if (isNoUnicast(entry.mac())) {
                refuseMac(at + "/mac", entry.mac());
            } else if (entry.mac() > 0 && !seen.add(List.of(entry.mac(), (long) entry.vlan()))) {
                refuse(
                        at,
                        Addresses.formatMac(entry.mac())
                                + " in VLAN "
                                + entry.vlan()
                                + " a second time",
                        "each address once in a VLAN");
            }
            PortConfig port = ports.get(entry.port());
            if (port == null) {
                if (!entry.port().isEmpty()) {
                    String near = Text.nearest(entry.port(), ports.keySet());
                    refuse(
                            at + "/port",
                            Text.quote(entry.port()),
                            "the name of a port" + (near == null ? "" : ": " + near + "?"));
                }
            } else if (!carries(port.vlan(), entry.vlan())) {
                refuse(
                        at + "/vlan",
                        "VLAN " + entry.vlan() + ", which port " + port.name() + " does not carry",
                        "a VLAN of the port");
            }
        }
    }

    private static boolean carries(PortConfig.VlanConfig vlans, int vlan) {
        if (vlans.nativeVlan() != null && vlans.nativeVlan() == vlan) {
            return true;
        }
        return vlans.mode() == PortConfig.VlanConfig.Mode.TRUNK
                && (vlans.allowed().isEmpty() || vlans.allowed().contains(vlan));
    }

    private void networksAreDisjoint() {
        record Place(int port, String at, InterfaceAddress address) {}
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < config.ports().size(); i++) {
            List<InterfaceAddress> addresses = config.ports().get(i).addresses();
            for (int j = 0; j < addresses.size(); j++) {
                String list = YamlConfig.child("/ports", i) + "/addresses";
                boolean isList = yaml.isList(list);
                String at = isList ? YamlConfig.child(list, j) : list;
                if (isHostAddress(at, addresses.get(j))) {
                    places.add(new Place(i, at, addresses.get(j)));
                }
            }
        }
        for (int i = 0; i < places.size(); i++) {
            for (int j = 0; j < i; j++) {
                Place one = places.get(j);
                Place other = places.get(i);
                if (one.port != other.port && Addresses.overlap(one.address, other.address)) {
                    refuse(
                            other.at,
                            Addresses.format(other.address)
                                    + ", whose network overlaps that of "
                                    + Addresses.format(one.address)
                                    + " on ports["
                                    + one.port
                                    + "]",
                            "a network of its own for each port");
                }
                if (one.port == other.port
                        && one.address.address().equals(other.address.address())) {
                    refuse(other.at, "the same address twice", "each address once");
                }
            }
        }
    }

    /** Whether a machine can have this address; a problem if not. */
    private boolean isHostAddress(String at, InterfaceAddress address) {
        InetAddress ip = address.address();
        int hostBits = Addresses.bits(ip) - address.prefixLength();
        boolean isNetwork = hostBits > 1 && Addresses.network(address).address().equals(ip);
        boolean isBroadcast =
                Addresses.bits(ip) == 32
                        && hostBits > 1
                        && (new BigInteger(1, ip.getAddress()).not())
                                        .mod(BigInteger.TWO.pow(hostBits))
                                        .signum()
                                == 0;
        boolean isPossible =
                !ip.isMulticastAddress()
                        && !ip.isLoopbackAddress()
                        && !ip.isAnyLocalAddress()
                        && address.prefixLength() > 0
                        && !isNetwork
                        && !isBroadcast;
        if (!isPossible) {
            refuse(
                    at,
                    Addresses.format(address) + ", which no machine can have",
                    "an address of a machine with its network's length, such as 10.0.1.1/24");
        }
        return isPossible;
    }

    private void routesFit() {
        Set<InterfaceAddress> seen = new HashSet<>();
        List<RoutedConfig.Route> routes = config.routed().routes();
        for (int i = 0; i < routes.size(); i++) {
            RoutedConfig.Route route = routes.get(i);
            String at = YamlConfig.child("/routed/routes", i);
            InterfaceAddress network = Addresses.network(route.prefix());
            if (!network.equals(route.prefix())) {
                refuse(
                        at + "/prefix",
                        Addresses.format(route.prefix()) + " with bits behind its length",
                        Addresses.format(network) + ", the network");
            } else if (!seen.add(network)) {
                refuse(
                        at + "/prefix",
                        Addresses.format(network) + " a second time",
                        "one route for each prefix, with all its next hops in via");
            }
            nextHopsFit(route, at + "/via");
        }
    }

    private void nextHopsFit(RoutedConfig.Route route, String at) {
        Set<InetAddress> seen = new HashSet<>();
        for (int j = 0; j < route.nextHops().size(); j++) {
            InetAddress hop = route.nextHops().get(j);
            String hopAt = yaml.isList(at) ? YamlConfig.child(at, j) : at;
            String text = Addresses.format(hop);
            if (Addresses.bits(hop) != Addresses.bits(route.prefix().address())) {
                refuse(hopAt, text, "an address of the prefix's family, IPv4 or IPv6");
            } else if (config.ports().stream().noneMatch(port -> reaches(port, hop))) {
                refuse(hopAt, text, "an address in the network of one of the ports");
            } else if (config.ports().stream().anyMatch(port -> owns(port, hop))) {
                refuse(hopAt, text + ", an address of the switch", "the address of a neighbour");
            } else if (!seen.add(hop)) {
                refuse(hopAt, text + " a second time", "each next hop once");
            }
        }
    }

    private void neighboursFit() {
        Set<InetAddress> seen = new HashSet<>();
        List<RoutedConfig.StaticNeighbour> neighbours = config.routed().neighbours();
        for (int i = 0; i < neighbours.size(); i++) {
            RoutedConfig.StaticNeighbour neighbour = neighbours.get(i);
            String at = YamlConfig.child("/routed/neighbours", i);
            InetAddress address = neighbour.address();
            String text = Addresses.format(address);
            if (isNoUnicast(neighbour.mac())) {
                refuseMac(at + "/mac", neighbour.mac());
            }
            if (config.ports().stream().noneMatch(port -> reaches(port, address))) {
                refuse(at + "/address", text, "an address in the network of one of the ports");
            } else if (config.ports().stream().anyMatch(port -> owns(port, address))) {
                refuse(
                        at + "/address",
                        text + ", an address of the switch",
                        "the address of a neighbour");
            } else if (!seen.add(address)) {
                refuse(at + "/address", text + " a second time", "each neighbour once");
            }
        }
        if (neighbours.size() > config.routed().neighbourEntries()) {
            refuse(
                    "/routed/neighbour-entries",
                    config.routed().neighbourEntries() + " with " + neighbours.size() + " given",
                    "at least as many as neighbours are given");
        }
    }

    private static boolean isNoUnicast(long mac) {
        return mac == 0 || (mac > 0 && (mac >> 40 & 1) == 1);
    }

    private void refuseMac(String at, long mac) {
        refuse(at, Addresses.formatMac(mac), "a unicast address, such as \"02:00:00:00:00:01\"");
    }

    private static boolean reaches(PortConfig port, InetAddress hop) {
        return port.addresses().stream().anyMatch(own -> Addresses.contains(own, hop));
    }

    private static boolean owns(PortConfig port, InetAddress hop) {
        return port.addresses().stream().anyMatch(own -> own.address().equals(hop));
    }

    /** Whether a port has a name and a device that further checks can build on. */
    private static boolean isSound(PortConfig port) {
        return !port.name().isEmpty() && !port.device().equals(DeviceConfig.none());
    }

    /** Where a port's setting stands: at the port, else in the defaults of all ports. */
    private String setting(String at, String key) {
        String own = YamlConfig.child(at, key);
        String common = YamlConfig.child("/defaults", key);
        return !yaml.isGiven(own) && yaml.isGiven(common) ? common : own;
    }

    private void refuse(String at, String found, String allowed) {
        yaml.refuse(at, found, allowed);
    }
}
