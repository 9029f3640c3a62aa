package io.headgate.config;

import java.net.InetAddress;
import java.util.List;

/** Static routes of a routing switch; the networks of its ports need none. */
public record RoutedConfig(List<Route> routes, long neighbourTimeoutNs) {

    public RoutedConfig {
        routes = List.copyOf(routes);
    }

    /** A prefix and the next hops that share it (equal-cost multipath). */
    public record Route(InterfaceAddress prefix, List<InetAddress> nextHops) {
        public Route {
            nextHops = List.copyOf(nextHops);
        }
    }
}
