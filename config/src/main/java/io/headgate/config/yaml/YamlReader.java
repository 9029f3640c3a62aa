package io.headgate.config.yaml;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.key.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Makes a tree with positions from the events of a YAML 1.2 document (JSON is YAML). A
 * configuration needs neither anchors, aliases, tags nor a second document; without them a tree is
 * never larger than its file, so depth and number of nodes are the only limits.
 */
final class YamlReader {
    static final int MAX_CHARACTERS = 4 << 20;

    /** Characters of a sentence of the parser that are shown. */
    private static final int SENTENCE = 120;

    private static final int MAX_DEPTH = 32;
    private static final int MAX_NODES = 500_000;
    private static final int MAX_SCALAR_CHARACTERS = 4096;

    private static final CoreSchema SCHEMA = new CoreSchema();

    /** One for all scalars: the schema makes a new one, with all its patterns, each time. */
    private static final ScalarResolver RESOLVER = SCHEMA.getScalarResolver();

    /** For all files: each that is made first makes the resolvers of a schema that is not ours. */
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setSchema(SCHEMA).setCodePointLimit(MAX_CHARACTERS).build();

    private final Problems problems;
    private final String smallest;
    private int nodes;

    private YamlReader(String smallest, Problems problems) {
        this.smallest = smallest;
        this.problems = problems;
    }

    /**
     * The document's root. Collects the problems that can be passed over, throws those that cannot.
     *
     * @param smallest what is allowed where there is nothing, with an example
     */
    static YamlNode read(String text, String smallest, Problems problems) {
        return new YamlReader(smallest, problems).readDocument(text);
    }

    private YamlNode readDocument(String text) {
        try {
            YamlNode root = null;
            Iterator<Event> events = new Parse(SETTINGS).parseString(text).iterator();
            while (events.hasNext()) {
                Event event = events.next();
                if (event instanceof NodeEvent start) {
                    root = readNode(start, events, 0);
                } else if (event instanceof DocumentStartEvent && root != null) {
                    throw failure(event.getStartMark(), "a second document", "one document");
                }
            }
            if (root == null
                    || (root instanceof YamlNode.Scalar scalar && scalar.value() == null)) {
                problems.add("nothing", smallest);
                throw problems.toException();
            }
            return root;
        } catch (MarkedYamlEngineException e) {
            String problem = e.getProblem() == null ? "broken YAML" : e.getProblem();
            throw failure(
                    e.getProblemMark(),
                    "broken YAML: " + Text.shorten(problem, SENTENCE),
                    "YAML 1.2");
        } catch (ReaderException e) {
            throw unreadable(text, e);
        } catch (YamlEngineException | NumberFormatException | IndexOutOfBoundsException e) {
            // The parser lets a few of its own slips through as these (escapes, directives).
            problems.add("broken YAML: " + Text.shorten(Reason.of(e)), "YAML 1.2");
            throw problems.toException();
        }
    }

    private ConfigException unreadable(String text, ReaderException e) {
        int end =
                text.offsetByCodePoints(
                        0, Math.min(e.getPosition(), text.codePointCount(0, text.length())));
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        problems.add(
                line,
                end - lineStart + 1,
                "",
                String.format("the character U+%04X", e.getCodePoint()),
                "printable text");
        return problems.toException();
    }

    private YamlNode readNode(NodeEvent event, Iterator<Event> events, int depth) {
        Position at = Position.of(event.getStartMark());
        if (++nodes > MAX_NODES) {
            throw failure(event.getStartMark(), "more than " + MAX_NODES + " values", "fewer");
        }
        if (event instanceof AliasEvent) {
            problems.add(
                    at.line, at.column, "", "an alias (*)", "values written out, or defaults:");
            return new YamlNode.Scalar(at.line, at.column, null, "");
        }
        if (event.getAnchor().isPresent()) {
            problems.add(
                    at.line, at.column, "", "an anchor (&)", "values written out, or defaults:");
        }
        return switch (event) {
            case ScalarEvent scalar -> readScalar(scalar, at);
            case CollectionStartEvent start -> {
                refuseTag(start.getTag(), at);
                if (depth == MAX_DEPTH) {
                    throw failure(
                            event.getStartMark(),
                            "a value nested in " + MAX_DEPTH + " others",
                            "less nesting: " + smallest);
                }
                yield start.getEventId() == Event.ID.MappingStart
                        ? readMapping(at, events, depth)
                        : readSequence(at, events, depth);
            }
            default -> throw new IllegalStateException("event " + event);
        };
    }

