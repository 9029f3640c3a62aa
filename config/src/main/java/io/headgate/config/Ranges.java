package io.headgate.config;

import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads and writes lists of numbers, in which a range is written as {@code 20-29}. */
final class Ranges {
    /** From one number to another, which may be less: the reader checks it. */
    record Range(int first, int last) {}

    private Ranges() {}

    /** The schema of an item of the list. */
    static Map<String, Object> schema(int least, int most, String allowed) {
        int digits = String.valueOf(most).length();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", List.of("integer", "string"));
        schema.put("minimum", least);
        schema.put("maximum", most);
        schema.put("pattern", "^[0-9]{1,%d}-[0-9]{1,%d}$".formatted(digits, digits));
        schema.put("x-allowed", allowed);
        return schema;
    }

    /** An item of the list; null if it cannot be used. */
    static @Nullable Range read(Place item) {
        if (item.said() instanceof Number number) {
            return new Range(number.intValue(), number.intValue());
        }
        if (item.said() instanceof String range) {
            int dash = range.indexOf('-');
            return new Range(
                    Integer.parseInt(range.substring(0, dash)),
                    Integer.parseInt(range.substring(dash + 1)));
        }
        return null;
    }

    /** Ascending numbers as a list. */
    static List<Object> write(List<Integer> numbers) {
        List<Object> ranges = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= numbers.size(); i++) {
            if (i < numbers.size() && numbers.get(i) == numbers.get(i - 1) + 1) {
                continue;
            }
            int first = numbers.get(start);
            int last = numbers.get(i - 1);
            ranges.add(first == last ? (Object) first : first + "-" + last);
            start = i;
        }
        return ranges;
    }

    /** A VLAN by itself (an access port), or a mapping with the VLANs of a trunk. */
    static final class Vlans implements Codec<VlanConfig> {
        private static final int LEAST = 1;
        private static final int MOST = 4094;

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> trunk = new LinkedHashMap<>();
            trunk.put("description", "The tagged VLANs of a trunk.");
            trunk.put("type", List.of("string", "array"));
            trunk.put("pattern", "^all$");
            trunk.put("minItems", 1);
            trunk.put("maxItems", MOST);
            trunk.put(
                    "items",
                    Ranges.schema(LEAST, MOST, "a VLAN from 1 to 4094, or a range such as 20-29"));
            trunk.put(
                    "x-allowed",
                    "all, or a list of VLANs from 1 to 4094 and ranges, such as [10, 20-29]");
            Map<String, Object> untagged = new LinkedHashMap<>();
            untagged.put(
                    "description",
                    "The VLAN of untagged frames on a trunk; none: untagged frames are dropped.");
            untagged.put(
                    "anyOf",
                    List.of(Map.of("enum", List.of("none")), Codecs.wholeNumber(LEAST, MOST)));
            untagged.put("default", "none");
            untagged.put("x-allowed", "a VLAN from 1 to 4094, or none");
            Map<String, Object> properties = new LinkedHashMap<>();
            properties.put("trunk", trunk);
            properties.put("native", untagged);
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", List.of("integer", "object"));
            schema.put("minimum", LEAST);
            schema.put("maximum", MOST);
            schema.put("additionalProperties", false);
            schema.put("required", List.of("trunk"));
            schema.put("properties", properties);
            return schema;
        }

        @Override
        public VlanConfig read(Place place, Known known) {
            if (place.said() instanceof Number vlan) {
                return new VlanConfig(VlanConfig.Mode.ACCESS, vlan.intValue(), List.of());
            }
            Integer untagged =
                    place.child("native").said() instanceof Number vlan
                            ? Integer.valueOf(vlan.intValue())
                            : null;
            TreeSet<Integer> allowed = new TreeSet<>();
            Place trunk = place.child("trunk");
            for (int i = 0; i < trunk.items(); i++) {
                allow(trunk.item(i), allowed);
            }
            return new VlanConfig(VlanConfig.Mode.TRUNK, untagged, List.copyOf(allowed));
        }

        private static void allow(Place item, Set<Integer> allowed) {
            Range range = Ranges.read(item);
            if (range == null) {
                return;
            }
            if (range.first() < LEAST || range.last() > MOST || range.first() > range.last()) {
                item.refuse();
                return;
            }
            for (int vlan = range.first(); vlan <= range.last(); vlan++) {
                if (!allowed.add(vlan)) {
                    item.refuse("VLAN " + vlan + " a second time", "each VLAN once");
                    return;
                }
            }
        }

        @Override
        public Object write(VlanConfig vlan, Known known) {
            Integer untagged = vlan.nativeVlan();
            if (vlan.mode() == VlanConfig.Mode.ACCESS) {
                return untagged == null ? 1 : untagged;
            }
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("trunk", vlan.allowed().isEmpty() ? "all" : Ranges.write(vlan.allowed()));
            map.put("native", untagged == null ? "none" : untagged);
            return map;
        }

        @Override
        public VlanConfig nothing() {
            return new VlanConfig(VlanConfig.Mode.ACCESS, 1, List.of());
        }
    }
}
