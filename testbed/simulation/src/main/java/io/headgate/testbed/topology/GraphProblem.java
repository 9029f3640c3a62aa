package io.headgate.testbed.topology;

/**
 * What keeps a graph from being a network: where, what is there, and what would be allowed.
 *
 * @param index number in the section
 */
record GraphProblem(Section section, int index, String found, String allowed) {
    /** Which list of a topology is meant. */
    enum Section {
        HOSTS,
        SWITCHES,
        LINKS,
        ROUTES,
        /** The network as a whole. */
        ALL
    }

    String sentence() {
        return found + "; allowed: " + allowed;
    }
}
