package io.headgate.dataplane.flowcontrol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the ingress half of a port tells the egress half of the same port about credits: how far the
 * hand-shake with the far end is, what the far end grants, and what is to be granted to it. Words
 * with one writer, the ingress half; the latest value wins; the reader learns by a version that
 * something changed.
 */
public final class CreditRegister {
    /** Nothing heard of the far end, or it began anew. */
    public static final int DOWN = 0;

    /** The far end was heard, but has not yet heard us. */
    public static final int INIT = 1;

    /** Both have heard each other: credits count. */
    public static final int UP = 2;

    private static final int LANES = 8;
    private static final VarHandle VERSION;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            VERSION =
                    MethodHandles.lookup()
                            .findVarHandle(CreditRegister.class, "version", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // For each lane what the far end accepts, then what we accept; then state and scale.
    private final int[] words = new int[2 * LANES + 2];

    @SuppressWarnings("UnusedVariable") // through VERSION
    private int version;

    /** Ingress half: the count up to which the far end accepts blocks in a lane. */
    void storeLimitOpaque(int lane, int fccl) {
        INTS.setOpaque(words, lane, fccl);
    }

    int loadLimitOpaque(int lane) {
        return (int) INTS.getOpaque(words, lane);
    }

    /** Ingress half: the count up to which we accept blocks in a lane. */
    void storeGrantOpaque(int lane, int fccl) {
        INTS.setOpaque(words, LANES + lane, fccl);
    }

    int loadGrantOpaque(int lane) {
        return (int) INTS.getOpaque(words, LANES + lane);
    }

    void storeStateOpaque(int state, int scale) {
        INTS.setOpaque(words, 2 * LANES, state);
        INTS.setOpaque(words, 2 * LANES + 1, scale);
    }

    int loadStateOpaque() {
        return (int) INTS.getOpaque(words, 2 * LANES);
    }

    int loadScaleOpaque() {
        return (int) INTS.getOpaque(words, 2 * LANES + 1);
    }

    /** Ingress half: makes what was stored before visible; then ring the egress half. */
    void storeVersionRelease() {
        // Pairs with loadVersionAcquire.
        VERSION.setRelease(this, (int) VERSION.getOpaque(this) + 1);
    }

    int loadVersionAcquire() {
        return (int) VERSION.getAcquire(this);
    }
}
