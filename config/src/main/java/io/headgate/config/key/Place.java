package io.headgate.config.key;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A place in a configuration, and what is said there, if anything. */
public final class Place {

    private enum Unsaid {
        ABSENT,
        REFUSED
    }

    /** Said where something stands that the schema refused: it is given, but cannot be used. */
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

    /** The root of what a source says. */
    public static Place of(Source source, Object said) {
        return new Place(source, "", said, null);
    }

    /** A place where nothing is said, for all that holds then. */
    public static Place nowhere() {
        return new Place(Source.SILENT, "", Map.of(), null);
    }

    /** The same, with keys that it has not looked for in another mapping. */
    public Place over(Place other) {
        return new Place(source, pointer, said, other);
    }

    /** The same place, but it reports no problems. */
    public Place silent() {
        Place silentCommon = common == null ? null : common.silent();
        return new Place(Source.SILENT, pointer, said, silentCommon);
    }

    /** The same place, saying something else. */
    public Place saying(Object instead) {
        return new Place(source, pointer, instead, common);
    }

    /** What is usable of what is said; null where nothing is. */
    public @Nullable Object said() {
        return said instanceof Unsaid ? null : said;
    }

    /** What is said, if it is of a type; else it is refused, and null. */
    <T> @Nullable T said(Class<T> type) {
        if (type.isInstance(said)) {
            return type.cast(said);
        }
        refuse();
        return null;
    }

    /** Whether something stands there, usable or not. */
    public boolean isGiven() {
        return !said.equals(ABSENT);
    }

    boolean isBad() {
        return said.equals(BAD);
    }

    /** The place of a key: of this mapping, or else of the one with what is common. */
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

    /** The keys of the mapping that stands here, in the order of the file. */
    public List<String> keys() {
        return said instanceof Map<?, ?> map
                ? map.keySet().stream().map(String::valueOf).toList()
                : List.of();
    }

    /** How many items the list has that stands here; 0 if none does. */
    public int items() {
        return said instanceof List<?> list ? list.size() : 0;
    }

    /** The place of an item of a list, which has in common with the others what the list has. */
    public Place item(int index) {
        Object value = said instanceof List<?> list ? list.get(index) : null;
        return new Place(source, pointer + "/" + index, value == null ? ABSENT : value, common);
    }

    /** Says that what stands here is not what its key allows. */
    public void refuse() {
        source.refuse(pointer);
    }

    /** Says what was found here, and what is allowed, with an example. */
    public void refuse(String found, String allowed) {
        source.refuse(pointer, found, allowed);
    }

    /** A path that stands here. */
    public Path resolve(Path path) {
        return source.resolve(path);
    }
}
