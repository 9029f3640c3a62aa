package io.headgate.dataplane.pause;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.sync.PublishedWords;

/**
 * What the ingress half of a port tells the egress half of the same port about pauses: which pauses
 * its own sender must send, and how long the far end has paused our side. Any thread may read it, a
 * moment stale.
 */
public final class PauseRegister {
    // Per priority, the time until which it must not send, then the number of frames that have
    // paused it; then those whose senders must pause.
    private static final int PAUSES_RECEIVED = TrafficConfig.PRIORITIES;
    private static final int WANTED = 2 * TrafficConfig.PRIORITIES;

    private final PublishedWords words = new PublishedWords(WANTED + 1);

    /** Ingress half: which priorities' senders must pause; then ring the egress half. */
    public void storeWantedRelease(int priorities) {
        words.storeRelease(WANTED, priorities);
    }

    /** Egress half: which priorities' senders must pause. */
    public int loadWantedAcquire() {
        return (int) words.loadAcquire(WANTED);
    }

    /**
     * Ingress half: the time until which a priority must not send; then {@link
     * #storeVersionRelease}.
     *
     * @param pausesReceived how many frames have paused it so far, resumptions not counted
     */
    public void storeUntilOpaque(int priority, long untilNs, long pausesReceived) {
        words.storeOpaque(priority, untilNs);
        words.storeOpaque(PAUSES_RECEIVED + priority, pausesReceived);
    }

    /** Ingress half: makes what was stored before visible; then ring the egress half. */
    public void storeVersionRelease() {
        words.storeVersionRelease();
    }

    /** Egress half: changes whenever a priority's time was stored. */
    public int loadVersionAcquire() {
        return words.loadVersionAcquire();
    }

    /**
     * The time until which a priority must not send; only good behind {@link #loadVersionAcquire}.
     */
    public long loadUntilOpaque(int priority) {
        return words.loadOpaque(priority);
    }

    /** Frames that paused a priority so far, resumptions not counted. */
    public long loadPausesReceivedOpaque(int priority) {
        return words.loadOpaque(PAUSES_RECEIVED + priority);
    }
}
