package io.headgate.testbed.scenario.explain;

import io.headgate.config.SwitchConfig;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names of a network's ports, as {@code s1:p2}, and of hosts. */
final class Places {
    private Places() {}

    static String name(NetworkPlan plan, LinkPlan.End end) {
        if (end.isHost()) {
            return plan.hosts().get(end.node()).name();
        }
        SwitchConfig config = plan.switches().get(end.node());
        return config.name() + ":" + config.ports().get(end.port()).name();
    }

    /** The end of a link at a place; null: there is none. */
    static LinkPlan.@Nullable End end(NetworkPlan plan, String place) {
        for (LinkPlan link : plan.links()) {
            for (LinkPlan.End end : List.of(link.a(), link.b())) {
                if (name(plan, end).equals(place)) {
                    return end;
                }
            }
        }
        return null;
    }

    /** The far end of a link. */
    static LinkPlan.End peer(NetworkPlan plan, LinkPlan.End end) {
        for (LinkPlan link : plan.links()) {
            if (link.a().equals(end)) {
                return link.b();
            }
            if (link.b().equals(end)) {
                return link.a();
            }
        }
        throw new IllegalArgumentException("no link ends at " + end);
    }

    /** The ends of links by which frames leave from one host to another, the host's own first. */
    static List<LinkPlan.End> way(NetworkPlan plan, int from, int to) {
        List<LinkPlan.End> way = new ArrayList<>();
        LinkPlan.End at = new LinkPlan.End(true, from, 0);
        for (LinkPlan link : plan.path(from, to)) {
            boolean isForward = isSameNode(link.a(), at);
            way.add(isForward ? link.a() : link.b());
            at = isForward ? link.b() : link.a();
        }
        return way;
    }

    private static boolean isSameNode(LinkPlan.End one, LinkPlan.End other) {
        return one.isHost() == other.isHost() && one.node() == other.node();
    }

    /** All places, for a person who asks for another. */
    static List<String> all(NetworkPlan plan) {
        List<String> all = new ArrayList<>();
        for (LinkPlan link : plan.links()) {
            all.add(name(plan, link.a()));
            all.add(name(plan, link.b()));
        }
        return all;
    }
}
