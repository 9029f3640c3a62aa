package io.headgate.testbed.scenario.file;

import io.headgate.config.ConfigProblem;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.bed.LinkOrder;
import io.headgate.testbed.scenario.bed.Order;
import io.headgate.testbed.topology.LinkOrders;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what changes while a scenario runs: switches, links, and the routes that links leave. */
final class OrdersReader {
    private final YamlConfig yaml;
    private final Topology topology;
    private final long durationPs;
    private final List<Order> orders = new ArrayList<>();
    private final List<LinkOrder> linkOrders = new ArrayList<>();
    private final IdentityHashMap<Order, String> places = new IdentityHashMap<>();

    OrdersReader(YamlConfig yaml, Topology topology, long durationPs) {
        this.yaml = yaml;
        this.topology = topology;
        this.durationPs = durationPs;
    }

    List<Order> ofSwitches() {
        return orders;
    }

    List<LinkOrder> ofLinks() {
        return linkOrders;
    }

    /** What is wrong is recorded in the file. */
    void read() {
        List<String> items = yaml.items("/orders");
        if (items.isEmpty()) {
            return;
        }
        NetworkPlan plan = NetworkPlan.of(topology, PlanOptions.virtual(0));
        for (String at : items) {
            long atPs = yaml.quantity(at + "/at", Quantity.DELAY, 0);
            if (atPs > durationPs) {
                yaml.refuse(
                        at + "/at",
                        "a time after the end",
                        "up to the duration, " + Quantity.DELAY.format(durationPs));
            }
            boolean isSet = yaml.isGiven(at + "/set");
            boolean isDown = yaml.isGiven(at + "/down");
            boolean isUp = yaml.isGiven(at + "/up");
            int kinds = (isSet ? 1 : 0) + (isDown ? 1 : 0) + (isUp ? 1 : 0);
            if (kinds != 1 || (!isSet && yaml.isGiven(at + "/switch"))) {
                yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
            } else if (isSet) {
                ofSwitch(at, atPs);
            } else {
                ofLinks(at + (isUp ? "/up" : "/down"), atPs, isUp, plan);
            }
        }
        if (yaml.isSound()) {
            reroute(plan);
            check(plan.switches());
        }
    }

    private void ofSwitch(String at, long atPs) {
        List<String> switches = topology.switches().stream().map(Topology.Switch::name).toList();
        String node = yaml.text(at + "/switch", switches.getFirst());
        if (!switches.contains(node)) {
            yaml.refuse(
                    at + "/switch",
                    "the unknown switch " + YamlConfig.quote(node),
                    "one of " + String.join(", ", switches));
        }
        if (!yaml.isGiven(at + "/switch") && switches.size() > 1) {
            yaml.refuse(at, "no switch", "one of the switches, such as switch: " + node);
        }
        Map<String, Object> set = new LinkedHashMap<>();
        if (yaml.place(at + "/set").said() instanceof Map<?, ?> said) {
            said.forEach((key, value) -> set.put((String) key, value));
        }
        Order order = new Order(atPs, node, set);
        orders.add(order);
        places.put(order, at + "/set");
    }

    private void ofLinks(String at, long atPs, boolean isUp, NetworkPlan plan) {
        for (String name : yaml.oneOrMore(at, item -> yaml.text(item, ""))) {
            LinkPlan link = named(name, plan);
            if (link == null) {
                yaml.refuse(
                        at,
                        "no link " + YamlConfig.quote(name),
                        "one of "
                                + String.join(
                                        ", ", plan.links().stream().map(LinkPlan::name).toList()));
                continue;
            }
            linkOrders.add(new LinkOrder(atPs, link.name(), isUp));
        }
    }

    private @Nullable LinkPlan named(String name, NetworkPlan plan) {
        for (LinkPlan link : plan.links()) {
            Topology.Link ends = topology.links().get(link.number());
            String number = link.name().substring(ends.a().length() + ends.b().length() + 1);
            if (name.equals(link.name()) || name.equals(ends.b() + "-" + ends.a() + number)) {
                return link;
            }
        }
        return null;
    }

    /** Routers have the routes that links leave a while after these went down or came up. */
    private void reroute(NetworkPlan plan) {
        long afterPs = yaml.quantity("/reroute", Quantity.DELAY, 0);
        linkOrders.sort(Comparator.comparingLong(LinkOrder::atPs));
        List<RoutedConfig> now =
                new ArrayList<>(plan.switches().stream().map(SwitchConfig::routed).toList());
        BitSet down = new BitSet();
        for (int i = 0; i < linkOrders.size(); i++) {
            LinkOrder order = linkOrders.get(i);
            for (LinkPlan link : plan.links()) {
                if (link.name().equals(order.link())) {
                    down.set(link.number(), !order.up());
                }
            }
            long atPs = order.atPs();
            boolean isLast = i + 1 == linkOrders.size() || linkOrders.get(i + 1).atPs() > atPs;
            if (isLast && afterPs <= durationPs - atPs) {
                for (LinkOrders.Routes routes : LinkOrders.routes(plan, down, now)) {
                    orders.add(new Order(atPs + afterPs, routes.node(), routes.set()));
                    now.set(routes.number(), routes.next());
                }
            }
        }
    }

    private void check(List<SwitchConfig> switches) {
        try {
            Order.check(orders, switches);
        } catch (Order.RefusedException e) {
            for (ConfigProblem problem : e.why().problems()) {
                yaml.refuse(
                        places.getOrDefault(e.order(), "/orders"),
                        (problem.path().isEmpty() ? "" : problem.path() + ": ") + problem.found(),
                        problem.allowed());
            }
        }
    }
}
