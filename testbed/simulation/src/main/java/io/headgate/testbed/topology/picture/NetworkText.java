package io.headgate.testbed.topology.picture;

import io.headgate.config.key.Quantity;
import io.headgate.control.report.Table;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.Topology;
import java.util.Locale;

/**
 * Writes a network as text: the numbers of hosts, switches and links, then each link with its
 * ports, rate and delay.
 */
public final class NetworkText {
    private NetworkText() {}

    /** Describes a network; hosts are listed with their addresses. */
    public static String of(NetworkPlan plan) {
        Topology topology = plan.topology();
        StringBuilder text = new StringBuilder();
        text.append(topology.name().isEmpty() ? "network" : topology.name());
        text.append(": ").append(count(topology.hosts().size(), "host")).append(", ");
        text.append(count(topology.switches().size(), "switch")).append(", ");
        text.append(count(topology.links().size(), "link")).append("; ");
        text.append(topology.mode().name().toLowerCase(Locale.ROOT)).append(", MTU ");
        text.append(topology.sizes().mtuBytes()).append(" bytes\n\n");
        Table links = new Table("link", "from", "port", "to", "port", ">rate", ">delay");
        for (LinkPlan link : plan.links()) {
            links.row(
                    link.name(),
                    name(plan, link.a()),
                    port(link.a()),
                    name(plan, link.b()),
                    port(link.b()),
                    Quantity.RATE.format(link.spec().rateBps()),
                    Quantity.DELAY.format(link.spec().delayPs()));
        }
        text.append(links).append('\n');
        Table hosts = new Table("host", "address", "MAC address", "router");
        for (HostPlan host : plan.hosts()) {
            hosts.row(
                    host.name(),
                    host.address().getHostAddress() + "/" + host.ipv4().prefixLength(),
                    MacAddress.format(host.mac()),
                    host.gateway() == null ? "-" : host.gateway().getHostAddress());
        }
        return text.append(hosts).toString();
    }

    /** A link in words: its rate, and its delay if it has one. */
    static String words(LinkSpec spec) {
        return Quantity.RATE.format(spec.rateBps())
                + (spec.delayPs() == 0 ? "" : ", " + Quantity.DELAY.format(spec.delayPs()));
    }

    private static String count(int count, String what) {
        String plural = what.endsWith("ch") ? "es" : "s";
        return count + " " + what + (count == 1 ? "" : plural);
    }

    static String name(NetworkPlan plan, LinkPlan.End end) {
        return end.isHost()
                ? plan.hosts().get(end.node()).name()
                : plan.topology().switches().get(end.node()).name();
    }

    private static String port(LinkPlan.End end) {
        return end.isHost() ? "-" : "p" + (end.port() + 1);
    }
}
