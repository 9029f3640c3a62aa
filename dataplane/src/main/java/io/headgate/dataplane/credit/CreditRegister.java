package io.headgate.dataplane.credit;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.memory.sync.PublishedWords;

/**
 * What the ingress half of a port tells the egress half of the same port about credits: the state
 * of the hand-shake with the far end, the far end's grants, and the grants for it.
 *
 * <p>Values that must belong together are in one word: state, block scale and session. A session
 * begins whenever the hand-shake does; a limit says in which one it was granted, and counts in no
 * other. The state is written last, so a reader that sees a new state sees grants of its scale.
 */
public final class CreditRegister {
    /** The far end has not been heard, or has restarted. */
    public static final int DOWN = 0;

    /** The far end was heard, but has not yet heard us. */
    public static final int INIT = 1;

    /** Both have heard each other: credits count. */
    public static final int UP = 2;

    /** In place of a limit: nothing was granted in this session. */
    static final int NO_LIMIT = -1;

    // A word: the session in the highest 20 bits, below it a limit, of either end, or the scale and
    // the state.
    private static final int SESSION_SHIFT = 12;
    private static final int SESSION_MASK = -1 >>> SESSION_SHIFT;
    private static final int VALUE_MASK = (1 << SESSION_SHIFT) - 1;
    private static final int SCALE_SHIFT = 2;
    private static final int STATE_MASK = (1 << SCALE_SHIFT) - 1;

    // For each lane what the far end accepts, then what we accept; then the state; then when the
    // far end was heard.
    private static final int STATE = 2 * PRIORITIES;
    private static final int HEARD = STATE + 1;

    private final PublishedWords words = new PublishedWords(HEARD + 1);

    /** Down, and nothing granted. */
    public CreditRegister() {
        assert VALUE_MASK == CreditControl.MODULUS - 1;
    }

    /** Ingress half: the count up to which the far end accepts blocks in a lane. */
    void storeLimitOpaque(int lane, int session, int fccl) {
        words.storeOpaque(lane, session << SESSION_SHIFT | fccl);
    }

    /** What the far end has granted in a session, or {@link #NO_LIMIT}. */
    int loadLimitOpaque(int lane, int session) {
        return limit((int) words.loadOpaque(lane), session);
    }

    private static int limit(int word, int session) {
        return session(word) == session ? word & VALUE_MASK : NO_LIMIT;
    }

    /** Ingress half: when the frame came that says what is stored next. */
    void storeHeardOpaque(long receivedNs) {
        words.storeOpaque(HEARD, receivedNs);
    }

    /** When the far end was last heard; only good behind {@link #loadVersionAcquire}. */
    long loadHeardOpaque() {
        return words.loadOpaque(HEARD);
    }

    /** Ingress half: the count up to which we accept blocks in a lane. */
    void storeGrantOpaque(int lane, int session, int fccl) {
        words.storeOpaque(PRIORITIES + lane, session << SESSION_SHIFT | fccl);
    }

    /**
     * The grant for the far end in a session, or {@link #NO_LIMIT} if that of another session was
     * stored.
     */
    int loadGrantOpaque(int lane, int session) {
        return limit((int) words.loadOpaque(PRIORITIES + lane), session);
    }

    /** Ingress half: where the hand-shake is, once the grants of that session have been stored. */
    void storeStateRelease(int state, int scale, int session) {
        words.storeRelease(STATE, session << SESSION_SHIFT | scale << SCALE_SHIFT | state);
    }

    /** One word, for {@link #state}, {@link #scale} and {@link #session}. */
    int loadStateAcquire() {
        return (int) words.loadAcquire(STATE);
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
        words.storeVersionRelease();
    }

    int loadVersionAcquire() {
        return words.loadVersionAcquire();
    }
}
