package io.headgate.dataplane.flowcontrol;

import io.headgate.dataplane.frame.CreditControl;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the ingress half of a port tells the egress half of the same port about credits: how far the
 * hand-shake with the far end is, what the far end grants, and what is to be granted to it. Words
 * with one writer, the ingress half; the latest value wins; the reader learns by a version that
 * something changed.
 *
 * <p>Words are read one by one, so the reader may see some that are newer than others. What must
 * belong together is in one word: state, block scale and session. A session begins whenever the
 * hand-shake does; a limit says in which one it was granted, and counts in no other. The state is
 * written last, so whoever sees a new one sees grants of its scale.
 */
public final class CreditRegister {
    /** Nothing heard of the far end, or it began anew. */
    public static final int DOWN = 0;

    /** The far end was heard, but has not yet heard us. */
    public static final int INIT = 1;

    /** Both have heard each other: credits count. */
    public static final int UP = 2;

    /** In place of a limit: the far end has granted nothing in this session. */
    static final int NO_LIMIT = -1;

    private static final int LANES = 8;

    // A word: the session in the highest 20 bits, below it a limit, or the scale and the state.
    private static final int SESSION_SHIFT = 12;
    private static final int SESSION_MASK = -1 >>> SESSION_SHIFT;
    private static final int VALUE_MASK = (1 << SESSION_SHIFT) - 1;
    private static final int SCALE_SHIFT = 2;
    private static final int STATE_MASK = (1 << SCALE_SHIFT) - 1;

    private static final int STATE = 2 * LANES;
    private static final VarHandle VERSION;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        assert VALUE_MASK == CreditControl.MODULUS - 1;
        try {
            VERSION =
                    MethodHandles.lookup()
                            .findVarHandle(CreditRegister.class, "version", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // For each lane what the far end accepts, then what we accept; then the state.
    private final int[] words = new int[2 * LANES + 1];

    @SuppressWarnings("UnusedVariable") // through VERSION
    private int version;

    /** Ingress half: the count up to which the far end accepts blocks in a lane. */
    void storeLimitOpaque(int lane, int session, int fccl) {
        INTS.setOpaque(words, lane, session << SESSION_SHIFT | fccl);
    }

    /** What the far end has granted in a session, or {@link #NO_LIMIT}. */
    int loadLimitOpaque(int lane, int session) {
        int word = (int) INTS.getOpaque(words, lane);
        return session(word) == session ? word & VALUE_MASK : NO_LIMIT;
    }

    /** Ingress half: the count up to which we accept blocks in a lane. */
    void storeGrantOpaque(int lane, int fccl) {
        INTS.setOpaque(words, LANES + lane, fccl);
    }

    int loadGrantOpaque(int lane) {
        return (int) INTS.getOpaque(words, LANES + lane);
    }

    /** Ingress half: where the hand-shake is, once the grants of that session have been stored. */
    void storeStateRelease(int state, int scale, int session) {
        // Pairs with loadStateAcquire.
        INTS.setRelease(words, STATE, session << SESSION_SHIFT | scale << SCALE_SHIFT | state);
    }

    /** One word, for {@link #state}, {@link #scale} and {@link #session}. */
    int loadStateAcquire() {
        return (int) INTS.getAcquire(words, STATE);
    }

    static int state(int word) {
        return word & STATE_MASK;
    }

    static int scale(int word) {
        return (word & VALUE_MASK) >>> SCALE_SHIFT;
    }

    static int session(int word) {
        return word >>> SESSION_SHIFT;
    }

    /** The session after one; as many as fit, and no limit is as old as that. */
    static int sessionAfter(int session) {
        return (session + 1) & SESSION_MASK;
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
