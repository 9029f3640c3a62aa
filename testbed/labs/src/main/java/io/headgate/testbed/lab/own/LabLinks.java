package io.headgate.testbed.lab.own;

import io.headgate.config.SwitchConfig;
import io.headgate.control.link.LinkChange;
import io.headgate.control.link.LinkEnd;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayList;
import java.util.List;

/** The links of a lab, by the ports of its switches. */
public final class LabLinks {
    private LabLinks() {}

    /** The ends of all links that are at switches; switches by the names that they run under. */
    public static List<LinkChange.Port> ports(NetworkPlan plan) {
        List<LinkChange.Port> all = new ArrayList<>();
        for (LinkPlan link : plan.links()) {
            for (LinkPlan.End end : List.of(link.a(), link.b())) {
                if (end.isHost()) {
                    continue;
                }
                LinkPlan.End far = end.equals(link.a()) ? link.b() : link.a();
                SwitchConfig config = plan.switches().get(end.node());
                String node = name(plan, end);
                // Two labs of one file have different prefixes.
                String prefix = config.name().substring(0, config.name().length() - node.length());
                all.add(
                        new LinkChange.Port(
                                config.name(),
                                config.ports().get(end.port()).name(),
                                new LinkEnd(
                                        prefix + plan.topology().name(),
                                        link.name(),
                                        node,
                                        name(plan, far),
                                        far.isHost(),
                                        far.isHost() || end.equals(link.a()))));
            }
        }
        return all;
    }

    /** What an end of a link is called in its topology. */
    public static String name(NetworkPlan plan, LinkPlan.End end) {
        return end.isHost()
                ? plan.hosts().get(end.node()).name()
                : plan.topology().switches().get(end.node()).name();
    }
}
