package io.headgate.testbed.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.IntArrayQueue;

/**
 * A topology as a graph of numbers. Nodes are numbered hosts first, then switches; a node's ports
 * are its links in the order of their declaration. Links that name unknown nodes are left out.
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
     * A node's end of a link: the link's number, the peer node and its port, and the link's cost in
     * paths.
     */
    record Port(int link, int peer, int peerPort, int cost) {}

    /**
     * The costs of the shortest paths from each node to one node (their numbers of links if each
     * link counts once); -1 if there is no path. Hosts do not forward. A node is visited again if a
     * cheaper path to it is found, which never happens if each link counts once.
     *
     * @param down numbers of the links that are down
     */
    int[] distances(int origin, BitSet down) {
        int[] distance = new int[nodes];
        IntArrayQueue queue = new IntArrayQueue(-1);
        Arrays.fill(distance, -1);
        distance[origin] = 0;
        queue.addInt(origin);
        while (!queue.isEmpty()) {
            int node = queue.pollInt();
            if (node != origin && isHost(node)) {
                continue;
            }
            for (Port port : ports(node)) {
                int by = distance[node] + port.cost;
                int known = distance[port.peer];
                if ((known < 0 || by < known) && !down.get(port.link)) {
                    distance[port.peer] = by;
                    queue.addInt(port.peer);
                }
            }
        }
        return distance;
    }

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
