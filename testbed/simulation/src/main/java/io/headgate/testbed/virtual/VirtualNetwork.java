package io.headgate.testbed.virtual;

import io.headgate.config.SwitchConfig;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.virtual.link.IdlePath;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A plan's network in virtual time: it has a network card for each host, an engine for each switch,
 * and a virtual link for each link, with the plan's numbers. In the run's own numbering hosts come
 * before switches. Belongs to the run's thread.
 */
public final class VirtualNetwork {
    private final VirtualRun run;
    private final NetworkPlan plan;
    private final List<HostNode> hosts = new ArrayList<>();
    private final List<SwitchNode> switches = new ArrayList<>();
    private final List<VirtualLink> links = new ArrayList<>();

    private VirtualNetwork(VirtualRun run, NetworkPlan plan, UnaryOperator<CardSetup> cards) {
        this.run = run;
        this.plan = plan;
        for (HostPlan host : plan.hosts()) {
            hosts.add(run.addHost(cards.apply(host.card())));
        }
        for (SwitchConfig config : plan.switches()) {
            switches.add(run.addSwitch(config));
        }
        for (LinkPlan link : plan.links()) {
            links.add(
                    run.connect(
                            node(link.a()),
                            port(link.a()),
                            node(link.b()),
                            port(link.b()),
                            link.spec()));
        }
    }

    /** Adds a network to a run that has not started. */
    public static VirtualNetwork in(VirtualRun run, NetworkPlan plan) {
        return new VirtualNetwork(run, plan, UnaryOperator.identity());
    }

    /**
     * Adds a network to a run that has not started.
     *
     * @param cards changes each host's card last
     */
    public static VirtualNetwork in(
            VirtualRun run, NetworkPlan plan, UnaryOperator<CardSetup> cards) {
        return new VirtualNetwork(run, plan, cards);
    }

    private VirtualNode node(LinkPlan.End end) {
        return end.isHost() ? hosts.get(end.node()) : switches.get(end.node());
    }

    private static int port(LinkPlan.End end) {
        return end.isHost() ? HostCard.WIRE : end.port();
    }

    /**
     * Traffic with all the network's hosts, by their numbers; completion times are compared with
     * those in an idle network.
     */
    public Traffic traffic(Traffic.Options options) {
        Traffic traffic = VirtualTraffic.of(run, options);
        for (HostPlan host : plan.hosts()) {
            VirtualTraffic.addHost(traffic, hosts.get(host.number()), address(host));
        }
        traffic.measureAgainst((flow, frames, lastFrameBytes) -> {
            List<LinkPlan> path = plan.path(flow.sourceHost(), flow.destinationHost());
            return new IdlePath(
                            run.options().wire(),
                            path.stream().mapToLong(link -> link.spec().rateBps()).toArray(),
                            path.stream().mapToLong(link -> link.spec().delayPs()).toArray())
                    .arrivalPs(frames, flow.fullFrameBytes(), lastFrameBytes);
        });
        return traffic;
    }

    private static HostAddress address(HostPlan host) {
        Inet4Address ipv4 = host.address();
        return new HostAddress(
                host.name(),
                host.mac(),
                ByteBuffer.wrap(ipv4.getAddress()).getInt(),
                host.gatewayMac());
    }

    public VirtualRun run() {
        return run;
    }

    public NetworkPlan plan() {
        return plan;
    }

    public HostNode host(int number) {
        return hosts.get(number);
    }

    public SwitchNode switchNode(int number) {
        return switches.get(number);
    }

    /** All switches, by number. */
    public List<SwitchNode> switches() {
        return Collections.unmodifiableList(switches);
    }

    /** A link; its end 0 is that of the plan's first node. */
    public VirtualLink link(int number) {
        return links.get(number);
    }
}
