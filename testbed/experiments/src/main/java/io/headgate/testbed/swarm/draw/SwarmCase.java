package io.headgate.testbed.swarm.draw;

import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One drawn experiment. It is determined by its seed and by the parts left out by {@link #only}.
 *
 * @param seed seed of the draw, and of the run
 * @param topology its links have no faults; those are in {@code faults}
 * @param settings settings of the switches
 * @param cards number of slots per side of each host's card
 * @param slowHosts hosts whose application takes frames at a quarter of their link's rate
 * @param trafficEndPs time from which no new frame is made
 * @param patiencePs time in which a network without new frames should come to rest; a run waits
 *     many such periods
 */
public record SwarmCase(
        long seed,
        Topology topology,
        PortSettings settings,
        int cards,
        Set<String> slowHosts,
        List<Stream> streams,
        List<Fault> faults,
        List<Order> orders,
        long trafficEndPs,
        long patiencePs) {

    public SwarmCase {
        slowHosts = Set.copyOf(slowHosts);
        streams = List.copyOf(streams);
        faults = List.copyOf(faults);
        orders = List.copyOf(orders);
    }

    /** The names of all that can be left out: orders, faults, flows, hosts, switches. */
    public List<String> elements() {
        List<String> names = new ArrayList<>();
        orders.forEach(order -> names.add(order.name()));
        faults.forEach(fault -> names.add(fault.name()));
        streams.forEach(stream -> names.add(stream.name()));
        topology.hosts().forEach(host -> names.add(host.name()));
        topology.switches().forEach(node -> names.add(node.name()));
        return names;
    }

    /**
     * The case with only some of its elements; empty if they do not form a network, or if a kept
     * flow has lost its host.
     */
    public Optional<SwarmCase> only(Set<String> kept) {
        List<Topology.Link> links =
                topology.links().stream()
                        .filter(link -> kept.contains(link.a()) && kept.contains(link.b()))
                        .toList();
        Topology smaller;
        try {
            smaller =
                    new Topology(
                            topology.name(),
                            topology.mode(),
                            topology.paths(),
                            topology.sizes(),
                            topology.mechanisms(),
                            topology.ports(),
                            topology.hosts().stream().filter(h -> kept.contains(h.name())).toList(),
                            topology.switches().stream()
                                    .filter(s -> kept.contains(s.name()))
                                    .toList(),
                            links,
                            topology.routes().stream().filter(r -> isIn(kept, r)).toList());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        List<Stream> left = streams.stream().filter(s -> kept.contains(s.name())).toList();
        if (!left.stream().allMatch(stream -> stream.isAmong(smaller))) {
            return Optional.empty();
        }
        Set<String> places = new TreeSet<>(kept);
        places.addAll(LinkNames.of(smaller));
        List<Fault> wrong =
                faults.stream()
                        .filter(f -> kept.contains(f.name()) && places.contains(f.where()))
                        .toList();
        places.add("");
        List<Order> given =
                orders.stream()
                        .filter(o -> kept.contains(o.name()) && kept.contains(o.node()))
                        .filter(o -> places.contains(o.link()))
                        .toList();
        return Optional.of(
                new SwarmCase(
                        seed,
                        smaller,
                        settings,
                        cards,
                        slowHosts,
                        left,
                        wrong,
                        given,
                        trafficEndPs,
                        patiencePs));
    }

    private static boolean isIn(Set<String> kept, Topology.Route route) {
        return kept.contains(route.at())
                && kept.contains(route.to())
                && kept.containsAll(route.via());
    }

    /** The case with other port settings. */
    public SwarmCase with(PortSettings other) {
        return new SwarmCase(
                seed,
                topology,
                other,
                cards,
                slowHosts,
                streams,
                faults,
                orders,
                trafficEndPs,
                patiencePs);
    }

    /** The faults of a link while it is up. */
    public List<LinkFaults> faultsOf(String link) {
        return faults.stream()
                .filter(fault -> fault.where().equals(link))
                .filter(Fault.OfLink.class::isInstance)
                .map(fault -> ((Fault.OfLink) fault).faults())
                .toList();
    }

    /** The topology, its links with their faults. */
    public Topology withFaults() {
        List<Topology.Link> links = new ArrayList<>();
        LinkNames.links(topology)
                .forEach((name, link) -> {
                    List<LinkFaults> own = faultsOf(name);
                    links.add(
                            own.isEmpty()
                                    ? link
                                    : link.with(link.spec().withFaults(own.getLast())));
                });
        return topology.withLinks(links);
    }

    /** A description for people, one line for each element. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "%s, %s, paths by %s: %d hosts, %d switches, %d links; MTU %d, queues of %d bytes"
                        .formatted(
                                topology.name(),
                                topology.mode(),
                                topology.paths().unit(),
                                topology.hosts().size(),
                                topology.switches().size(),
                                topology.links().size(),
                                topology.sizes().mtuBytes(),
                                topology.sizes().queueLimitBytes()));
        LinkNames.links(topology)
                .forEach((name, link) -> {
                    long rateBps = link.spec().rateBps();
                    long delayPs = link.spec().delayPs();
                    lines.add(
                            "%s: %d b/s, %d ps, %s"
                                    .formatted(name, rateBps, delayPs, settings.describe(name)));
                });
        lines.add(settings.describe());
        streams.forEach(stream -> lines.add(stream.describe()));
        faults.forEach(fault -> lines.add(fault.name() + ": " + fault.describe()));
        orders.forEach(order -> lines.add(order.describe()));
        slowHosts.stream().sorted().forEach(host -> lines.add("slow receiver: " + host));
        return lines;
    }
}
