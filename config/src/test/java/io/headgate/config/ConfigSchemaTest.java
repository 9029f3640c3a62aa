package io.headgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The published schema says the same as the code and as the page for people. */
final class ConfigSchemaTest {
    private static final ConfigSchema SCHEMA = SwitchConfigReader.SCHEMA;

    private static final String BEGIN = "<!-- keys: made from the schema -->\n";
    private static final String END = "<!-- end of keys -->\n";

    @Test
    void schemaIsAValidDraft202012Schema() {
        new dev.harrel.jsonschema.ValidatorFactory()
                .withJsonNodeFactory(new YamlJson.Factory())
                .createValidator()
                .registerSchema(URI.create("urn:test"), SCHEMA.text());
    }

    @Test
    void everyKeyHasADescriptionAndSaysWhatIsAllowed() {
        Map<String, YamlNode.Mapping> keys = keys();
        assertThat(keys).hasSizeGreaterThan(50);
        keys.forEach((key, schema) -> {
            assertThat(schema.get("description")).as("description of %s", key).isNotNull();
            assertThat(schema.get("x-allowed")).as("x-allowed of %s", key).isNotNull();
            if (schema.get("x-quantity") instanceof YamlNode.Mapping quantity) {
                String allowed = text(schema, "x-allowed");
                quantity.entries().keySet().stream()
                        .filter(bound -> bound.endsWith("imum"))
                        .forEach(bound ->
                                assertThat(allowed).as(key).contains(text(quantity, bound)));
            }
        });
    }

    /** A file that gives every default in the schema means the same as one that gives none. */
    @Test
    void defaultsOfTheSchemaAreThoseOfTheReader() {
        String brief = "name: s1\nports: [{name: p1, device: {afpacket: {interface: v}}}]\n";
        Map<String, Object> top = new LinkedHashMap<>();
        Map<String, Object> port = new LinkedHashMap<>();
        keys().forEach((key, schema) -> {
            YamlNode value = schema.get("default");
            String[] names = key.split("\\.");
            if (value == null || key.contains("[]") || key.contains("trunk")) {
                return;
            }
            Object plain = Objects.requireNonNull(value.toPlain());
            if (names.length == 1) {
                top.put(key, plain);
            } else if (names[0].equals("defaults")) {
                if (names.length == 2) {
                    port.put(names[1], plain);
                }
            } else {
                section(top, names[0]).put(names[1], plain);
            }
        });
        top.put("defaults", port);
        String defaults =
                new org.snakeyaml.engine.v2.api.Dump(
                                org.snakeyaml.engine.v2.api.DumpSettings.builder().build())
                        .dumpToString(top);

        assertThat(port.keySet()).contains("rate", "mtu", "vlan", "queue-limit");
        assertThat(SwitchConfigReader.read(brief + defaults, "full"))
                .isEqualTo(SwitchConfigReader.read(brief, "brief"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> section(Map<String, Object> top, String name) {
        return (Map<String, Object>) top.computeIfAbsent(name, _ -> new LinkedHashMap<>());
    }

    /** {@code -Dheadgate.rewrite=true} makes the page's table anew. */
    @Test
    void pageForPeopleListsEveryKeyOfTheSchema() throws IOException {
        Path page = Path.of("README.md");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        assertThat(end).as("the marks around the table in " + page).isGreaterThanOrEqualTo(begin);
        if (Boolean.getBoolean("headgate.rewrite")) {
            text = text.substring(0, begin) + table() + text.substring(end);
            Files.writeString(page, text);
            end = text.indexOf(END);
        }
        assertThat(text.substring(begin, end)).isEqualTo(table());
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| key | unit | default | allowed | meaning |\n");
        table.append("|---|---|---|---|---|\n");
        keys().forEach((key, schema) -> {
            if (key.startsWith("defaults.")) {
                return;
            }
            table.append("| `").append(key).append("` | ");
            table.append(text(schema, "x-unit")).append(" | ");
            table.append(defaultOf(key, schema)).append(" | ");
            table.append(text(schema, "x-allowed")).append(" | ");
            table.append(text(schema, "description")).append(" |\n");
        });
        return table.toString();
    }

    private static String defaultOf(String key, YamlNode.Mapping schema) {
        String given = text(schema, "default");
        if (!given.isEmpty()) {
            return "`" + given + "`";
        }
        int dot = key.lastIndexOf('.');
        String parent = dot < 0 ? "" : "/" + key.substring(0, dot).replace(".", "/");
        YamlNode.Mapping holder =
                Objects.requireNonNull(SCHEMA.schemaAt(parent.replace("[]", "/0")), key);
        boolean isRequired =
                holder.get("required") instanceof YamlNode.Sequence required
                        && required.items().stream()
                                .anyMatch(item ->
                                        key.substring(dot + 1)
                                                .equals(((YamlNode.Scalar) item).text()));
        return isRequired ? "**required**" : text(schema, "x-default");
    }

    private static String text(YamlNode.Mapping schema, String key) {
        return schema.get(key) instanceof YamlNode.Scalar scalar ? scalar.text() : "";
    }

    /** Every key of a file, as in {@code ports[].device.tap.netns}, with its schema. */
    private static Map<String, YamlNode.Mapping> keys() {
        Map<String, YamlNode.Mapping> keys = new LinkedHashMap<>();
        collect("", SCHEMA.resolve(SCHEMA.root()), keys);
        return keys;
    }

    private static void collect(
            String path, YamlNode.Mapping schema, Map<String, YamlNode.Mapping> keys) {
        if (schema.get("properties") instanceof YamlNode.Mapping properties) {
            properties
                    .entries()
                    .forEach((key, entry) -> {
                        String child = path.isEmpty() ? key : path + "." + key;
                        YamlNode.Mapping resolved = SCHEMA.resolve(entry.value());
                        keys.put(child, resolved);
                        collect(child, resolved, keys);
                    });
        }
        if (schema.get("items") != null) {
            collect(path + "[]", SCHEMA.resolve(Objects.requireNonNull(schema.get("items"))), keys);
        }
    }
}
