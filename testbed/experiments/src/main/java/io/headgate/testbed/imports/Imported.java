package io.headgate.testbed.imports;

import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of imported files.
 *
 * @param topology null: no network
 * @param hosts hosts of the flows, by number; those of the topology if there is one
 * @param flows flows in the order of the file
 * @param notes sentences on contents that Headgate's files cannot express, or express differently
 */
public record Imported(
        @Nullable Topology topology, List<String> hosts, List<Flow> flows, List<String> notes) {
    public static final int MOST_HOSTS = 10_000;
    public static final int MOST_FLOWS = 100_000;
    static final long LATEST_PS = 1_000_000_000_000_000L;
    static final long MOST_BYTES = 1_000_000_000_000L;

    public Imported {
        hosts = List.copyOf(hosts);
        flows = List.copyOf(flows);
        notes = List.copyOf(notes);
    }

    /**
     * A flow.
     *
     * @param bytes size in bytes; 0: without end
     * @param priority its priority; -1: not given
     * @param after indices of the flows that it waits for
     */
    public record Flow(
            int source,
            int destination,
            long startPs,
            long bytes,
            int priority,
            List<After> after) {
        public Flow {
            after = List.copyOf(after);
        }
    }

    static Imported network(Topology topology, List<String> notes) {
        return new Imported(
                topology,
                topology.hosts().stream().map(Topology.Host::name).toList(),
                List.of(),
                notes);
    }

    /**
     * Combines a network and the flows in it.
     *
     * @throws IllegalArgumentException in a sentence, if both have networks, or flows, or the
     *     network lacks a host
     */
    public Imported with(Imported other) {
        if (topology != null && other.topology != null) {
            throw new IllegalArgumentException("two networks; allowed: one");
        }
        if (!flows.isEmpty() && !other.flows.isEmpty()) {
            throw new IllegalArgumentException("two files of flows; allowed: one");
        }
        Imported network = topology != null ? this : other;
        Imported sent = flows.isEmpty() ? other : this;
        Map<String, Integer> places = new HashMap<>();
        network.hosts.forEach(host -> places.put(host, places.size()));
        List<String> all = new ArrayList<>(notes);
        all.addAll(other.notes);
        List<Flow> renumbered = new ArrayList<>();
        for (Flow flow : sent.flows) {
            renumbered.add(
                    new Flow(
                            network.place(sent.hosts.get(flow.source), places),
                            network.place(sent.hosts.get(flow.destination), places),
                            flow.startPs,
                            flow.bytes,
                            flow.priority,
                            flow.after));
        }
        return new Imported(network.topology, network.hosts, renumbered, all);
    }

    private int place(String host, Map<String, Integer> places) {
        Integer place = places.get(host);
        if (place == null) {
            throw new IllegalArgumentException(
                    ("flows of %s, which the network does not have; allowed: its %s hosts, such as"
                                    + " %s and %s")
                            .formatted(host, hosts.size(), hosts.getFirst(), hosts.getLast()));
        }
        return place;
    }
}
