package io.headgate.control.web;

import io.headgate.control.daemon.DaemonException;

/** What the page shows. Each method is called by one thread, not by the same one. */
public interface WebSource {
    /** A line of JSON for those who have all before it, and what it is with all before it. */
    interface Lines {
        /** What changed since the last call. */
        String next();

        /** All, as of the last call of {@link #next}. */
        String whole();

        /** Whether they are of no port at all. */
        boolean isEmpty();
    }

    /** The present lines; another object than before where viewers must begin again. */
    Lines lines();

    /** Looks what there is. Called about once a second while somebody watches; may wait. */
    void look();

    /**
     * Why a queue does not send, as {@code headgate explain pause} has it, in JSON. May wait.
     *
     * @param isPausing the question is why the port stops its far end, instead
     * @throws DaemonException if that cannot be said, in a sentence
     */
    String explain(String node, String port, int priority, boolean isPausing)
            throws DaemonException;
}
