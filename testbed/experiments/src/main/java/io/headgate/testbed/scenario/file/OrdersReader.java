package io.headgate.testbed.scenario.file;

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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes during a scenario's run: to switches and links, and to routes after a link's
 * change.
 */
final class OrdersReader {
    private final YamlConfig yaml;
    private final Topology topology;
    private final ScenarioFile said;
    private final List<Order> orders = new ArrayList<>();
    private final List<LinkOrder> linkOrders = new ArrayList<>();
    private final IdentityHashMap<Order, String> places = new IdentityHashMap<>();

    OrdersReader(YamlConfig yaml, Topology topology, ScenarioFile said) {
        this.yaml = yaml;
        this.topology = topology;
        this.said = said;
    }

    List<Order> ofSwitches() {
        return orders;
    }

    List<LinkOrder> ofLinks() {
        return linkOrders;
    }

    /** Reads them; errors are recorded in the file. */
    void read() {
        if (said.orders().isEmpty()) {
            return;
        }
        NetworkPlan plan = NetworkPlan.of(topology, PlanOptions.virtual(0));
        for (int i = 0; i < said.orders().size(); i++) {
            ScenarioFile.OrderEntry one = said.orders().get(i);
            String at = YamlConfig.child("/orders", i);
            if (one.atPs() > said.durationPs()) {
                yaml.refuse(
                        at + "/at",
                        "a time after the end",
                        "up to the duration, " + Quantity.DELAY.format(said.durationPs()));
            }
            boolean isSet = !one.set().isEmpty();
            int kinds =
                    (isSet ? 1 : 0) + (one.down().isEmpty() ? 0 : 1) + (one.up().isEmpty() ? 0 : 1);
            if (kinds != 1 || (!isSet && !one.node().isEmpty())) {
                yaml.refuse(at, yaml.described(at), yaml.allowedAt(at));
            } else if (isSet) {
                ofSwitch(at, one);
            } else {
                ofLinks(at + "/down", one.down(), one.atPs(), false, plan);
                ofLinks(at + "/up", one.up(), one.atPs(), true, plan);
            }
        }
        if (yaml.isSound()) {
            reroute(plan);
            check(plan.switches());
        }
    }

    private void ofSwitch(String at, ScenarioFile.OrderEntry one) {
        List<String> switches = topology.switches().stream().map(Topology.Switch::name).toList();
        String node = one.node().isEmpty() ? switches.getFirst() : one.node();
        if (!switches.contains(node)) {
            yaml.refuse(
                    at + "/switch",
                    "the unknown switch " + YamlConfig.quote(node),
                    "one of " + String.join(", ", switches));
        }
        if (one.node().isEmpty() && switches.size() > 1) {
            yaml.refuse(at, "no switch", "one of the switches, such as switch: " + node);
        }
        Order order = new Order(one.atPs(), node, one.set());
        orders.add(order);
        places.put(order, at + "/set");
    }

    private void ofLinks(String at, List<String> names, long atPs, boolean isUp, NetworkPlan plan) {
        for (String name : names) {
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
        long afterPs = said.reroutePs();
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
            if (isLast && afterPs <= said.durationPs() - atPs) {
                for (LinkOrders.Routes routes : LinkOrders.routes(plan, down, now)) {
                    orders.add(new Order(atPs + afterPs, routes.node(), routes.set()));
                    now.set(routes.number(), routes.next());
                }
            }
        }
    }

    private void check(List<SwitchConfig> switches) {
        try {
            Order.plan(orders, switches);
        } catch (Order.RefusedException e) {
            yaml.refuse(places.getOrDefault(e.order(), "/orders"), e.why());
        }
    }
}
