package io.headgate.testbed.scenario.file;

import java.util.Collection;
import java.util.List;

/** Matches names with stars against known names; a star represents one character or more. */
final class Starred {
    private static final String STAR = "*";

    private Starred() {}

    static boolean is(String name) {
        return name.contains(STAR);
    }

    /** The known names that a name with stars matches, in their order. */
    static List<String> among(Collection<String> known, String name) {
        String[] parts = name.split("\\*", -1);
        return known.stream().filter(one -> isLike(one, parts)).toList();
    }

    /**
     * Matches each part at its first place, because that leaves the most for the parts after it.
     */
    private static boolean isLike(String one, String[] parts) {
        int last = parts.length - 1;
        if (last == 0 || !one.startsWith(parts[0])) {
            return one.equals(parts[0]);
        }
        int end = parts[0].length();
        for (int i = 1; i < last; i++) {
            int at = one.indexOf(parts[i], end + 1);
            if (at < 0) {
                return false;
            }
            end = at + parts[i].length();
        }
        return end < one.length() - parts[last].length() && one.endsWith(parts[last]);
    }
}
