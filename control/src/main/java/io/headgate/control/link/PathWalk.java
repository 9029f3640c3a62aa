package io.headgate.control.link;

import io.headgate.control.run.RunningSwitch.FdbEntry;
import io.headgate.control.run.RunningSwitch.Neighbour;
import io.headgate.control.run.RunningSwitch.Route;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the switches by which frames would go from one host to another, according to the present
 * tables of those switches, and the obstacles: a link that is down, a next hop that does not
 * answer, a missing route, a loop. Follows all of several paths with equal cost.
 *
 * @param problems sentences, each with its place; another path may still lead to the host
 * @param complete whether some path leads to the host
 */
public record PathWalk(
        String from, String to, List<Step> steps, List<String> problems, boolean complete) {
    /**
     * A switch on the path.
     *
     * @param by why frames leave by these ports: a route, an address; empty at the host itself
     */
    public record Step(String node, String in, String by, List<String> ports) {

        private String describe() {
            return "%s: from %s to %s%s"
                    .formatted(
                            node, in, String.join(" or ", ports), by.isEmpty() ? "" : ", by " + by);
        }
    }

    /**
     * The tables of a switch.
     *
     * @param peers by port: {@code s2:p3} for a switch's port, {@code h1} for a host
     * @param routes null for a bridge
     * @param addresses of a bridge
     */
    public record Node(
            Map<String, String> peers,
            List<LinkRow> links,
            @Nullable List<Route> routes,
            List<Neighbour> neighbours,
            List<FdbEntry> addresses) {
        public Node {
            peers = new TreeMap<>(peers);
        }

        private @Nullable LinkRow link(String port) {
            return links.stream().filter(row -> row.port().equals(port)).findFirst().orElse(null);
        }
    }

    /** The switches that run here. */
    public interface Network {
        List<String> names();

        /** The tables of one switch; null if it does not answer. */
        @Nullable Node node(String name);
    }

    private static final int MOST_STEPS = 256;

    /**
     * Follows the tables.
     *
     * @param from a host's name, or an IP address that a router knows as its neighbour
     */
    public static PathWalk of(String from, String to, Network network) {
        Walk walk = new Walk(from, to, network);
        walk.run();
        return new PathWalk(
                from, to, walk.steps, List.copyOf(walk.problems), walk.complete && !walk.cut);
    }

    /** For a person: whole lines. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        text.append("%s to %s, from the tables of the switches%n".formatted(from, to));
        steps.forEach(step -> text.append("  ").append(step.describe()).append('\n'));
        problems.forEach(problem -> text.append("  missing: ").append(problem).append('\n'));
        text.append(
                complete
                        ? problems.isEmpty()
                                ? "  nothing is missing\n"
                                : "  there is a path nevertheless\n"
                        : "  there is no path\n");
        return text.toString();
    }

    private record Place(String node, String port) {
        @Override
        public String toString() {
            return node + ":" + port;
        }
    }

    /** One search. */
    private static final class Walk {
        private final String from;
        private final String to;
        private final Network network;
        private final Map<String, @Nullable Node> nodes = new HashMap<>();
        private final List<Step> steps = new ArrayList<>();
        private final Set<String> problems = new LinkedHashSet<>();
        private final Set<String> visited = new HashSet<>();

        /** The path from the first switch to the present one. */
        private final List<String> way = new ArrayList<>();

        private boolean complete;
        private boolean cut;

        // Where the receiver is, and what frames to it are addressed to.
        private @Nullable Place last;
        private @Nullable InetAddress address;
        private Set<String> macs = Set.of();

        Walk(String from, String to, Network network) {
            this.from = from;
            this.to = to;
            this.network = network;
        }

        private @Nullable Node node(String name) {
            return nodes.computeIfAbsent(name, network::node);
        }

        void run() {
            Place first = place(from);
            Place end = place(to);
            if (first == null || end == null) {
                return;
            }
            if (first.equals(end)) {
                problems.add(
                        "%s and %s are both at %s: there is no switch between them"
                                .formatted(from, to, end));
                return;
            }
            last = end;
            findAddress(end);
            if (!isUp(first)) {
                cut = true; // nothing leaves the sender
            }
            follow(first, from);
        }

        /** The switch port to which a host is attached. */
        private @Nullable Place place(String host) {
            Set<String> hosts = new LinkedHashSet<>();
            for (String name : network.names()) {
                Node node = node(name);
                if (node == null) {
                    continue;
                }
                for (Map.Entry<String, String> peer : node.peers.entrySet()) {
                    if (peer.getValue().equals(host)) {
                        return new Place(name, peer.getKey());
                    }
                    if (peer.getValue().indexOf(':') < 0) {
                        hosts.add(peer.getValue());
                    }
                }
                for (Neighbour neighbour : node.neighbours) {
                    String peer = node.peers.getOrDefault(neighbour.port(), "");
                    if (neighbour.address().equals(host) && peer.indexOf(':') < 0) {
                        return new Place(name, neighbour.port());
                    }
                }
            }
            problems.add(
                    hosts.isEmpty()
                            ? "no switch that runs here knows a host; the switches of a lab know"
                                    + " their hosts"
                            : "no switch that runs here has a port to %s; known hosts are %s"
                                    .formatted(
                                            host,
                                            hosts.stream()
                                                    .sorted()
                                                    .limit(MOST_NAMED)
                                                    .collect(Collectors.joining(", "))));
            return null;
        }

        private static final int MOST_NAMED = 16;

        /** Finds the receiver's address, from the tables of its own switch. */
        private void findAddress(Place end) {
            Node node = node(end.node);
            if (node == null) {
                return;
            }
            List<Route> routes = node.routes;
            if (routes == null) {
                macs =
                        node.addresses.stream()
                                .filter(entry -> entry.port().equals(end.port))
                                .map(FdbEntry::mac)
                                .collect(Collectors.toSet());
                if (macs.isEmpty()) {
                    problems.add(
                            ("%s has not yet learned an address of %s at %s, so bridges flood"
                                            + " frames for it")
                                    .formatted(end.node, to, end.port));
                }
                return;
            }
            List<Neighbour> there =
                    node.neighbours.stream()
                            .filter(one -> one.port().equals(end.port))
                            .filter(one -> !isLiteral(to) || one.address().equals(to))
                            .toList();
            if (there.stream().allMatch(one -> one.mac().isEmpty())) {
                cut = true; // its router cannot address frames to it
                problems.add(
                        ("%s has no MAC address of %s at %s: the host did not answer, or no frame"
                                        + " was")
                                .concat(" sent to it yet (see 'headgate show neighbours')")
                                .formatted(end.node, to, end.port));
            }
            String known =
                    isLiteral(to)
                            ? to
                            : there.isEmpty()
                                    ? ownNetwork(routes, end)
                                    : there.getFirst().address();
            address = known.isEmpty() ? null : InetAddress.ofLiteral(known);
        }

        /** The network of a host whose address is not known yet. */
        private static String ownNetwork(List<Route> routes, Place end) {
            return routes.stream()
                    .filter(route -> route.via().isEmpty() && route.port().equals(end.port))
                    .map(route -> route.prefix().substring(0, route.prefix().indexOf('/')))
                    .findFirst()
                    .orElse("");
        }

        private static boolean isLiteral(String host) {
            try {
                InetAddress.ofLiteral(host);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        /** Follows frames that arrive at a switch by a port. */
        private void follow(Place in, String before) {
            if (!visited.add(in.node)) {
                return;
            }
            if (steps.size() == MOST_STEPS) {
                problems.add(
                        "at most %d switches are followed: the path after %s is not known"
                                .formatted(MOST_STEPS, before));
                return;
            }
            Node node = node(in.node);
            Place end = last;
            if (node == null || end == null) {
                problems.add(
                        ("switch %s, after %s, does not answer: it does not run here, or it is"
                                        + " another")
                                .concat(" user's")
                                .formatted(in.node, before));
                return;
            }
            // Routes leave out what is down, so it is said even where frames would not go.
            node.peers.forEach((port, peer) -> {
                if (peer.indexOf(':') > 0) {
                    isUp(new Place(in.node, port));
                }
            });
            if (in.node.equals(end.node)) {
                steps.add(new Step(in.node, in.port, "", List.of(end.port + " (" + to + ")")));
                complete |= isUp(end);
                return;
            }
            List<Route> routes = node.routes;
            way.add(in.node);
            if (routes == null) {
                bridge(in, node);
            } else {
                route(in, node, routes);
            }
            way.removeLast();
        }

        private void bridge(Place in, Node node) {
            List<String> ports =
                    node.addresses.stream()
                            .filter(entry -> macs.contains(entry.mac()))
                            .map(FdbEntry::port)
                            .distinct()
                            .toList();
            boolean floods = ports.isEmpty();
            if (floods) {
                ports =
                        node.peers.entrySet().stream()
                                .filter(peer -> peer.getValue().indexOf(':') > 0)
                                .map(Map.Entry::getKey)
                                .filter(port -> !port.equals(in.port))
                                .toList();
            }
            String by = floods ? "flooding, because it has no address of " + to : "its address";
            go(in, node, by, ports, ports);
        }

        private void route(Place in, Node node, List<Route> routes) {
            InetAddress target = address;
            Route best = null;
            for (Route one : routes) {
                if (target != null
                        && contains(one.prefix(), target)
                        && (best == null || length(one.prefix()) > length(best.prefix()))) {
                    best = one;
                }
            }
            if (best == null) {
                problems.add(
                        "%s has no route to %s%s ('headgate show routes --switch %s')"
                                .formatted(
                                        in.node,
                                        to,
                                        target == null ? "" : " (" + target.getHostAddress() + ")",
                                        in.node));
                return;
            }
            List<String> ports = List.of(best.port().split(", "));
            Set<String> answering = new LinkedHashSet<>();
            for (String via : best.via()) {
                Neighbour hop =
                        node.neighbours.stream()
                                .filter(one -> one.address().equals(via) && !one.mac().isEmpty())
                                .findFirst()
                                .orElse(null);
                if (hop == null) {
                    problems.add(
                            "%s has no answer from its next hop %s of the route to %s"
                                    .formatted(in.node, via, best.prefix()));
                } else {
                    answering.add(hop.port());
                }
            }
            go(
                    in,
                    node,
                    "the route to " + best.prefix(),
                    ports,
                    best.via().isEmpty() ? ports : answering);
        }

        /**
         * Follows frames that leave by ports.
         *
         * @param open those of the ports by which frames can leave
         */
        private void go(
                Place in, Node node, String by, List<String> ports, Collection<String> open) {
            List<String> named = new ArrayList<>();
            for (String port : ports) {
                named.add(port + " (" + node.peers.getOrDefault(port, "an unknown far end") + ")");
            }
            steps.add(new Step(in.node, in.port, by, named));
            for (String port : open) {
                Place out = new Place(in.node, port);
                String peer = node.peers.get(port);
                int colon = peer == null ? -1 : peer.lastIndexOf(':');
                if (!isUp(out)) {
                    continue;
                }
                if (peer == null) {
                    problems.add(
                            ("the far end of %s is not known; it needs 'services: {lldp: {}}' at"
                                            + " both")
                                    .concat(" ends")
                                    .formatted(out));
                } else if (colon < 0) {
                    problems.add("%s leads to host %s".formatted(out, peer));
                } else {
                    Place far = new Place(peer.substring(0, colon), peer.substring(colon + 1));
                    int before = way.indexOf(far.node);
                    if (!isUp(far)) {
                        continue;
                    }
                    if (before < 0) {
                        follow(far, out.toString());
                    } else {
                        addLoop(way.subList(before, way.size()));
                    }
                }
            }
        }

        private void addLoop(List<String> round) {
            // Flooded frames come back to where they were, too, and go no further.
            if (round.stream().map(this::node).allMatch(one -> one != null && one.routes != null)) {
                problems.add(
                        "frames to %s circulate in a loop: %s, %s"
                                .formatted(to, String.join(", ", round), round.getFirst()));
            }
        }

        /** Whether a port's link carries frames; if not, that is a problem. */
        private boolean isUp(Place place) {
            Node node = node(place.node);
            LinkRow row = node == null ? null : node.link(place.port);
            if (row == null || row.up()) {
                return true;
            }
            boolean pulled = row.towardsHere().startsWith("down");
            problems.add(
                    row.link().isEmpty()
                            ? "%s is down".formatted(place)
                            : "link %s is down at %s%s"
                                    .formatted(
                                            row.link(),
                                            place,
                                            pulled
                                                    ? "; 'headgate link %s up' plugs it in"
                                                            .formatted(row.link())
                                                    : ""));
            return false;
        }

        private static int length(String prefix) {
            return Integer.parseInt(prefix.substring(prefix.indexOf('/') + 1));
        }

        private static boolean contains(String prefix, InetAddress address) {
            byte[] network =
                    InetAddress.ofLiteral(prefix.substring(0, prefix.indexOf('/'))).getAddress();
            byte[] own = address.getAddress();
            int bits = length(prefix);
            if (network.length != own.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if (((network[bit >> 3] ^ own[bit >> 3]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
