package io.headgate.config.key;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A place in a configuration, with the value that is given there, if any. */
public final class Place {

    private enum Unsaid {
        ABSENT,
        REFUSED
    }

    /** The value at a place whose value the schema refused: it is given, but cannot be used. */
    public static final Object BAD = Unsaid.REFUSED;

    private static final Object ABSENT = Unsaid.ABSENT;

    private final Source source;
    private final String pointer;
    private final Object said;
    private final @Nullable Place common;

    private Place(Source source, String pointer, Object said, @Nullable Place common) {
        this.source = source;
        this.pointer = pointer;
        this.said = said;
        this.common = common;
    }

    /** The root of a source's values. */
    public static Place of(Source source, Object said) {
        return new Place(source, "", said, null);
    }

    /** A place without a value, to get all defaults. */
    public static Place nowhere() {
        return new Place(Source.SILENT, "", Map.of(), null);
    }

    /** The same place; keys that it lacks are looked up in another mapping. */
    public Place over(Place other) {
        return new Place(source, pointer, said, other);
    }

    /** The same place, but it reports no problems. */
    public Place silent() {
        Place silentCommon = common == null ? null : common.silent();
        return new Place(Source.SILENT, pointer, said, silentCommon);
    }

    /** The same place with another value. */
    public Place saying(Object instead) {
        return new Place(source, pointer, instead, common);
    }

    /** The value, if it is usable; otherwise null. */
    public @Nullable Object said() {
        return said instanceof Unsaid ? null : said;
    }

    /** The value, if it is of a type; otherwise it is refused, and the result is null. */
    <T> @Nullable T said(Class<T> type) {
        if (type.isInstance(said)) {
            return type.cast(said);
        }
        refuse();
        return null;
    }

    /** Whether a value is given there, usable or not. */
    public boolean isGiven() {
        return !said.equals(ABSENT);
    }

    boolean isBad() {
        return said.equals(BAD);
    }

    /** The place of a key: in this mapping, otherwise in the mapping of common keys. */
    public Place child(String key) {
        return common != null && !hasOwn(key) && common.hasOwn(key)
                ? common.child(key)
                : ownChild(key);
    }

    /** The place of a key of this very mapping. */
    Place ownChild(String key) {
        Object value = said instanceof Map<?, ?> map ? map.get(key) : null;
        return new Place(source, pointer + "/" + key, value == null ? ABSENT : value, null);
    }

    /** Whether this very mapping has a key. */
    public boolean hasOwn(String key) {
        return said instanceof Map<?, ?> map && map.containsKey(key);
    }

    /** The keys of the mapping here, in the order of the file. */
    public List<String> keys() {
        return said instanceof Map<?, ?> map
                ? map.keySet().stream().map(String::valueOf).toList()
                : List.of();
    }

    /** Number of items in the list here; 0 if there is no list. */
    public int items() {
        return said instanceof List<?> list ? list.size() : 0;
    }

    /** The place of an item of a list, with the keys that all items have in common. */
    public Place item(int index) {
        Object value = said instanceof List<?> list ? list.get(index) : null;
        return new Place(source, pointer + "/" + index, value == null ? ABSENT : value, common);
    }

    /** Reports that the key here does not allow its value. */
    public void refuse() {
        source.refuse(pointer);
    }

    /** Reports what was found here, and what is allowed, with an example. */
    public void refuse(String found, String allowed) {
        source.refuse(pointer, found, allowed);
    }

    /** Resolves a path that is given here. */
    public Path resolve(Path path) {
        return source.resolve(path);
    }
}
