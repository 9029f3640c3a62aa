package io.headgate.config.read;

import io.headgate.config.Addresses;
import io.headgate.config.BridgeConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.PortConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Text;
import io.headgate.config.yaml.YamlConfig;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks whether addresses, routes and tables of a switch fit together. */
final class ForwardingChecks {
    /** Minimum MTU of every link that IPv6 packets cross (RFC 8200, section 5). */
    private static final int LEAST_IPV6_MTU = 1280;

    private final YamlConfig yaml;
    private final SwitchConfig config;

    ForwardingChecks(YamlConfig yaml, SwitchConfig config) {
        this.yaml = yaml;
        this.config = config;
    }

    void run() {
        InterfaceAddress own = config.address();
        if (own != null) {
            isHostAddress("/address", own);
        }
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            List<InterfaceAddress> addresses = new ArrayList<>(port.addresses());
            if (own != null) {
                addresses.add(own);
            }
            mtuCarries(addresses, port, YamlConfig.child("/ports", i));
        }
        if (config.mode() == SwitchConfig.Mode.BRIDGE) {
            staticEntriesFit();
        } else {
            networksAreDisjoint();
            routesFit();
            neighboursFit();
        }
    }

    private void mtuCarries(List<InterfaceAddress> addresses, PortConfig port, String at) {
        for (InterfaceAddress address : addresses) {
            // The MTU is 0 if the port could not be read, which has been reported.
            if (Addresses.bits(address.address()) == 128
                    && port.mtuBytes() > 0
                    && port.mtuBytes() < LEAST_IPV6_MTU) {
                yaml.refuse(
                        SwitchChecks.setting(yaml, at, "mtu"),
                        "%d with the IPv6 address %s"
                                .formatted(port.mtuBytes(), Addresses.format(address)),
                        "at least 1280, the minimum of each link on an IPv6 path (RFC 8200), or"
                                + " IPv4 addresses only");
                return;
            }
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
                yaml.refuse(
                        at,
                        "%s in VLAN %s a second time"
                                .formatted(Addresses.formatMac(entry.mac()), entry.vlan()),
                        "each address once in a VLAN");
            }
            PortConfig port = ports.get(entry.port());
            if (port == null) {
                if (!entry.port().isEmpty()) {
                    String near = Text.nearest(entry.port(), ports.keySet());
                    yaml.refuse(
                            at + "/port",
                            Text.quote(entry.port()),
                            "the name of a port" + (near == null ? "" : ": " + near + "?"));
                }
            } else if (!carries(port.vlan(), entry.vlan())) {
                yaml.refuse(
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
                if (isHostAddress(at, addresses.get(j))
                        && leadsToNeighbours(at, addresses.get(j), addresses)) {
                    places.add(new Place(i, at, addresses.get(j)));
                }
            }
        }
        for (int i = 0; i < places.size(); i++) {
            for (int j = 0; j < i; j++) {
                Place one = places.get(j);
                Place other = places.get(i);
                if (one.port != other.port && Addresses.overlap(one.address, other.address)) {
                    yaml.refuse(
                            other.at,
                            "%s, whose network overlaps that of %s on ports[%s]"
                                    .formatted(
                                            Addresses.format(other.address),
                                            Addresses.format(one.address),
                                            one.port),
                            "a network of its own for each port");
                }
                if (one.port == other.port
                        && one.address.address().equals(other.address.address())) {
                    yaml.refuse(other.at, "the same address twice", "each address once");
                }
            }
        }
    }

    /** Whether a port can reach others from this address; a problem if not. */
    private boolean leadsToNeighbours(
            String at, InterfaceAddress address, List<InterfaceAddress> ofPort) {
        int bits = Addresses.bits(address.address());
        boolean isAlone =
                ofPort.stream()
                        .noneMatch(own ->
                                Addresses.bits(own.address()) == bits && own.prefixLength() < bits);
        if (isAlone) {
            yaml.refuse(
                    at,
                    Addresses.format(address)
                            + ", whose network has no address for another machine",
                    "the length of the port's network, such as "
                            + (bits == 32 ? "/24, or /31" : "/64, or /127")
                            + " between two routers; an address of the switch itself is address:"
                            + " at the top");
        } else if (bits == 128 && address.address().isLinkLocalAddress()) {
            yaml.refuse(
                    at,
                    Addresses.format(address) + ", a link-local address",
                    "a routable address, such as 2001:db8:1::1/64; a port then also has a"
                            + " link-local address, made from its MAC address");
            return false;
        }
        return !isAlone;
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
            yaml.refuse(
                    at,
                    Addresses.format(address) + ", which is not a valid address of a machine",
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
                yaml.refuse(
                        at + "/prefix",
                        Addresses.format(route.prefix()) + " with bits behind its length",
                        Addresses.format(network) + ", the network");
            } else if (!seen.add(network)) {
                yaml.refuse(
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
                yaml.refuse(hopAt, text, "an address of the prefix's family, IPv4 or IPv6");
            } else if (config.ports().stream().noneMatch(port -> reaches(port, hop))) {
                yaml.refuse(hopAt, text, "an address in the network of one of the ports");
            } else if (config.ports().stream().anyMatch(port -> owns(port, hop))) {
                yaml.refuse(
                        hopAt, text + ", an address of the switch", "the address of a neighbour");
            } else if (!seen.add(hop)) {
                yaml.refuse(hopAt, text + " a second time", "each next hop once");
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
                yaml.refuse(at + "/address", text, "an address in the network of one of the ports");
            } else if (config.ports().stream().anyMatch(port -> owns(port, address))) {
                yaml.refuse(
                        at + "/address",
                        text + ", an address of the switch",
                        "the address of a neighbour");
            } else if (!seen.add(address)) {
                yaml.refuse(at + "/address", text + " a second time", "each neighbour once");
            }
        }
        if (neighbours.size() > config.routed().neighbourEntries()) {
            yaml.refuse(
                    "/routed/neighbour-entries",
                    config.routed().neighbourEntries() + " with " + neighbours.size() + " given",
                    "at least the number of given neighbours");
        }
    }

    private static boolean isNoUnicast(long mac) {
        return mac == 0 || (mac > 0 && (mac >> 40 & 1) == 1);
    }

    private void refuseMac(String at, long mac) {
        yaml.refuse(
                at, Addresses.formatMac(mac), "a unicast address, such as \"02:00:00:00:00:01\"");
    }

    private static boolean reaches(PortConfig port, InetAddress hop) {
        return port.addresses().stream().anyMatch(own -> Addresses.contains(own, hop));
    }

    private static boolean owns(PortConfig port, InetAddress hop) {
        return port.addresses().stream().anyMatch(own -> own.address().equals(hop));
    }
}
