package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import tools.jackson.databind.json.JsonMapper;

/** The published schema says the same as the code. */
final class SwitchSchemaTest {
    private static final Map<String, Object> SCHEMA =
            new JsonMapper()
                    .readerForMapOf(Object.class)
                    .readValue(SwitchConfigReader.SCHEMA.text());

    @Test
    void everyKeyHasADescriptionAndSaysWhatIsAllowed() {
        Map<String, Map<String, Object>> keys = keys();
        assertThat(keys).hasSizeGreaterThan(50);
        keys.forEach((key, schema) -> {
            assertThat(schema.get("description")).as("description of %s", key).isNotNull();
            assertThat(schema.get("x-allowed")).as("x-allowed of %s", key).isNotNull();
            mapping(schema.get("x-quantity"))
                    .forEach((bound, value) -> {
                        if (bound.endsWith("imum")) {
                            assertThat((String) schema.get("x-allowed"))
                                    .as(key)
                                    .contains((String) value);
                        }
                    });
        });
    }

    /** A file that gives every default in the schema means the same as one that gives none. */
    @ParameterizedTest
    @CsvSource({"bridge, '', routed", "routed, ', addresses: 10.0.0.1/24', bridge"})
    void defaultsOfTheSchemaAreThoseOfTheReader(String mode, String address, String other) {
        String brief =
                "name: s1\nports: [{name: p1, device: {afpacket: {interface: v}}%s}]\n"
                        .formatted(address);
        Map<String, Object> top = new LinkedHashMap<>();
        Map<String, Object> port = new LinkedHashMap<>();
        keys().forEach((key, schema) -> {
            Object value = schema.get("default");
            String[] names = key.split("\\.");
            boolean isConditional = key.contains("trunk") || key.contains("flowlet");
            if (value == null || key.contains("[]") || isConditional || names.length > 2) {
                return;
            }
            if (names.length == 1) {
                top.put(key, value);
            } else if (names[0].equals("defaults")) {
                port.put(names[1], value);
            } else if (!names[0].equals(other)) {
                section(top, names[0]).put(names[1], value);
            }
        });
        top.put("defaults", port);
        assertThat(top.get("mode")).isEqualTo("bridge");
        top.put("mode", mode);
        String defaults = new Dump(DumpSettings.builder().build()).dumpToString(top);

        assertThat(port.keySet()).contains("rate", "mtu", "vlan", "flow-control");
        assertThat(SwitchConfigReader.read(brief + defaults, "full"))
                .isEqualTo(SwitchConfigReader.read(brief + "mode: " + mode, "brief"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> section(Map<String, Object> top, String name) {
        return (Map<String, Object>) top.computeIfAbsent(name, _ -> new LinkedHashMap<>());
    }

    /** Every key of a file, as in {@code ports[].device.tap.netns}, with its schema. */
    private static Map<String, Map<String, Object>> keys() {
        Map<String, Map<String, Object>> keys = new LinkedHashMap<>();
        collect("", SCHEMA, keys);
        return keys;
    }

    private static void collect(
            String path, Map<String, Object> schema, Map<String, Map<String, Object>> keys) {
        mapping(schema.get("properties"))
                .forEach((key, value) -> {
                    String child = path.isEmpty() ? key : path + "." + key;
                    Map<String, Object> resolved = resolve(mapping(value));
                    keys.put(child, resolved);
                    collect(child, resolved, keys);
                });
        if (schema.get("items") != null) {
            collect(path + "[]", mapping(schema.get("items")), keys);
        }
    }

    private static Map<String, Object> resolve(Map<String, Object> schema) {
        if (!(schema.get("$ref") instanceof String place)) {
            return schema;
        }
        Map<String, Object> at = SCHEMA;
        for (String segment : place.substring(2).split("/")) {
            at = mapping(at.get(segment));
        }
        return at;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> mapping(@Nullable Object node) {
        return node == null ? Map.of() : (Map<String, Object>) node;
    }
}
