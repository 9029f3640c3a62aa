package io.headgate.control.show;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All registered tables, in their order. */
public final class ShowTables {
    private static final List<ShowTable> ALL = load();

    private ShowTables() {}

    private static List<ShowTable> load() {
        List<ShowTable> all = new ArrayList<>();
        Set<String> words = new HashSet<>();
        for (ShowTable table : ServiceLoader.load(ShowTable.class)) {
            for (String word : words(table).toList()) {
                String where = "%s, table \"%s\": ".formatted(table.getClass().getName(), word);
                if (!word.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*")) {
                    throw new IllegalStateException(
                            where + "a name is lower case with hyphens, such as \"my-table\"");
                }
                if (!words.add(word)) {
                    throw new IllegalStateException(where + "another table has this name");
                }
            }
            all.add(table);
        }
        return List.copyOf(all);
    }

    private static Stream<String> words(ShowTable table) {
        return Stream.concat(Stream.of(table.name()), table.heading().aliases().stream());
    }

    public static List<ShowTable> all() {
        return ALL;
    }

    /** The tables that the running switch answers. */
    public static List<SwitchAnswer> answers() {
        return ALL.stream()
                .filter(SwitchAnswer.class::isInstance)
                .map(SwitchAnswer.class::cast)
                .toList();
    }

    /** The table of a name or alias, in upper or lower case; null if not found. */
    public static @Nullable ShowTable find(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(table -> words(table).anyMatch(lower::equals))
                .findFirst()
                .orElse(null);
    }

    public static String names() {
        return ALL.stream().map(ShowTable::name).collect(Collectors.joining(", "));
    }
}
