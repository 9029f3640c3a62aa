package io.headgate.testbed.virtual;

import java.util.BitSet;

/**
 * Records which nodes, by number, are stalled, so that none of their duties is called, and which
 * have been called since the last query. Only runs that need this have one.
 */
final class DutyWatch {
    private final BitSet stalled = new BitSet();
    private final BitSet called = new BitSet();
    private boolean timerFired;

    /**
     * Whether a duty of that node may be called now. If so, the caller calls it, and the node
     * counts as called.
     */
    boolean mayCall(int node) {
        if (stalled.get(node)) {
            return false;
        }
        called.set(node);
        return true;
    }

    /** Records that a timer has fired, which may have changed any node. */
    void timerFired() {
        timerFired = true;
    }

    boolean takeTimerFired() {
        boolean was = timerFired;
        timerFired = false;
        return was;
    }

    void stall(int node) {
        stalled.set(node);
    }

    void resume(int node) {
        stalled.clear(node);
    }

    boolean isStalled(int node) {
        return stalled.get(node);
    }

    /** Whether any of a node's duties has been called since the last call of this method. */
    boolean takeCalled(int node) {
        boolean was = called.get(node);
        called.clear(node);
        return was;
    }
}
