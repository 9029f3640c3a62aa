package io.headgate.testbed.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A topology in numbers: nodes are hosts, then switches; a node's ports are its links in the order
 * of their declaration. Links that name unknown nodes are left out.
 */
final class Graph {
    final int hosts;
    final int nodes;
    private final Map<String, Integer> numberOf = new HashMap<>();
    private final List<List<Port>> ports = new ArrayList<>();

    Graph(List<Topology.Host> hosts, List<Topology.Switch> switches, List<Topology.Link> links) {
        this.hosts = hosts.size();
        this.nodes = hosts.size() + switches.size();
        for (int i = 0; i < hosts.size(); i++) {
            numberOf.putIfAbsent(hosts.get(i).name(), i);
        }
        for (int i = 0; i < switches.size(); i++) {
            numberOf.putIfAbsent(switches.get(i).name(), hosts.size() + i);
        }
        for (int node = 0; node < nodes; node++) {
            ports.add(new ArrayList<>());
        }
        for (int link = 0; link < links.size(); link++) {
            Integer a = numberOf.get(links.get(link).a());
            Integer b = numberOf.get(links.get(link).b());
            if (a != null && b != null && !a.equals(b)) {
                int portOfA = ports.get(a).size();
                int portOfB = ports.get(b).size();
                ports.get(a).add(new Port(link, b, portOfB, links.get(link).cost()));
                ports.get(b).add(new Port(link, a, portOfA, links.get(link).cost()));
            }
        }
    }

    /**
     * A node's end of a link: the link's number, the node at its other end and that one's port, and
     * what the link counts in paths.
     */
    record Port(int link, int peer, int peerPort, int cost) {}

    /** A node's number, or -1. */
    int number(String name) {
        return numberOf.getOrDefault(name, -1);
    }

    boolean isHost(int node) {
        return node < hosts;
    }

    List<Port> ports(int node) {
        return ports.get(node);
    }
}
