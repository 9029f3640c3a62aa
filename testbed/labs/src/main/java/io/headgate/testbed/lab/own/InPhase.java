package io.headgate.testbed.lab.own;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name split into its phase and the rest, as in {@code lqd: throughput of h1}; in a lab without
 * phases it has no phase.
 *
 * @param phase its place among those of the lab
 * @param rest the name without it
 */
record InPhase(int phase, String rest) {
    private static final String END = ": ";

    /**
     * Null where the name has no phase of these, or one too many.
     *
     * @param phases names of the lab's phases; empty: it has none
     */
    static @Nullable InPhase of(String name, List<String> phases) {
        int end = name.indexOf(END);
        if (phases.isEmpty()) {
            return end < 0 ? new InPhase(0, name) : null;
        }
        int phase = end < 0 ? -1 : phases.indexOf(name.substring(0, end));
        return phase < 0 ? null : new InPhase(phase, name.substring(end + END.length()));
    }
}
