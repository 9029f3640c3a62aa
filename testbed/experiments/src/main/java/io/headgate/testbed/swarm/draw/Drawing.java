package io.headgate.testbed.swarm.draw;

import java.util.Set;
import java.util.TreeSet;

/**
 * Which cases seeds stand for.
 *
 * @param without what is left out of all
 * @param isBlocked only cases in which flows block one another: PFC on all links, and in the
 *     switches Escape, unless it is left out
 */
public record Drawing(Set<String> without, boolean isBlocked) {
    /** Everything that can be drawn. */
    public static final Drawing ANY = new Drawing(Set.of(), false);

    /** What blocks. */
    public static final Drawing BLOCKED = new Drawing(Set.of(), true);

    public Drawing {
        without = Set.copyOf(without);
    }

    /** As the command line has it, with a space before each. */
    public String arguments() {
        return (isBlocked ? " --blocked" : "")
                + (without.isEmpty()
                        ? ""
                        : " --without " + String.join(",", new TreeSet<>(without)));
    }
}
