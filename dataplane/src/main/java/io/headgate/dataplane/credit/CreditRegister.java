package io.headgate.dataplane.credit;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.memory.sync.PublishedWords;

/**
 * Publishes credit state from the ingress half of a port to its egress half: the state of the
 * handshake with the far end, the far end's grants, and the grants for it.
 *
 * <p>State, block scale and session must match and are in one word. Each handshake begins a
 * session; a limit carries the session in which it was granted, and counts only there. The state is
 * written last, so a reader that sees a new state sees grants of its scale.
 */
public final class CreditRegister {
    /** No frame has come from the far end, or it has restarted. */
    public static final int DOWN = 0;

    /** The far end's frames arrive, but it has not yet received ours. */
    public static final int INIT = 1;

    /** Each end has received the other's frames: credits count. */
    public static final int UP = 2;

    /** Instead of a limit: nothing was granted in this session. */
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

    /** Creates a register in state {@link #DOWN}, without grants. */
    public CreditRegister() {
        assert VALUE_MASK == CreditControl.MODULUS - 1;
    }

    /** Ingress half: stores the count up to which the far end accepts blocks in a lane. */
    void storeLimitOpaque(int lane, int session, int fccl) {
        words.storeOpaque(lane, session << SESSION_SHIFT | fccl);
    }

    /** The far end's grant in a session, or {@link #NO_LIMIT}. */
    int loadLimitOpaque(int lane, int session) {
        return limit((int) words.loadOpaque(lane), session);
    }

    private static int limit(int word, int session) {
        return session(word) == session ? word & VALUE_MASK : NO_LIMIT;
    }

    /** Ingress half: stores the arrival time of the frame with the values that are stored next. */
    void storeHeardOpaque(long receivedNs) {
        words.storeOpaque(HEARD, receivedNs);
    }

    /** Arrival time of the far end's last frame; valid only after {@link #loadVersionAcquire}. */
    long loadHeardOpaque() {
        return words.loadOpaque(HEARD);
    }

    /** Ingress half: stores the count up to which we accept blocks in a lane. */
    void storeGrantOpaque(int lane, int session, int fccl) {
        words.storeOpaque(PRIORITIES + lane, session << SESSION_SHIFT | fccl);
    }

    /**
     * The grant for the far end in a session, or {@link #NO_LIMIT} if one of another session is
     * stored.
     */
    int loadGrantOpaque(int lane, int session) {
        return limit((int) words.loadOpaque(PRIORITIES + lane), session);
    }

    /** Ingress half: stores the state of the handshake, after the grants of that session. */
    void storeStateRelease(int state, int scale, int session) {
        words.storeRelease(STATE, session << SESSION_SHIFT | scale << SCALE_SHIFT | state);
    }

    /** The word that holds {@link #state}, {@link #scale} and {@link #session}. */
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

    /** The number after a session's. Numbers wrap, and no limit is as old as that. */
    static int sessionAfter(int session) {
        return (session + 1) & SESSION_MASK;
    }

    /** Ingress half: makes earlier stores visible; then ring the egress half. */
    void storeVersionRelease() {
        words.storeVersionRelease();
    }

    int loadVersionAcquire() {
        return words.loadVersionAcquire();
    }
}
