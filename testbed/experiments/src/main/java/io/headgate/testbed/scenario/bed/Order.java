package io.headgate.testbed.scenario.bed;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Section;
import io.headgate.config.read.SwitchChange;
import io.headgate.config.read.SwitchPatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change of a switch's configuration while an experiment runs, like a change by {@code headgate
 * set}.
 *
 * @param atPs time of the change, in ps
 * @param node the switch's name
 * @param set keys with new values, as in a patch's file
 */
public record Order(long atPs, String node, Map<String, Object> set) {
    public Order {
        set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    }

    /** An order with the configurations before and after it. */
    public record Planned(Order order, SwitchConfig before, SwitchConfig after) {
        /** The order for a switch that is slower by a factor: each key that differs is scaled. */
        public Order slower(int factor) {
            Section<SwitchConfig> section = Section.of(SwitchConfig.class);
            Map<String, Object> set = new LinkedHashMap<>();
            for (SwitchChange change :
                    SwitchChange.between(
                            section.scaled(before, factor), section.scaled(after, factor))) {
                put(set, change);
            }
            return new Order(Scaling.time(order.atPs, factor), order.node, set);
        }

        /** As a patch has it: ports by their names. */
        private void put(Map<String, Object> set, SwitchChange change) {
            List<String> path = new ArrayList<>(change.path());
            if (path.size() > 1 && path.getFirst().equals("ports")) {
                path.set(1, after.ports().get(Integer.parseInt(path.get(1))).name());
            }
            Map<String, Object> section = set;
            for (String key : path.subList(0, path.size() - 1)) {
                section = mapping(section.computeIfAbsent(key, _ -> new LinkedHashMap<>()));
            }
            section.put(path.getLast(), change.after());
        }

        @SuppressWarnings("unchecked") // put makes them all
        private static Map<String, Object> mapping(Object section) {
            return (Map<String, Object>) section;
        }
    }

    /** An order that cannot be carried out. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Order order;
        private final transient ConfigException why;

        RefusedException(Order order, ConfigException why) {
            super("the order to " + order.node + ": " + why.getMessage(), why);
            this.order = order;
            this.why = why;
        }

        public Order order() {
            return order;
        }

        /** The errors. */
        public ConfigException why() {
            return why;
        }
    }

    /**
     * Works out the result of each order, applied to the switch as the orders before it left it.
     *
     * @param switches configurations at the start; must include all named switches
     * @return the orders by time
     * @throws RefusedException with the first that cannot be carried out
     */
    public static List<Planned> plan(List<Order> orders, List<SwitchConfig> switches)
            throws RefusedException {
        Map<String, SwitchConfig> now = new HashMap<>();
        switches.forEach(config -> now.put(config.name(), config));
        List<Order> inTime = orders.stream().sorted(Comparator.comparingLong(Order::atPs)).toList();
        // Orders often alternate, so the same change of a configuration is worked out once.
        Map<Map.Entry<SwitchConfig, Map<String, Object>>, SwitchConfig> known = new HashMap<>();
        List<Planned> planned = new ArrayList<>();
        for (Order order : inTime) {
            SwitchConfig before = now.get(order.node);
            if (before == null) {
                throw new IllegalArgumentException("no switch is named " + order.node);
            }
            try {
                SwitchConfig after = known.get(Map.entry(before, order.set));
                if (after == null) {
                    after = SwitchPatch.apply(before, order.set, "set").config();
                    known.put(Map.entry(before, order.set), after);
                }
                now.put(order.node, after);
                planned.add(new Planned(order, before, after));
            } catch (ConfigException e) {
                throw new RefusedException(order, e);
            }
        }
        return planned;
    }
}
