package io.headgate.testbed.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Section;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What the sentence of a key gives as an example is allowed by the key's own bounds. */
final class KeysExamplesTest {
    private static final String SUCH_AS = ", such as ";
    private static final RecordComponent[] NONE = {};
    private static final Pattern EXAMPLE = Pattern.compile("(?:such as|\\) or) ([0-9][^ ,;()]*)");

    @Test
    void everyExampleIsWithinTheBoundsOfItsKey() throws IOException {
        List<String> wrong = new ArrayList<>();
        int examples = 0;
        for (Class<?> each : TheProgram.loaded()) {
            if (each.isRecord() && hasKeys(each)) {
                var record = each.asSubclass(Record.class);
                Object keys = Section.of(record).schema().get("properties");
                for (var key : (keys instanceof Map<?, ?> some ? some : Map.of()).entrySet()) {
                    var schema = (Map<?, ?>) key.getValue();
                    String name = each.getSimpleName() + " " + key.getKey();
                    examples += check(name, schema, wrong);
                    if (schema.get("items") instanceof Map<?, ?> items) {
                        examples += check(name, items, wrong);
                    }
                }
            }
        }
        assertThat(wrong).as("keys whose sentence has an example that they refuse").isEmpty();
        assertThat(examples).isGreaterThan(300);
    }

    /** Words behind the example of an item would become a part of the list that is made of it. */
    @Test
    void everyListThatIsMadeOfTheExampleOfAnItemHasThisItemAlone() throws IOException {
        List<String> wrong = new ArrayList<>();
        int lists = 0;
        for (Class<?> each : TheProgram.loaded()) {
            for (var component : each.isRecord() ? each.getRecordComponents() : NONE) {
                Items items = component.getAnnotation(Items.class);
                int example = items == null ? -1 : items.each().indexOf(SUCH_AS);
                if (example >= 0 && !component.isAnnotationPresent(Allowed.class)) {
                    lists++;
                    String list = "[" + items.each().substring(example + SUCH_AS.length()) + "]";
                    if (items.orOne() || !isOfOne(list)) {
                        wrong.add(component + ": " + list);
                    }
                }
            }
        }
        assertThat(wrong).as("lists that need an @Allowed of their own").isEmpty();
        assertThat(lists).isGreaterThan(10);
    }

    private static boolean isOfOne(String list) {
        Object read = new Load(LoadSettings.builder().build()).loadFromString(list);
        return read instanceof List<?> items && items.size() == 1;
    }

    /** The number of examples in a sentence; those that are wrong are added to the list. */
    private static int check(String name, Map<?, ?> schema, List<String> wrong) {
        int examples = 0;
        Matcher found = EXAMPLE.matcher(String.valueOf(schema.get("x-allowed")));
        while (found.find()) {
            examples++;
            if (!isAllowed(found.group(1), schema)) {
                wrong.add(name + ": " + schema.get("x-allowed"));
            }
        }
        return examples;
    }

    private static boolean hasKeys(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .anyMatch(component -> component.isAnnotationPresent(Key.class));
    }

    /** Whether a key takes an example; examples of what has no bounds are right. */
    private static boolean isAllowed(String example, Map<?, ?> schema) {
        if (schema.get("x-quantity") instanceof Map<?, ?> bounds && bounds.containsKey("minimum")) {
            Quantity quantity =
                    Quantity.valueOf(
                            bounds.get("kind")
                                    .toString()
                                    .toUpperCase(Locale.ROOT)
                                    .replace('-', '_'));
            Long value = quantity.parse(example);
            return value != null
                    && value >= quantity.parse(bounds.get("minimum").toString())
                    && value <= quantity.parse(bounds.get("maximum").toString());
        }
        if (!schema.containsKey("minimum")) {
            return true;
        }
        if (!example.matches("[0-9.]+%?")) {
            return schema.get("pattern") instanceof String pattern
                    && Pattern.compile(pattern).matcher(example).find();
        }
        double value =
                example.endsWith("%")
                        ? Double.parseDouble(example.substring(0, example.length() - 1)) / 100
                        : Double.parseDouble(example);
        return value >= bound(schema, "minimum", -Double.MAX_VALUE)
                && value <= bound(schema, "maximum", Double.MAX_VALUE);
    }

    private static double bound(Map<?, ?> schema, String keyword, double without) {
        return schema.get(keyword) instanceof Number number ? number.doubleValue() : without;
    }
}
