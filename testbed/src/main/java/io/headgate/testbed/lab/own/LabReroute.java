package io.headgate.testbed.lab.own;

import io.headgate.config.ConfigException;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.Reason;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.control.run.RunningSwitch;
import io.headgate.testbed.topology.LinkOrders;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Gives the routers of a lab the routes that are left, a while after a link went down or came up by
 * an order, by a person or because a device is gone. It looks at intervals, by a thread of its own.
 */
public final class LabReroute implements AutoCloseable {
    private static final long LOOK_MS = 10;

    private final List<RunningSwitch> switches;
    private final NetworkPlan plan;
    private final long afterMs;
    private final Consumer<String> say;
    private final List<RoutedConfig> now;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("headgate-reroute").daemon().factory());
    private BitSet seen = new BitSet();

    /**
     * @param switches in the order of the plan
     * @param afterMs how long after a change of a link
     * @param say is called with sentences, by another thread
     */
    public LabReroute(
            NetworkPlan plan, List<RunningSwitch> switches, long afterMs, Consumer<String> say) {
        this.switches = List.copyOf(switches);
        this.plan = plan;
        this.afterMs = afterMs;
        this.say = say;
        this.now = new ArrayList<>(plan.switches().stream().map(SwitchConfig::routed).toList());
        if (plan.topology().mode() == SwitchConfig.Mode.ROUTED) {
            var _ =
                    thread.scheduleWithFixedDelay(
                            this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        BitSet down = down();
        if (!down.equals(seen)) {
            seen = down;
            var _ = thread.schedule(() -> reroute(down), afterMs, TimeUnit.MILLISECONDS);
        }
    }

    private BitSet down() {
        BitSet down = new BitSet();
        for (LinkPlan link : plan.links()) {
            if (isDown(link.a()) || isDown(link.b())) {
                down.set(link.number());
            }
        }
        return down;
    }

    private boolean isDown(LinkPlan.End end) {
        if (end.isHost()) {
            return false;
        }
        RunningSwitch own = switches.get(end.node());
        PortConfig port = own.config().ports().get(end.port());
        boolean isPulled =
                port.device() instanceof DeviceConfig.Faulty faulty && faulty.faults().isPulled();
        return isPulled || !own.realTime().engine().registry().isUp(end.port());
    }

    private void reroute(BitSet down) {
        List<String> changed = new ArrayList<>();
        LinkOrders.routes(plan, down, now)
                .forEach((node, set) -> {
                    try {
                        switches.get(number(node)).set(set, "reroute");
                        changed.add(node);
                    } catch (IllegalStateException | ConfigException e) {
                        say.accept("routes of " + node + " stay as they are: " + Reason.of(e));
                    }
                });
        if (!changed.isEmpty()) {
            String links =
                    String.join(
                            ", ",
                            down.stream().mapToObj(one -> plan.links().get(one).name()).toList());
            say.accept(
                    "Routes "
                            + (links.isEmpty() ? "of all links" : "without " + links)
                            + " at "
                            + String.join(", ", changed));
        }
    }

    private int number(String node) {
        List<Topology.Switch> nodes = plan.topology().switches();
        return nodes.stream().map(Topology.Switch::name).toList().indexOf(node);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
