package io.headgate.testbed.topology;

import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** What routers set when links of a network went down or came up: the routes that are left. */
public final class LinkOrders {
    private LinkOrders() {}

    /**
     * What a router gets.
     *
     * @param number the switch's
     * @param node its name
     * @param next what it has when it has taken it
     * @param set keys with values as {@code headgate set} takes them from a mapping
     */
    public record Routes(int number, String node, RoutedConfig next, Map<String, Object> set) {}

    /**
     * The routes of routers whose routes differ from those in force.
     *
     * @param down numbers of the links that are down
     * @param now what each switch has now, by number
     */
    public static List<Routes> routes(NetworkPlan plan, BitSet down, List<RoutedConfig> now) {
        List<Routes> all = new ArrayList<>();
        if (plan.topology().mode() != SwitchConfig.Mode.ROUTED) {
            return all; // addresses of bridges stand where they are
        }
        List<RoutedConfig> next = plan.routesWithout(down);
        for (int number = 0; number < next.size(); number++) {
            if (!next.get(number).routes().equals(now.get(number).routes())) {
                SwitchConfig config = plan.switches().get(number).withRouted(next.get(number));
                Object routed = SwitchConfigs.toMap(config).get("routed");
                Object routes = routed instanceof Map<?, ?> keys ? keys.get("routes") : null;
                all.add(
                        new Routes(
                                number,
                                plan.topology().switches().get(number).name(),
                                next.get(number),
                                Map.of(
                                        "routed",
                                        Map.of("routes", routes == null ? List.of() : routes))));
            }
        }
        return all;
    }
}
