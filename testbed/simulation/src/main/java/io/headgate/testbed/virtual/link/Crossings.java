package io.headgate.testbed.virtual.link;

import java.util.Arrays;

/**
 * Directions of links between two parts of a run on which an end has done something that the other
 * end's node must be notified of. They are noted while parts run at once, each in its own thread,
 * and handed over when all of them rest. Grows to what a turn has at most.
 */
public final class Crossings {
    private Noted[] noted = new Noted[16];
    private int size;

    /** What is noted. */
    interface Noted {
        /** Notifies the node at the other end; all parts rest. */
        void handOver();
    }

    public Crossings() {}

    void add(Noted direction) {
        if (size == noted.length) {
            noted = Arrays.copyOf(noted, 2 * size);
        }
        noted[size++] = direction;
    }

    /** While all parts rest: notifies the nodes at the other ends. */
    public void handOver() {
        for (int i = 0; i < size; i++) {
            noted[i].handOver();
        }
        size = 0;
    }
}
