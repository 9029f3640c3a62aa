package io.headgate.testbed.virtual;

import java.util.BitSet;

/**
 * Which nodes are held, so that none of their duties is called, and which have been called since
 * somebody looked. A run that needs neither has none.
 */
final class DutyWatch {
    private final BitSet held = new BitSet();
    private final BitSet called = new BitSet();
    private boolean timerFired;

    /** Whether a duty of that node may be called now; it is, if so. */
    boolean mayCall(VirtualNode node) {
        if (held.get(node.number())) {
            return false;
        }
        called.set(node.number());
        return true;
    }

    /** A timer has fired, which may have done anything to any node. */
    void timerFired() {
        timerFired = true;
    }

    boolean takeTimerFired() {
        boolean was = timerFired;
        timerFired = false;
        return was;
    }

    void hold(VirtualNode node) {
        held.set(node.number());
    }

    void release(VirtualNode node) {
        held.clear(node.number());
    }

    boolean isHeld(VirtualNode node) {
        return held.get(node.number());
    }

    /** Whether any of a node's duties has been called since this was last asked. */
    boolean takeCalled(VirtualNode node) {
        boolean was = called.get(node.number());
        called.clear(node.number());
        return was;
    }
}
