package io.headgate.testbed.lab.twin;

import io.headgate.testbed.lab.own.LabLinks;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lab's network, read from its report for programs.
 *
 * @param hosts their names, by number
 * @param switches the same
 * @param links in the order of their numbers, which is that of ports
 * @param seconds for which it was used; null in reports of before there were several runs
 */
public record RecordedNetwork(
        List<String> hosts, List<String> switches, List<Link> links, @Nullable Double seconds) {
    /** Before the name of what the network was used for: the result of a report that has it. */
    public static final String RESULT = "Network of ";

    private static final long PS_PER_NS = 1000;

    /** A link between two nodes by their names. */
    public record Link(String a, String b, long rateBps, long delayNs) {
        public Link {
            Objects.requireNonNull(a);
            Objects.requireNonNull(b);
        }
    }

    public RecordedNetwork {
        hosts = List.copyOf(hosts);
        switches = List.copyOf(switches);
        links = List.copyOf(links);
    }

    /** What a report keeps of a network. */
    public static RecordedNetwork of(NetworkPlan plan, double seconds) {
        List<Link> links = new ArrayList<>();
        for (LinkPlan link : plan.links()) {
            long delayNs = link.spec().delayPs() / PS_PER_NS;
            links.add(
                    new Link(
                            LabLinks.name(plan, link.a()),
                            LabLinks.name(plan, link.b()),
                            link.spec().rateBps(),
                            delayNs));
        }
        return new RecordedNetwork(
                plan.hosts().stream().map(host -> host.name()).toList(),
                plan.topology().switches().stream().map(each -> each.name()).toList(),
                links,
                seconds);
    }
}
