package io.headgate.testbed.figure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Colours that colour-blind readers can distinguish too (Okabe and Ito, 2008). A scheme has the
 * same colour in all figures; the colours of other names start with black.
 */
final class Palette {
    static final String INK = "#222222";
    static final String LIMIT = "#666666";
    static final String GRID = "#E3E3E3";

    /** Maximum number of colours that a reader can distinguish. */
    static final int MOST = 6;

    private static final List<String> ORDER =
            List.of("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9");

    private static final Map<Pattern, String> SCHEMES = schemes();

    private Palette() {}

    private static Map<Pattern, String> schemes() {
        String[][] known = {
            {"without \\w+|\\w+ off|none", "#000000"},
            {"rocc", "#0072B2"},
            {"dcqcn", "#D55E00"},
            {"hpcc", "#009E73"},
            {"timely", "#E69F00"},
            {"icc", "#CC79A7"},
            {"pcn|qcn", "#56B4E9"},
            {"pfc", "#E69F00"},
            {"credits", "#0072B2"},
            {"escape", "#009E73"},
            {"gfc", "#CC79A7"},
            {"dlb", "#D55E00"},
            {"lb", "#56B4E9"},
        };
        Map<Pattern, String> schemes = new LinkedHashMap<>();
        for (String[] one : known) {
            schemes.put(
                    Pattern.compile("\\b(" + one[0] + ")\\b", Pattern.CASE_INSENSITIVE), one[1]);
        }
        return schemes;
    }

    /**
     * A colour for each name, no two the same.
     *
     * @throws IllegalArgumentException if there are more names than colours
     */
    static List<String> colours(List<String> names) {
        if (names.size() > ORDER.size()) {
            throw new IllegalArgumentException(names.size() + " series in a panel");
        }
        List<String> colours = new ArrayList<>();
        Set<String> used = new HashSet<>();
        names.forEach(_ -> colours.add(""));
        // A variant of a scheme has the longer name, and another colour.
        for (String name :
                names.stream().sorted(Comparator.comparingInt(String::length)).toList()) {
            String scheme = scheme(name);
            if (scheme != null && used.add(scheme)) {
                colours.set(names.indexOf(name), scheme);
            }
        }
        for (int i = 0; i < colours.size(); i++) {
            if (colours.get(i).isEmpty()) {
                String free = ORDER.stream().filter(one -> !used.contains(one)).findFirst().get();
                used.add(free);
                colours.set(i, free);
            }
        }
        return colours;
    }

    private static @Nullable String scheme(String name) {
        for (Map.Entry<Pattern, String> one : SCHEMES.entrySet()) {
            if (one.getKey().matcher(name).find()) {
                return one.getValue();
            }
        }
        return null;
    }
}
