package io.headgate.config.read;

import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A key with different values in two configurations of a switch.
 *
 * @param path path from the root; a port by its number
 * @param key the same for people; a port by its name, as in {@code p4.congestion.red.kmin}
 * @param before its value in the first one, as in a file; null: none
 * @param after its value in the other one
 */
public record SwitchChange(
        List<String> path, String key, @Nullable Object before, @Nullable Object after) {
    private static final Map<String, Object> SCHEMA = Section.of(SwitchConfig.class).schema();
    private static final String PORTS = "ports";

    public SwitchChange {
        path = List.copyOf(path);
    }

    /**
     * Every key that differs, in the order of the configuration; a section that only one has is
     * listed whole.
     */
    public static List<SwitchChange> between(SwitchConfig before, SwitchConfig after) {
        return between(before, SwitchConfigs.toMap(before), after, SwitchConfigs.toMap(after));
    }

    /** The same, if both are already in the form of a file. */
    static List<SwitchChange> between(
            SwitchConfig before, Map<?, ?> one, SwitchConfig after, Map<?, ?> other) {
        List<SwitchChange> changes = new ArrayList<>();
        for (String key : keys(one, other)) {
            if (key.equals(PORTS)) {
                ports(before, after, one, other, changes);
            } else {
                collect(List.of(key), before, one.get(key), other.get(key), changes);
            }
        }
        return changes;
    }

    private static void ports(
            SwitchConfig before,
            SwitchConfig after,
            Map<?, ?> one,
            Map<?, ?> other,
            List<SwitchChange> changes) {
        List<String> names = before.ports().stream().map(PortConfig::name).toList();
        List<String> newNames = after.ports().stream().map(PortConfig::name).toList();
        if (!names.equals(newNames)) {
            changes.add(new SwitchChange(List.of(PORTS), PORTS, names, newNames));
        }
        for (int i = 0; i < names.size(); i++) {
            int number = newNames.indexOf(names.get(i));
            if (number >= 0) {
                List<String> path = List.of(PORTS, String.valueOf(i));
                Object port = find(one, path);
                Object newPort = find(other, List.of(PORTS, String.valueOf(number)));
                collect(path, before, port, newPort, changes);
            }
        }
    }

    private static void collect(
            List<String> path,
            SwitchConfig config,
            @Nullable Object before,
            @Nullable Object after,
            List<SwitchChange> changes) {
        if (Objects.equals(before, after)) {
            return;
        }
        if (before instanceof Map<?, ?> one && after instanceof Map<?, ?> other) {
            for (String key : keys(one, other)) {
                List<String> longer = new ArrayList<>(path);
                longer.add(key);
                collect(longer, config, one.get(key), other.get(key), changes);
            }
        } else {
            changes.add(new SwitchChange(path, shown(path, config.ports()), before, after));
        }
    }

    private static Set<String> keys(Map<?, ?> one, Map<?, ?> other) {
        Set<String> keys = new LinkedHashSet<>();
        one.keySet().forEach(key -> keys.add((String) key));
        other.keySet().forEach(key -> keys.add((String) key));
        return keys;
    }

    /** Why this cannot change while a switch runs; null if it can. */
    public @Nullable String refusal() {
        String reason = fixed(path);
        boolean comesOrGoes = before == null || after == null || path.equals(List.of(PORTS));
        return reason == null && comesOrGoes ? said(path, "x-permanent") : reason;
    }

    /** The key, what it was, and what it is. */
    @Override
    public String toString() {
        return key + ": " + words(before) + " -> " + words(after);
    }

    /** A value as text on one line, with its mappings and lists; "nothing" for null. */
    public static String words(@Nullable Object said) {
        return switch (said) {
            case null -> "nothing";
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry -> entry.getKey() + ": " + words(entry.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list ->
                    list.stream()
                            .map(SwitchChange::words)
                            .collect(Collectors.joining(", ", "[", "]"));
            default -> said.toString();
        };
    }

    // ---- paths

    /**
     * A path for people. A port whose name is also a key of a switch has {@code ports.} before it.
     */
    static String shown(List<String> path, List<PortConfig> ports) {
        if (path.size() < 2 || !path.getFirst().equals(PORTS)) {
            return String.join(".", path);
        }
        String port = ports.get(Integer.parseInt(path.get(1))).name();
        String head = port.contains(".") ? port.substring(0, port.indexOf('.')) : port;
        List<String> keys = new ArrayList<>(path.subList(2, path.size()));
        keys.addFirst(topKeys().contains(head) ? PORTS + "." + port : port);
        return String.join(".", keys);
    }

    /**
     * The keys of a switch itself, without {@code defaults}: each port already has its own copy of
     * those.
     */
    static Set<String> topKeys() {
        Set<String> keys = new LinkedHashSet<>(properties(SCHEMA).keySet());
        keys.remove("defaults");
        return keys;
    }

    /** Why a key cannot change while a switch runs; null if it can. */
    static @Nullable String fixed(List<String> path) {
        for (int i = 1; i <= path.size(); i++) {
            String reason = said(path.subList(0, i), "x-fixed");
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }

    private static @Nullable String said(List<String> path, String keyword) {
        Map<String, Object> schema = SCHEMA;
        for (String key : path) {
            Map<String, Object> items = mapping(schema.get("items"));
            schema = items.isEmpty() ? mapping(properties(schema).get(key)) : items;
        }
        return schema.get(keyword) instanceof String text ? text : null;
    }

    private static Map<String, Object> properties(Map<String, Object> schema) {
        return mapping(schema.get("properties"));
    }

    private static Map<String, Object> mapping(@Nullable Object value) {
        Map<String, Object> mapping = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> mapping.put((String) key, each));
        }
        return mapping;
    }

    /** The value at a path of a configuration in the form of a file. */
    static @Nullable Object find(Map<?, ?> root, List<String> path) {
        Object node = root;
        for (String key : path) {
            if (node instanceof Map<?, ?> map) {
                node = map.get(key);
            } else {
                node = node instanceof List<?> list ? list.get(Integer.parseInt(key)) : null;
            }
        }
        return node;
    }
}
