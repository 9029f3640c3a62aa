package io.headgate.testbed.netns.bed;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.runner.RealTimeSwitch;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Order;
import io.headgate.testbed.scenario.bed.Order.Planned;
import io.headgate.testbed.scenario.bed.Scaling;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The orders of an experiment on real frames. The resulting configuration of each switch is
 * computed before the run, so that orders are in force soon after their times; nothing else may
 * change these switches. Used by the thread of the bed.
 */
final class RunOrders {
    private static final long PS_PER_NS = 1000;

    private final RealTimeEngines switches;

    /** Those that are not given yet, by time. */
    private final Deque<Planned> due;

    private OptionalLong latestNs;

    private RunOrders(RealTimeEngines switches, Collection<Planned> all) {
        this.switches = switches;
        this.due = new ArrayDeque<>(all);
        this.latestNs = all.isEmpty() ? OptionalLong.empty() : OptionalLong.of(0);
    }

    /**
     * Those of an experiment, as much slower as its links are.
     *
     * @throws ScenarioException if a switch would refuse one, in a sentence
     */
    static RunOrders of(
            Experiment experiment, NetworkPlan plan, long seed, int scale, RealTimeEngines switches)
            throws ScenarioException {
        try {
            List<SwitchConfig> nominal =
                    NetworkPlan.of(experiment.topology(), PlanOptions.virtual(seed)).switches();
            List<Order> slower = new ArrayList<>();
            for (Planned planned : Order.plan(experiment.orders(), nominal)) {
                slower.add(planned.slower(scale));
            }
            experiment
                    .linkOrders()
                    .forEach(order ->
                            atEnds(
                                    plan,
                                    order.link(),
                                    Scaling.time(order.atPs(), scale),
                                    order.up() ? "up" : "down",
                                    slower));
            RunOrders orders = new RunOrders(switches, Order.plan(slower, plan.switches()));
            for (Planned planned : orders.due) {
                orders.running(planned).engine().requireTakes(planned.after());
            }
            return orders;
        } catch (Order.RefusedException e) {
            throw new ScenarioException(e);
        }
    }

    /** What the switches at the ends of a link do so that it goes down or comes up. */
    private static void atEnds(
            NetworkPlan plan, String name, long atPs, String state, List<Order> to) {
        for (LinkPlan link : plan.links()) {
            for (LinkPlan.End end : List.of(link.a(), link.b())) {
                if (link.name().equals(name) && !end.isHost()) {
                    SwitchConfig config = plan.switches().get(end.node());
                    Map<String, Object> device =
                            Map.of("device", Map.of("faults", Map.of("link", state)));
                    to.add(
                            new Order(
                                    atPs,
                                    config.name(),
                                    Map.of(config.ports().get(end.port()).name(), device)));
                }
            }
        }
    }

    void giveFirst() throws ScenarioException {
        while (nextNs() == 0) {
            give();
        }
    }

    /**
     * The time of the next one, in ns since the run began; {@link Long#MAX_VALUE}: none is left.
     */
    long nextNs() {
        Planned next = due.peek();
        return next == null ? Long.MAX_VALUE : next.order().atPs() / PS_PER_NS;
    }

    /** Gives the next one if its time has come; answers whether it had. */
    boolean giveIfDue(HostCards cards) throws ScenarioException {
        long orderNs = nextNs();
        if (cards.nowNs() < orderNs) {
            return false;
        }
        give();
        latestNs = OptionalLong.of(Math.max(latestNs.orElse(0), cards.nowNs() - orderNs));
        return true;
    }

    private void give() throws ScenarioException {
        Planned planned = due.remove();
        try {
            running(planned).change(planned.after());
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ScenarioException(
                    "the order to " + planned.order().node() + ": " + e.getMessage(), e);
        }
    }

    private RealTimeSwitch running(Planned planned) {
        return switches.named(planned.order().node()).realTime();
    }

    /** How late one was in force at worst, in ns; empty if there were none. */
    OptionalLong latestNs() {
        return latestNs;
    }
}
