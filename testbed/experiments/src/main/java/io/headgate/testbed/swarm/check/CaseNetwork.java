package io.headgate.testbed.swarm.check;

import io.headgate.config.ConfigException;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchPatch;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.testbed.swarm.draw.Fault;
import io.headgate.testbed.swarm.draw.LinkNames;
import io.headgate.testbed.swarm.draw.Order;
import io.headgate.testbed.swarm.draw.Stream;
import io.headgate.testbed.swarm.draw.SwarmCase;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.VirtualTimer;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A case that is built and ready to run: its network and traffic, with the faults and orders on
 * their timers.
 */
public final class CaseNetwork {
    /** Bytes of a slot where only headers are stored. */
    private static final int SLOT_BYTES = 512;

    private static final long LEAST_TIMEOUT_PS = 1_000_000;

    private final SwarmCase what;
    private final VirtualRun run;
    private final VirtualNetwork network;
    private final Traffic traffic;
    private final FrameLog log;

    /** For each switch its configurations: that of the start, then one after each order. */
    private final Map<VirtualNode, List<SwitchConfig>> configs = new HashMap<>();

    private final Map<Order, Optional<SwitchConfig>> patched;

    private int stalled;

    /**
     * @param patched results of orders, the same in each network of a case; this one adds missing
     *     results
     */
    public CaseNetwork(
            SwarmCase what, RunOptions options, Map<Order, Optional<SwitchConfig>> patched) {
        this.what = what;
        this.patched = patched;
        this.run = new VirtualRun(options);
        Topology topology = what.withFaults();
        NetworkPlan plan =
                NetworkPlan.of(
                        topology,
                        PlanOptions.virtual(what.seed())
                                .withAdjust(what.settings().onSwitches(topology)));
        UnaryOperator<CardSetup> settings = what.settings().onHosts(topology);
        this.network = VirtualNetwork.in(run, plan, card -> card(settings.apply(card)));
        long timeoutPs = Math.max(LEAST_TIMEOUT_PS, what.patiencePs() / 2);
        this.traffic = network.traffic(new Traffic.Options(timeoutPs, true));
        this.log = new FrameLog(run.nodes());
        for (Stream stream : what.streams()) {
            stream.start(traffic, topology);
        }
        for (Fault fault : what.faults()) {
            schedule(fault, topology);
        }
        what.orders().stream()
                .sorted(Comparator.comparingLong(Order::atPs))
                .forEach(order -> plan(order, (SwitchNode) node(order.node())));
    }

    /** Works out the result of an order after those before it. */
    private void plan(Order order, SwitchNode node) {
        List<SwitchConfig> planned =
                configs.computeIfAbsent(
                        node, _ -> new ArrayList<>(List.of(node.engine().config())));
        patched.computeIfAbsent(order, _ -> patched(order, planned.getLast()))
                .ifPresent(after -> {
                    try {
                        node.engine().requireTakes(after);
                        planned.add(after);
                        at(order.atPs(), () -> node.change(run.clock().ns(), after));
                    } catch (ConfigException | IllegalArgumentException refused) {
                        // As headgate set is refused: nothing is changed.
                    }
                });
    }

    private static Optional<SwitchConfig> patched(Order order, SwitchConfig before) {
        try {
            String assignment = order.assignmentAt(before);
            return Optional.of(SwitchPatch.apply(before, List.of(assignment)).config());
        } catch (ConfigException | IllegalArgumentException refused) {
            return Optional.empty();
        }
    }

    /** All configurations that a port has had during the run. */
    List<PortConfig> configs(VirtualNode node, int port) {
        List<SwitchConfig> all = configs.get(node);
        return all == null
                ? List.of(node.config(port))
                : all.stream().map(config -> config.ports().get(port)).toList();
    }

    private CardSetup card(CardSetup plain) {
        boolean slow = what.slowHosts().contains(plain.name());
        return (slow ? plain.withAppRateBps(plain.rateBps() / 4) : plain)
                .withSlots(what.cards(), what.cards(), SLOT_BYTES);
    }

    private void schedule(Fault fault, Topology topology) {
        switch (fault) {
            case Fault.OfLink ofLink -> {} // the link has them
            case Fault.Flap flap -> {
                VirtualLink link = network.link(LinkNames.of(topology).indexOf(flap.where()));
                at(flap.atPs(), () -> link.setUp(false));
                at(flap.atPs() + flap.downPs(), () -> link.setUp(true));
            }
            case Fault.Stall stall -> {
                VirtualNode node = node(stall.where());
                // One after the other: who is stalled already stays so.
                at(stall.atPs(), () -> stall(node));
                at(stall.atPs() + stall.forPs(), () -> resume(node));
            }
        }
    }

    private void at(long ps, Runnable what) {
        VirtualTimer timer = run.addTimer((self, nowPs) -> what.run());
        timer.schedule(ps);
    }

    private void stall(VirtualNode node) {
        stalled++;
        run.stall(node);
    }

    private void resume(VirtualNode node) {
        stalled--;
        run.resume(node);
    }

    private VirtualNode node(String name) {
        return run.nodes().stream().filter(n -> n.name().equals(name)).findFirst().orElseThrow();
    }

    public SwarmCase what() {
        return what;
    }

    public VirtualRun run() {
        return run;
    }

    public VirtualNetwork network() {
        return network;
    }

    Traffic traffic() {
        return traffic;
    }

    FrameLog log() {
        return log;
    }

    public List<VirtualNode> nodes() {
        return run.nodes();
    }

    /** Whether no node is stalled now. */
    boolean isAwake() {
        return stalled == 0;
    }
}
