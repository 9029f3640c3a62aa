package io.headgate.config.yaml;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Source;
import io.headgate.config.key.Text;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A YAML 1.2 file (or JSON, which is YAML) that a schema has checked; readers make their records
 * from it. Values are named by JSON pointers (RFC 6901), as in {@code /ports/2/rate}.
 *
 * <p>A value that the schema refused is treated as missing. So the reader can check everything
 * else, and all mistakes are reported together by {@link #throwIfAny} at the end. What was read may
 * only be used if that throws nothing.
 */
public final class YamlConfig implements Source {
    private static final int MAX_BYTES = 4 << 20;

    /** Such as 0s or 0.0ns. */
    private static final Pattern NO_QUANTITY = Pattern.compile("0+(\\.0+)?[A-Za-z]*");

    private final YamlNode.Mapping root;
    private final Set<String> bad;
    private final ConfigSchema schema;
    private final Problems problems;
    private final @Nullable Path directory;

    /** All of the file, kept once it was asked for: large networks ask for each link. */
    private @Nullable Object said;

    private YamlConfig(
            YamlNode.Mapping root,
            Set<String> bad,
            ConfigSchema schema,
            Problems problems,
            @Nullable Path directory) {
        this.root = root;
        this.bad = bad;
        this.schema = schema;
        this.problems = problems;
        this.directory = directory;
    }

    /**
     * Reads a file. Relative paths in it start where the file is.
     *
     * @throws ConfigException if it cannot be read, is not YAML, or not a mapping
     */
    public static YamlConfig read(Path file, ConfigSchema schema) {
        String text = readText(file);
        return read(text, file.toString(), schema, file.toAbsolutePath().getParent(), null);
    }

    /**
     * Reads a text. Relative paths in it stay as they are.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException if it is not YAML, or not a mapping
     */
    public static YamlConfig read(String text, String name, ConfigSchema schema) {
        return read(text, name, schema, null, null);
    }

    /**
     * Reads a text whose lists may have entries with {@code for} and {@code when}, and {@code
     * $(...)} instead of values.
     *
     * @param values the value of an expression: a Double or a text; null if it has none
     * @throws ConfigException if it is not YAML, or not a mapping
     */
    public static YamlConfig expanded(
            String text,
            String name,
            ConfigSchema schema,
            Function<String, @Nullable Object> values) {
        return read(text, name, schema, null, values);
    }

    private static YamlConfig read(
            String text,
            String name,
            ConfigSchema schema,
            @Nullable Path directory,
            @Nullable Function<String, @Nullable Object> values) {
        Problems problems = new Problems(name);
        if (text.length() > YamlReader.MAX_CHARACTERS) {
            problems.add("more than 4 MiB", "at most 4 MiB");
            throw problems.toException();
        }
        YamlNode tree = YamlReader.read(text, schema.allowedAt(""), problems);
        if (!(tree instanceof YamlNode.Mapping said)) {
            problems.add(tree.line(), tree.column(), "", tree.describe(), schema.allowedAt(""));
            throw problems.toException();
        }
        YamlNode.Mapping root = values == null ? said : new Expansion(values, problems).of(said);
        Set<String> bad = schema.check(root, problems);
        return new YamlConfig(root, bad, schema, problems, directory);
    }

    /** A configuration that a program gives, without a file: nothing in it has a line. */
    public static YamlConfig of(Map<String, Object> said, String name, ConfigSchema schema) {
        Problems problems = new Problems(name);
        YamlNode.Mapping root = YamlNode.mapping(said);
        return new YamlConfig(root, schema.check(root, problems), schema, problems, null);
    }

    /**
     * The text of a file.
     *
     * @throws ConfigException if it cannot be read, or is longer than 4 MiB
     */
    public static String readText(Path file) {
        Problems problems = new Problems(file.toString());
        if (Files.isDirectory(file)) {
            problems.add("a directory", "a YAML file");
            throw problems.toException();
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            problems.add("no such file", "a YAML file that exists");
            throw problems.toException();
        } catch (IOException e) {
            problems.add(
                    "a file that cannot be read (" + Text.shorten(Reason.of(e)) + ")",
                    "a readable file");
            throw problems.toException();
        }
        if (bytes.length > MAX_BYTES) {
            problems.add("more than 4 MiB", "at most 4 MiB");
            throw problems.toException();
        }
        return decode(bytes, problems);
    }

    private static String decode(byte[] bytes, Problems problems) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)
                        .decode(in, out, true);
        try {
            if (result.isError()) {
                result.throwException();
            }
        } catch (CharacterCodingException e) {
            int line = 1;
            int lineStart = 0;
            for (int i = 0; i < in.position(); i++) {
                if (bytes[i] == '\n') {
                    line++;
                    lineStart = i + 1;
                }
            }
            problems.add(
                    line,
                    in.position() - lineStart + 1,
                    "",
                    String.format("the byte 0x%02x, which is not UTF-8", bytes[in.position()]),
                    "text in UTF-8");
            throw problems.toException();
        }
        return out.flip().toString();
    }

    // ---- where

    /** The pointer of a key within a mapping. */
    public static String child(String at, String key) {
        return Pointer.child(at, key);
    }

    public static String child(String at, int index) {
        return Pointer.child(at, index);
    }

    /** A pointer as people see it: {@code ports[2].rate}. */
    public String path(String at) {
        return Pointer.render(root, at);
    }

    /** Whether the file has something there, good or bad. */
    public boolean isGiven(String at) {
        return Pointer.find(root, at) != null;
    }

    /** Whether there is something usable there. */
    public boolean has(String at) {
        return node(at) != null;
    }

    /** Whether there is a usable list. */
    public boolean isList(String at) {
        return node(at) instanceof YamlNode.Sequence;
    }

    /** Whether there is a usable mapping. */
    public boolean isMapping(String at) {
        return node(at) instanceof YamlNode.Mapping;
    }

    /** The keys of a mapping in the order of the file; none if there is no usable mapping. */
    public List<String> keys(String at) {
        return node(at) instanceof YamlNode.Mapping mapping
                ? List.copyOf(mapping.entries().keySet())
                : List.of();
    }

    /** The line of the value there, from 1; 0 if there is none. */
    public int line(String at) {
        YamlNode node = Pointer.find(root, at);
        return node == null ? 0 : node.line();
    }

    /** The column of the value there, from 1; 0 if there is none. */
    public int column(String at) {
        YamlNode node = Pointer.find(root, at);
        return node == null ? 0 : node.column();
    }

    /** The position of a value, for a message: {@code FILE:3:7: ports[2].rate}. */
    public String where(String at) {
        return problems.file() + ":" + line(at) + ":" + column(at) + ": " + path(at);
    }

    /**
     * Visits each key that the file gives and whose schema has a keyword, in the order of the file.
     * Skips a key that asks for nothing: one with its default, 0, false or an empty list.
     *
     * @param each takes the place of the key's value, and the value of the keyword
     */
    public void forEachAsked(String keyword, BiConsumer<String, Object> each) {
        visit(root, schema.resolve(schema.root()), "", keyword, each);
    }

    private void visit(
            YamlNode node,
            YamlNode.Mapping of,
            String at,
            String keyword,
            BiConsumer<String, Object> each) {
        YamlNode word = of.get(keyword);
        if (word != null && !bad.contains(at) && !asksForNothing(node, of.get("default"))) {
            each.accept(at, Objects.requireNonNull(word.toPlain(), keyword));
        }
        if (node instanceof YamlNode.Mapping mapping
                && of.get("properties") instanceof YamlNode.Mapping known) {
            mapping.entries()
                    .forEach((key, entry) -> {
                        YamlNode inner = known.get(key);
                        if (inner != null) {
                            String child = child(at, key);
                            visit(entry.value(), schema.resolve(inner), child, keyword, each);
                        }
                    });
        } else if (node instanceof YamlNode.Sequence list && of.get("items") != null) {
            YamlNode.Mapping item = schema.resolve(of.get("items"));
            for (int i = 0; i < list.items().size(); i++) {
                visit(list.items().get(i), item, child(at, i), keyword, each);
            }
        }
    }

    private static boolean asksForNothing(YamlNode node, @Nullable YamlNode standard) {
        Object value = node.toPlain();
        return switch (value) {
            case null -> true;
            case Boolean flag -> !flag;
            case BigInteger number -> number.signum() == 0;
            case List<?> items -> items.isEmpty();
            default ->
                    (standard != null && value.equals(standard.toPlain()))
                            || NO_QUANTITY.matcher(value.toString()).matches();
        };
    }

    /** The node at a pointer, unless it is absent or the schema found it bad. */
    @Nullable YamlNode node(String at) {
        return bad.contains(at) ? null : Pointer.find(root, at);
    }

    // ---- values

    /** A usable scalar: a Boolean, a BigInteger, a BigDecimal or a String; else null. */
    private @Nullable Object scalar(String at) {
        return node(at) instanceof YamlNode.Scalar scalar ? scalar.value() : null;
    }

    public String text(String at, String absent) {
        return scalar(at) instanceof String text ? text : absent;
    }

    /** A number with a unit, in the base unit. */
    public long quantity(String at, Quantity quantity, long absent) {
        Long value = scalar(at) instanceof String text ? quantity.parse(text) : null;
        return value == null ? absent : value;
    }

    @Override
    public Path resolve(Path path) {
        return directory == null ? path : directory.resolve(path).normalize();
    }

    /** The place in the file, for the keys of a record. */
    public Place place(String at) {
        Object whole = said;
        if (whole == null) {
            whole = said(root, "");
            said = whole;
        }
        Place place = Place.of(this, whole);
        String[] segments = at.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            String segment = Pointer.unescape(segments[i]);
            place =
                    place.said() instanceof List
                            ? place.item(Integer.parseInt(segment))
                            : place.child(segment);
        }
        return place;
    }

    /** A node as plain values, without those that the schema found bad. */
    private Object said(YamlNode node, String at) {
        if (bad.contains(at)) {
            return Place.BAD;
        }
        boolean none = bad.isEmpty(); // then no pointer is needed
        return switch (node) {
            case YamlNode.Scalar scalar -> scalar.value() == null ? Place.BAD : scalar.value();
            case YamlNode.Sequence sequence -> {
                List<Object> items = new ArrayList<>();
                for (YamlNode item : sequence.items()) {
                    items.add(said(item, none ? at : Pointer.child(at, items.size())));
                }
                yield items;
            }
            case YamlNode.Mapping mapping -> {
                Map<String, Object> keys = new LinkedHashMap<>();
                mapping.entries()
                        .forEach((key, entry) -> {
                            String child = none ? at : Pointer.child(at, key);
                            keys.put(key, said(entry.value(), child));
                        });
                yield keys;
            }
        };
    }

    // ---- problems

    /** Adds the problem that the schema does not allow the value there. */
    @Override
    public void refuse(String at) {
        refuse(at, described(at), schema.allowedAt(at));
    }

    /** Adds the problems of what a place changes, with their paths in that. */
    public void refuse(String at, ConfigException why) {
        why.problems()
                .forEach(one ->
                        refuse(
                                at,
                                (one.path().isEmpty() ? "" : one.path() + ": ") + one.found(),
                                one.allowed()));
    }

    /** The value there, which must exist, in a few words for a message. */
    public String described(String at) {
        return Objects.requireNonNull(Pointer.find(root, at), at).describe();
    }

    /**
     * Adds a problem.
     *
     * @param at where; the nearest place above it that the file has gives line and column
     */
    @Override
    public void refuse(String at, String found, String allowed) {
        problems.addAt(root, at, found, allowed);
    }

    /** Whether no problem was found so far. */
    public boolean isSound() {
        return problems.isEmpty();
    }

    /**
     * Throws the problems, if there are any.
     *
     * @throws ConfigException with everything, in the order of the file
     */
    public void throwIfAny() {
        problems.throwIfAny();
    }

    /** Foreign text in quotes, cut to 40 characters, for a message. */
    public static String quote(String text) {
        return Text.quote(text);
    }

    /** The known word nearest to a foreign one, or null if none is near, for a message. */
    public static @Nullable String nearest(String word, Iterable<String> known) {
        List<String> words = new ArrayList<>();
        known.forEach(words::add);
        return Text.nearest(word, words);
    }

    /** What the schema allows at a place, in words with an example. */
    public String allowedAt(String at) {
        return schema.allowedAt(at);
    }
}
