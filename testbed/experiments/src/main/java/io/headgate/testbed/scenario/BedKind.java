package io.headgate.testbed.scenario;

import java.util.Locale;

/** Where a scenario runs. */
public enum BedKind {
    /** In virtual time: deterministic to the bit. */
    VIRTUAL,
    /** On real frames between network namespaces, scaled. */
    NETNS;

    /** As the command line writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
