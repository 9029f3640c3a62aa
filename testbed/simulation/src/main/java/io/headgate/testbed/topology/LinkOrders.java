package io.headgate.testbed.topology;

import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Computes the new routes of routers after links of a network went down or came up. */
public final class LinkOrders {
    private LinkOrders() {}

    /**
     * The new routes of one router.
     *
     * @param number number of the switch
     * @param node its name
     * @param next its routed configuration after the change
     * @param set keys with values as {@code headgate set} takes them from a mapping
     */
    public record Routes(int number, String node, RoutedConfig next, Map<String, Object> set) {}

    /**
     * The new routes of each router whose routes change.
     *
     * @param down numbers of the links that are down
     * @param now current configuration of each switch, by number
     */
    public static List<Routes> routes(NetworkPlan plan, BitSet down, List<RoutedConfig> now) {
        List<Routes> all = new ArrayList<>();
        if (plan.topology().mode() != SwitchConfig.Mode.ROUTED) {
            return all; // bridges keep their forwarding entries
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
