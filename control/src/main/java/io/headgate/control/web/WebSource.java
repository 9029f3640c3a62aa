package io.headgate.control.web;

import io.headgate.control.daemon.DaemonException;

/**
 * The source of the page's data. Each method is called by one thread, but different methods by
 * different threads.
 */
public interface WebSource {
    /** Lines of JSON: changes for viewers that have all earlier lines, and the whole for others. */
    interface Lines {
        /** The line with the changes since the last call. */
        String next();

        /** The whole line, as of the last call of {@link #next}. */
        String whole();

        /** Whether they describe no port at all. */
        boolean isEmpty();
    }

    /** The present lines; a new object if viewers must begin again. */
    Lines lines();

    /** Looks for running switches. Called about once a second while somebody watches; may wait. */
    void look();

    /**
     * Why a queue does not send, as {@code headgate explain pause} says, in JSON. May wait.
     *
     * @param isPausing whether the question is instead why the port stops its far end
     * @throws DaemonException in a sentence, if there is no answer
     */
    String explain(String node, String port, int priority, boolean isPausing)
            throws DaemonException;
}
