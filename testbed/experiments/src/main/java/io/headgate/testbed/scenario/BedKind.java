package io.headgate.testbed.scenario;

import java.util.Locale;

/** The kind of test bed on which a scenario runs. */
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
