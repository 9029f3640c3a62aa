package io.headgate.testbed.scenario.file;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** Names with a star, which stands for anything: all of those that have something in its place. */
final class Starred {
    private static final String STAR = "*";

    private Starred() {}

    static boolean is(String name) {
        return name.contains(STAR);
    }

    /** Those that a name with stars stands for, in their order. */
    static List<String> among(Collection<String> known, String name) {
        Pattern form = Pattern.compile("\\Q" + name.replace(STAR, "\\E.+\\Q") + "\\E");
        return known.stream().filter(one -> form.matcher(one).matches()).toList();
    }
}
