package io.headgate.config.yaml;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Inserts entries into a mapping at the top level of a YAML text, so that all other text keeps its
 * line: later problems then have the line that the text's author sees.
 */
public final class YamlInsert {
    private final String text;
    private final Iterator<Event> events;

    private YamlInsert(String text) {
        this.text = text;
        events = new Parse(LoadSettings.builder().build()).parseString(text).iterator();
    }

    /**
     * The text with more entries in the mapping of a key at the top, which may be missing.
     *
     * @param entries none of which is in that mapping yet
     * @param json what writes a mapping as JSON, on one line
     * @return the text itself if the key has something else, or a mapping of mappings
     */
    public static String into(
            String text,
            String key,
            Map<String, Object> entries,
            Function<Map<String, Object>, String> json) {
        return new YamlInsert(text).with(key, entries, json);
    }

    private String with(
            String key, Map<String, Object> entries, Function<Map<String, Object>, String> json) {
        Event first = events.next();
        while (!(first instanceof NodeEvent)) {
            first = events.next();
        }
        if (!(first instanceof MappingStartEvent root)) {
            return text;
        }
        int last = index(root.getEndMark());
        Event name = events.next();
        while (name instanceof NodeEvent) {
            Event value = events.next();
            if (name instanceof ScalarEvent scalar && scalar.getValue().equals(key)) {
                if (!(value instanceof MappingStartEvent mapping)) {
                    return text;
                }
                String said = json.apply(entries);
                return mapping.isFlow()
                        ? inFlow(mapping, said.substring(1, said.length() - 1))
                        : inBlock(mapping, entries, json);
            }
            last = end(value);
            name = events.next();
        }
        if (root.isFlow()) {
            return replaced(last, last, ", \"" + key + "\": " + json.apply(entries));
        }
        int end = index(name.getStartMark());
        return replaced(
                end,
                end,
                (text.charAt(end - 1) == '\n' ? "" : "\n")
                        + " ".repeat(root.getStartMark().map(Mark::getColumn).orElse(0))
                        + key
                        + ": "
                        + json.apply(entries)
                        + "\n");
    }

    private String inFlow(MappingStartEvent mapping, String more) {
        int at = index(mapping.getEndMark());
        boolean isEmpty = true;
        while (events.next() instanceof NodeEvent) {
            at = end(events.next());
            isEmpty = false;
        }
        return replaced(at, at, isEmpty ? more : ", " + more);
    }

    /**
     * Writes the mapping as JSON on one line and leaves its other lines empty, since no line may be
     * added.
     */
    private String inBlock(
            MappingStartEvent mapping,
            Map<String, Object> entries,
            Function<Map<String, Object>, String> json) {
        Map<String, Object> all = new LinkedHashMap<>();
        Event name = events.next();
        while (name instanceof ScalarEvent key) {
            Object value = value(events.next());
            if (value == null) {
                return text;
            }
            all.put(key.getValue(), value);
            name = events.next();
        }
        all.putAll(entries);
        int start = index(mapping.getStartMark());
        int end = index(name.getStartMark());
        String before = text.substring(start, end);
        long lines = before.chars().filter(c -> c == '\n').count();
        String rest = before.substring(before.lastIndexOf('\n') + 1);
        return replaced(
                start,
                end,
                json.apply(all)
                        + "\n".repeat(Math.toIntExact(lines))
                        + (rest.isBlank() ? rest : ""));
    }

    /** A scalar's text, or a list of them; null for anything else. */
    private @Nullable Object value(Event event) {
        if (event instanceof ScalarEvent scalar) {
            return scalar.getValue();
        }
        if (!(event instanceof SequenceStartEvent)) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        Event item = events.next();
        while (item instanceof ScalarEvent scalar) {
            texts.add(scalar.getValue());
            item = events.next();
        }
        return item instanceof NodeEvent ? null : texts;
    }

    /** Skips a value; answers where it ends. */
    private int end(Event value) {
        Event event = value;
        int depth = event instanceof CollectionStartEvent ? 1 : 0;
        while (depth > 0) {
            event = events.next();
            depth +=
                    event instanceof CollectionStartEvent
                            ? 1
                            : event instanceof CollectionEndEvent ? -1 : 0;
        }
        return index(event.getEndMark());
    }

    private int index(Optional<Mark> mark) {
        return text.offsetByCodePoints(0, mark.orElseThrow().getIndex());
    }

    private String replaced(int start, int end, String by) {
        return text.substring(0, start) + by + text.substring(end);
    }
}
