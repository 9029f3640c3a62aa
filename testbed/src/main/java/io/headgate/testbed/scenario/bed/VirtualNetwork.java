package io.headgate.testbed.scenario.bed;

import io.headgate.dataplane.engine.NicEngine;
import io.headgate.dataplane.engine.NicSetup;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.virtual.HostNode;
import io.headgate.testbed.virtual.LinkSetup;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.host.HostAddress;
import io.headgate.testbed.virtual.host.Traffic;
import io.headgate.testbed.virtual.host.TrafficDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A planned network in virtual time, with traffic's end points behind its hosts' cards. */
public final class VirtualNetwork {
    private final NetworkPlan plan;
    private final VirtualRun run;
    private final Traffic traffic;
    private final List<SwitchNode> switches = new ArrayList<>();
    private final List<HostNode> hosts = new ArrayList<>();

    /** Builds the network; nothing sends yet. */
    public VirtualNetwork(NetworkPlan plan, RunOptions options, Traffic.Options trafficOptions) {
        this.plan = plan;
        this.run = new VirtualRun(options);
        this.traffic = new Traffic(options.seed(), run.clock()::ps, options.wire(), trafficOptions);
        plan.switches().forEach(config -> switches.add(run.addSwitch(config)));
        for (HostPlan host : plan.hosts()) {
            HostNode node =
                    run.addHost(
                            NicSetup.of(host.name(), host.rateBps()).withMtuBytes(host.mtuBytes()));
            TrafficDevice device = traffic.addHost(address(host));
            node.attachApp(device);
            device.ring(node.appDoorbell());
            hosts.add(node);
        }
        for (LinkPlan link : plan.links()) {
            run.connect(
                    node(link.a()),
                    port(link.a()),
                    node(link.b()),
                    port(link.b()),
                    LinkSetup.of(link.spec().rateBps(), link.spec().delayPs()));
        }
    }

    static HostAddress address(HostPlan host) {
        int ipv4 = ByteBuffer.wrap(host.address().getAddress()).getInt();
        return new HostAddress(host.name(), host.mac(), ipv4, host.gatewayMac());
    }

    private VirtualNode node(LinkPlan.End end) {
        return end.isHost() ? hosts.get(end.node()) : switches.get(end.node());
    }

    private static int port(LinkPlan.End end) {
        return end.isHost() ? NicEngine.WIRE : end.port();
    }

    public NetworkPlan plan() {
        return plan;
    }

    public VirtualRun run() {
        return run;
    }

    public Traffic traffic() {
        return traffic;
    }

    /** The switches, by number. */
    public List<SwitchNode> switches() {
        return List.copyOf(switches);
    }

    /** The hosts, by number. */
    public List<HostNode> hosts() {
        return List.copyOf(hosts);
    }
}
