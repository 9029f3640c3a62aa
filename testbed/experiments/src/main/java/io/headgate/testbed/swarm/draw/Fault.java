package io.headgate.testbed.swarm.draw;

import io.headgate.testbed.topology.LinkFaults;
import java.util.Locale;

/** A fault of a case. Links have the names of the network's plan. */
public sealed interface Fault {
    /** Such as {@code fault2}. */
    String name();

    /** The name of the link or node that it applies to. */
    String where();

    /** In a few words. */
    String describe();

    /** A link that loses, corrupts, reorders, repeats or delays frames, in both directions. */
    record OfLink(String name, String where, LinkFaults faults) implements Fault {
        @Override
        public String describe() {
            return String.format(
                    Locale.ROOT,
                    "%s: %s frames lost %.3f, corrupted %.3f, delayed %.3f by %d ps, repeated %.3f,"
                            + " forged %.3f; jitter %d ps",
                    where,
                    faults.kind(),
                    faults.lossProbability(),
                    faults.corruptionProbability(),
                    faults.reorderProbability(),
                    faults.reorderDelayPs(),
                    faults.repeatProbability(),
                    faults.forgeProbability(),
                    faults.jitterPs());
        }
    }

    /** A link that is pulled and plugged in again. */
    record Flap(String name, String where, long atPs, long downPs) implements Fault {
        @Override
        public String describe() {
            return "%s pulled at %d ps for %d ps".formatted(where, atPs, downPs);
        }
    }

    /** A node none of whose duties is called for a time. */
    record Stall(String name, String where, long atPs, long forPs) implements Fault {
        @Override
        public String describe() {
            return "%s stalled at %d ps for %d ps".formatted(where, atPs, forPs);
        }
    }
}
