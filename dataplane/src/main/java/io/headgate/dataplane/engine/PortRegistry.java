package io.headgate.dataplane.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * State that the halves of a switch publish to one another: a word with one writer each, the latest
 * value wins, readable by anyone a moment stale.
 */
public final class PortRegistry {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

    // One cache line a port: the writers are on different threads.
    private static final int STRIDE = 16;

    private final int[] words;

    PortRegistry(int ports) {
        words = new int[ports * STRIDE];
    }

    /** Whether a port has a device whose link is up. Written by its ingress half. */
    public boolean isUp(int port) {
        return (int) WORD.getOpaque(words, port * STRIDE) != 0;
    }

    void setUp(int port, boolean up) {
        WORD.setOpaque(words, port * STRIDE, up ? 1 : 0);
    }
}