    private YamlNode readSequence(Position at, Iterator<Event> events, int depth) {
        List<YamlNode> items = new ArrayList<>();
        while (events.next() instanceof NodeEvent item) {
            items.add(readNode(item, events, depth + 1));
        }
        return new YamlNode.Sequence(at.line, at.column, items);
    }

    private YamlNode readMapping(Position at, Iterator<Event> events, int depth) {
        Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
        while (events.next() instanceof NodeEvent keyEvent) {
            YamlNode key = readNode(keyEvent, events, depth + 1);
            YamlNode value = readNode((NodeEvent) events.next(), events, depth + 1);
            if (!(key instanceof YamlNode.Scalar scalar)) {
                problems.add(key.line(), key.column(), "", key.describe() + " as a key", "a word");
                continue;
            }
            YamlNode.Entry first = entries.get(scalar.text());
            if (first != null) {
                problems.add(
                        key.line(),
                        key.column(),
                        "",
                        "the key " + Text.quote(scalar.text()) + " a second time",
                        "each key once (the first is in line " + first.line() + ")");
                continue;
            }
            entries.put(scalar.text(), new YamlNode.Entry(scalar.line(), scalar.column(), value));
        }
        return new YamlNode.Mapping(at.line, at.column, entries);
    }

    private YamlNode readScalar(ScalarEvent event, Position at) {
        refuseTag(event.getTag(), at);
        String text = event.getValue();
        if (text.length() > MAX_SCALAR_CHARACTERS) {
            problems.add(
                    at.line,
                    at.column,
                    "",
                    "a value of " + text.length() + " characters",
                    "at most " + MAX_SCALAR_CHARACTERS);
            return new YamlNode.Scalar(at.line, at.column, null, text);
        }
        return new YamlNode.Scalar(at.line, at.column, valueOf(event, text), text);
    }

    private static @Nullable Object valueOf(ScalarEvent event, String text) {
        if (!event.isPlain()) {
            return text;
        }
        Tag tag = RESOLVER.resolve(text, true);
        if (tag.equals(Tag.NULL)) {
            return null;
        }
        if (tag.equals(Tag.BOOL)) {
            return text.equalsIgnoreCase("true");
        }
        if (tag.equals(Tag.INT)) {
            return integer(text);
        }
        return tag.equals(Tag.FLOAT) ? number(text) : text;
    }

    private static BigInteger integer(String text) {
        if (text.startsWith("0x")) {
            return new BigInteger(text.substring(2), 16);
        }
        if (text.startsWith("0o")) {
            return new BigInteger(text.substring(2), 8);
        }
        return new BigInteger(text);
    }

    /** By way of a double, so that an exponent of a billion stays cheap; .inf and .nan are text. */
    private static Object number(String text) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return text;
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return text;
        }
        BigDecimal decimal = BigDecimal.valueOf(value);
        return decimal.stripTrailingZeros().scale() <= 0 ? decimal.toBigInteger() : decimal;
    }

    private void refuseTag(Optional<String> tag, Position at) {
        tag.ifPresent(found ->
                problems.add(
                        at.line,
                        at.column,
                        "",
                        "the tag " + Text.quote(found.replace(Tag.PREFIX, "!!")),
                        "values without tags; text in quotes where it looks like a number"));
    }

    private ConfigException failure(Optional<Mark> mark, String found, String allowed) {
        Position at = Position.of(mark);
        problems.add(at.line, at.column, "", found, allowed);
        return problems.toException();
    }

    private record Position(int line, int column) {
        static Position of(Optional<Mark> mark) {
            return mark.map(m -> new Position(m.getLine() + 1, m.getColumn() + 1))
                    .orElse(new Position(1, 1));
        }
    }
}
