package io.headgate.config.yaml;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Expands a tree before its schema sees it: {@code $(...)} becomes its value, an entry of a list
 * with {@code for} becomes one entry for each value, and a mapping whose {@code when} does not hold
 * is left out. A single value can have both, too, as {@code then} of a mapping. The results keep
 * the positions of their origin.
 */
final class Expansion {
    private static final String FOR = "for";
    private static final String WHEN = "when";
    private static final String THEN = "then";
    private static final int MOST_ENTRIES = 10_000;
    private static final int MOST_NAMES = 16;

    /** The same limit as for a reader. */
    private static final int MOST_NODES = 500_000;

    private static final int MOST_TEXT = 4096;
    private static final Pattern NAME = Pattern.compile("\\$([a-z][a-z0-9-]*)");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})\\.\\.([0-9]{1,6})");
    private static final Pattern NUMBER =
            Pattern.compile("-?[0-9]{1,18}(\\.[0-9]{1,40})?([eE]-?[0-9]{1,2})?");
    private static final String ARITHMETIC = "arithmetic, such as $(2 * $senders + 1)";

    private final Function<String, @Nullable Object> values;
    private final Problems problems;
    private int entries;
    private int nodes;

    /**
     * @param values the value of an expression: a Double or a text; null if it has none
     */
    Expansion(Function<String, @Nullable Object> values, Problems problems) {
        this.values = values;
        this.problems = problems;
    }

    YamlNode.Mapping of(YamlNode.Mapping root) {
        return mapping(root, "", Map.of(), false);
    }

    private YamlNode of(YamlNode node, String at, Map<String, String> variables, boolean isItem) {
        if (++nodes > MOST_NODES) {
            if (nodes == MOST_NODES + 1) {
                refuse(node, at, MOST_NODES + " values at most in all entries that 'for' creates");
            }
            return node;
        }
        return switch (node) {
            case YamlNode.Scalar scalar -> scalar(scalar, at, variables);
            case YamlNode.Sequence sequence -> sequence(sequence, at, variables);
            case YamlNode.Mapping mapping -> {
                YamlNode then = then(mapping);
                yield then == null
                        ? mapping(mapping, at, variables, isItem)
                        : of(then, at, variables, false);
            }
        };
    }

    /** The single value that a condition or a loop is about; null in all other mappings. */
    private static @Nullable YamlNode then(YamlNode.Mapping mapping) {
        boolean isAlone = Set.of(FOR, WHEN, THEN).containsAll(mapping.entries().keySet());
        return isAlone && mapping.entries().size() > 1 ? mapping.get(THEN) : null;
    }

    /**
     * Expands a mapping: {@code for} is for items of lists, {@code when} for all except the root.
     */
    private YamlNode.Mapping mapping(
            YamlNode.Mapping mapping, String at, Map<String, String> variables, boolean isItem) {
        Map<String, YamlNode.Entry> kept = new LinkedHashMap<>();
        mapping.entries()
                .forEach((key, entry) -> {
                    String child = Pointer.child(at, key);
                    boolean isObeyed = key.equals(FOR) ? isItem : key.equals(WHEN) && !at.isEmpty();
                    if (!isObeyed && holds(entry.value(), child, variables)) {
                        YamlNode value = of(entry.value(), child, variables, false);
                        kept.put(key, new YamlNode.Entry(entry.line(), entry.column(), value));
                    }
                });
        return new YamlNode.Mapping(mapping.line(), mapping.column(), kept);
    }

    private YamlNode sequence(
            YamlNode.Sequence sequence, String at, Map<String, String> variables) {
        List<YamlNode> items = new ArrayList<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            YamlNode item = sequence.items().get(i);
            String child = Pointer.child(at, i);
            for (Map<String, String> each : rounds(item, child, variables)) {
                if (holds(item, child, each)) {
                    items.add(of(item, child, each, true));
                }
            }
        }
        return new YamlNode.Sequence(sequence.line(), sequence.column(), items);
    }

    private boolean holds(YamlNode node, String at, Map<String, String> variables) {
        if (!(node instanceof YamlNode.Mapping mapping) || mapping.get(WHEN) == null) {
            return true;
        }
        YamlNode condition = mapping.get(WHEN);
        Object value =
                condition instanceof YamlNode.Scalar scalar
                        ? said(replaced(scalar.text(), variables))
                        : null;
        if (value instanceof Double number) {
            return number != 0;
        }
        boolean isTruth = "true".equals(value) || "false".equals(value);
        if (!isTruth) {
            refuse(condition, at + "/" + WHEN, "a condition, such as $senders > 2");
        }
        return !"false".equals(value);
    }

    private @Nullable Object said(String text) {
        return text.length() <= MOST_TEXT ? values.apply(text) : null;
    }

    /** The variables of each entry that an item becomes. */
    private List<Map<String, String>> rounds(
            YamlNode item, String at, Map<String, String> variables) {
        YamlNode loop = item instanceof YamlNode.Mapping mapping ? mapping.get(FOR) : null;
        if (loop == null) {
            return List.of(variables);
        }
        List<Map<String, String>> rounds = new ArrayList<>();
        if (loop instanceof YamlNode.Mapping names && names.entries().size() <= MOST_NAMES) {
            for (Map.Entry<String, YamlNode.Entry> name : names.entries().entrySet()) {
                List<String> words = words(name.getValue().value(), at, variables);
                if (entries + words.size() > MOST_ENTRIES) {
                    rounds.clear();
                    break;
                }
                if (rounds.isEmpty()) {
                    words.forEach(_ -> rounds.add(new LinkedHashMap<>(variables)));
                }
                if (words.isEmpty() || words.size() != rounds.size()) {
                    rounds.clear();
                    break;
                }
                for (int i = 0; i < words.size(); i++) {
                    rounds.get(i).put(name.getKey(), words.get(i));
                }
            }
        }
        entries += rounds.size();
        if (rounds.isEmpty()) {
            refuse(
                    loop,
                    at + "/" + FOR,
                    "names with equal numbers of values, such as {i: 1..4} or {i: [1, 2, 4]}, "
                            + MOST_ENTRIES
                            + " entries and "
                            + MOST_NAMES
                            + " names at most");
        }
        return rounds;
    }

    private List<String> words(YamlNode node, String at, Map<String, String> variables) {
        if (node instanceof YamlNode.Sequence list) {
            return list.items().stream()
                    .map(one -> of(one, at, variables, false))
                    .map(one -> one instanceof YamlNode.Scalar scalar ? scalar.text() : "")
                    .toList();
        }
        String text =
                of(node, at, variables, false) instanceof YamlNode.Scalar one ? one.text() : "";
        Matcher range = RANGE.matcher(text);
        List<String> words = new ArrayList<>();
        if (range.matches()) {
            int last = Integer.parseInt(range.group(2));
            for (int i = Integer.parseInt(range.group(1)); i <= last; i++) {
                words.add(Integer.toString(i));
                if (words.size() > MOST_ENTRIES) {
                    break;
                }
            }
        }
        return words;
    }

    private YamlNode scalar(YamlNode.Scalar scalar, String at, Map<String, String> variables) {
        if (!(scalar.value() instanceof String said) || said.indexOf('$') < 0) {
            return scalar;
        }
        String text = replaced(said, variables);
        StringBuilder out = new StringBuilder();
        int from = 0;
        for (int open = text.indexOf("$("); open >= 0; open = text.indexOf("$(", from)) {
            int end = closing(text, open + 1);
            Object value = end < 0 ? null : said(text.substring(open + 2, end));
            if (value == null) {
                refuse(scalar, at, ARITHMETIC);
                return scalar;
            }
            out.append(text, from, open).append(value instanceof Double d ? plain(d) : value);
            from = end + 1;
        }
        String made = out.append(text.substring(from)).toString();
        if (made.length() > MOST_TEXT) {
            refuse(scalar, at, "a text of at most " + MOST_TEXT + " characters");
            return scalar;
        }
        if (made.equals(said)) {
            return scalar;
        }
        Object value = NUMBER.matcher(made).matches() ? number(made) : made;
        return new YamlNode.Scalar(scalar.line(), scalar.column(), value, made);
    }

    /** As a reader resolves it: what has no fraction is whole. */
    private static Object number(String text) {
        BigDecimal number = new BigDecimal(text);
        return number.stripTrailingZeros().scale() <= 0 ? number.toBigInteger() : number;
    }

    private static String plain(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : BigInteger.ZERO.toString();
    }

    /** Position of the bracket that closes the one at a place; -1: there is none. */
    private static int closing(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static String replaced(String text, Map<String, String> variables) {
        return variables.isEmpty()
                ? text
                : NAME.matcher(text)
                        .replaceAll(use ->
                                Matcher.quoteReplacement(
                                        variables.getOrDefault(use.group(1), use.group())));
    }

    private void refuse(YamlNode node, String at, String allowed) {
        problems.add(
                node.line(),
                node.column(),
                at.substring(1).replaceAll("/([0-9]+)(?=/|$)", "[$1]").replace('/', '.'),
                node.describe(),
                allowed);
    }
}
