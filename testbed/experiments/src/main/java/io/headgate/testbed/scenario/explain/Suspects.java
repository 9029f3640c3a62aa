package io.headgate.testbed.scenario.explain;

import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.FlowNames;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the smallest number of flows without which a queue would not be paused. From the flows that
 * cross the queue and a root of its pause, the largest are removed until the load that the others
 * offer to the root fits its link. If another port would then be overloaded, and its pauses would
 * reach the queue instead, the same is done there.
 *
 * <p>The load that a flow offers is what its application would send, limited by the links before
 * the port.
 */
final class Suspects {
    private static final double BITS_PER_BYTE = 8;
    private static final double PS_PER_S = 1e12;

    /**
     * What flows of a name offer on a way.
     *
     * @param way the ends of links by which their frames leave, the host's first
     * @param isShort whether they end by themselves: they count where frames of them are seen
     */
    private record Offer(String flow, List<LinkPlan.End> way, double bps, boolean isShort) {
        boolean crosses(LinkPlan.End port) {
            return way.contains(port);
        }
    }

    private final NetworkPlan plan;
    private final List<Offer> offers = new ArrayList<>();

    /**
     * @param fromPs start of the period in which flows count as sending
     * @param untilPs its end
     */
    Suspects(Experiment experiment, NetworkPlan plan, long fromPs, long untilPs) {
        this.plan = plan;
        FlowNames names = new FlowNames(experiment);
        for (int i = 0; i < experiment.flows().size(); i++) {
            FlowSpec flow = experiment.flows().get(i);
            if (flow.startPs() < untilPs && flow.stopPs() > fromPs) {
                boolean isShort = flow.sizeBytes() != FlowSpec.UNLIMITED || !flow.after().isEmpty();
                List<LinkPlan.End> way = plan.way(flow.source(), flow.destination());
                offers.add(new Offer(names.ofFlow(i), way, offered(flow.pattern()), isShort));
            }
        }
        for (int i = 0; i < experiment.arrivals().size(); i++) {
            ArrivalSpec source = experiment.arrivals().get(i);
            for (int destination : source.destinations()) {
                List<LinkPlan.End> way = plan.way(source.source(), destination);
                offers.add(new Offer(names.ofSource(i), way, offered(source.pattern()), true));
            }
        }
    }

    private static double offered(SendPattern pattern) {
        return switch (pattern) {
            case SendPattern.ConstantRate constant -> constant.rateBps();
            case SendPattern.OnOff onOff -> onOff.rateBps();
            case SendPattern.Controlled controlled -> controlled.demandBps();
            case SendPattern.PoissonFrames poisson ->
                    poisson.frameBytes().meanBytes()
                            * BITS_PER_BYTE
                            * PS_PER_S
                            / poisson.meanIntervalPs();
            case SendPattern.Greedy _ -> Double.POSITIVE_INFINITY;
        };
    }

    /** The suspects of a tree; empty if no flow is known. */
    List<String> of(PauseTree tree) {
        Set<String> seen = new HashSet<>();
        tree.addFlows(seen);
        offers.removeIf(offer -> offer.isShort && !seen.contains(offer.flow));
        LinkPlan.End queue = plan.end(tree.place());
        Set<String> out = new LinkedHashSet<>();
        if (queue == null) {
            return List.of();
        }
        for (PauseTree root : tree.roots()) {
            addAt(queue, root, out);
        }
        Set<LinkPlan.End> done = new HashSet<>();
        for (LinkPlan.End next = congested(queue, out, done);
                next != null;
                next = congested(queue, out, done)) {
            addAt(next, before(queue, out), out);
            done.add(next);
        }
        return List.copyOf(out);
    }

    private void addAt(LinkPlan.End queue, PauseTree root, Set<String> out) {
        LinkPlan.End at = plan.end(root.place());
        if (at == null) {
            return;
        }
        Map<String, Long> found = new HashMap<>();
        root.flows().forEach(share -> found.put(share.flow(), share.bytes()));
        List<String> candidates =
                offers.stream()
                        .filter(offer ->
                                found.containsKey(offer.flow)
                                        || (offer.crosses(queue) && offer.crosses(at)))
                        .map(Offer::flow)
                        .distinct()
                        .sorted(Comparator.comparingLong(flow -> -found.getOrDefault(flow, 0L)))
                        .toList();
        double fits = root.kind() == PauseTree.Kind.HOST ? 0 : rateBps(at);
        boolean isFirst = true;
        for (String flow : candidates) {
            if (!isFirst && offeredBps(at, out) <= fits) {
                break;
            }
            out.add(flow);
            isFirst = false;
        }
    }

    /** The same at another port, for the flows that come there by a port that would be paused. */
    private void addAt(LinkPlan.End at, Set<LinkPlan.End> paused, Set<String> out) {
        List<Offer> candidates =
                offers.stream()
                        .filter(offer -> !out.contains(offer.flow) && offer.crosses(at))
                        .filter(offer ->
                                offer.way.subList(0, offer.way.indexOf(at)).stream()
                                        .anyMatch(paused::contains))
                        .sorted(Comparator.comparingDouble(offer -> -offer.bps))
                        .toList();
        for (Offer offer : candidates) {
            if (offeredBps(at, out) <= rateBps(at)) {
                return;
            }
            out.add(offer.flow);
        }
    }

    /**
     * A port that is offered more than it carries, and whose pauses come to the queue, perhaps by
     * ports that are paused for them; null: none.
     */
    private LinkPlan.@Nullable End congested(
            LinkPlan.End queue, Set<String> out, Set<LinkPlan.End> done) {
        return before(queue, out).stream()
                .filter(port -> !done.contains(port) && !port.equals(queue))
                .filter(port -> offeredBps(port, out) > rateBps(port))
                .findFirst()
                .orElse(null);
    }

    /** The queue, and all ports that may pause it, since frames that cross it wait there. */
    private Set<LinkPlan.End> before(LinkPlan.End queue, Set<String> out) {
        Set<LinkPlan.End> ports = new LinkedHashSet<>(List.of(queue));
        boolean grew = true;
        while (grew) {
            Set<LinkPlan.End> known = Set.copyOf(ports);
            for (Offer offer : offers) {
                for (int i = 0; i < offer.way.size() && !out.contains(offer.flow); i++) {
                    if (known.contains(offer.way.get(i))) {
                        ports.addAll(offer.way.subList(i, offer.way.size()));
                        break;
                    }
                }
            }
            grew = ports.size() > known.size();
        }
        return ports;
    }

    private double rateBps(LinkPlan.End at) {
        return at.isHost()
                ? plan.hosts().get(at.node()).card().rateBps()
                : plan.switches().get(at.node()).ports().get(at.port()).rateBps();
    }

    /** What comes to a port without some of the flows, as the links before it let it. */
    private double offeredBps(LinkPlan.End port, Set<String> without) {
        Map<LinkPlan.End, List<Offer>> byLink = new HashMap<>();
        for (Offer offer : offers) {
            int at = without.contains(offer.flow) ? -1 : offer.way.indexOf(port);
            if (at > 0) {
                byLink.computeIfAbsent(offer.way.get(at - 1), _ -> new ArrayList<>()).add(offer);
            }
        }
        double sum = 0;
        for (Map.Entry<LinkPlan.End, List<Offer>> link : byLink.entrySet()) {
            double there = link.getValue().stream().mapToDouble(Offer::bps).sum();
            sum += Math.min(there, rateBps(link.getKey()));
        }
        return sum;
    }
}
