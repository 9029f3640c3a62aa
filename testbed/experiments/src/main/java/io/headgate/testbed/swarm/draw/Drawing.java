package io.headgate.testbed.swarm.draw;

import java.util.Set;
import java.util.TreeSet;

/**
 * The options that determine which case a seed gives.
 *
 * @param without features that are left out of all cases
 * @param isBlocked only cases in which flows block one another: PFC on all links, and in the
 *     switches Escape, unless it is left out
 */
public record Drawing(Set<String> without, boolean isBlocked) {
    /** Everything that can be drawn. */
    public static final Drawing ANY = new Drawing(Set.of(), false);

    /** Only cases in which flows block one another. */
    public static final Drawing BLOCKED = new Drawing(Set.of(), true);

    public Drawing {
        without = Set.copyOf(without);
    }

    /** The arguments of the command line, with a space before each. */
    public String arguments() {
        return (isBlocked ? " --blocked" : "")
                + (without.isEmpty()
                        ? ""
                        : " --without " + String.join(",", new TreeSet<>(without)));
    }
}
