package io.headgate.dataplane.engine;

import io.headgate.dataplane.flowcontrol.CreditRegister;
import io.headgate.dataplane.flowcontrol.PauseRegister;
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
    private final PauseRegister[] pauses;
    private final CreditRegister[] credits;

    PortRegistry(int ports) {
        words = new int[ports * STRIDE];
        pauses = new PauseRegister[ports];
        credits = new CreditRegister[ports];
        for (int port = 0; port < ports; port++) {
            pauses[port] = new PauseRegister();
            credits[port] = new CreditRegister();
        }
    }

    /** What both halves of a port tell each other of pauses. */
    public PauseRegister pauses(int port) {
        return pauses[port];
    }

    /** What the ingress half of a port tells its egress half of credits. */
    public CreditRegister credits(int port) {
        return credits[port];
    }

    /** Whether a port has a device whose link is up. Written by its ingress half. */
    public boolean isUp(int port) {
        return (int) WORD.getOpaque(words, port * STRIDE) != 0;
    }

    void setUp(int port, boolean up) {
        WORD.setOpaque(words, port * STRIDE, up ? 1 : 0);
    }
}
