package io.headgate.dataplane.pause;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.sync.PublishedWords;

/**
 * Publishes pause state from the ingress half of a port to its egress half: the priorities whose
 * senders must pause, and the times until which the far end has paused our side. Any thread may
 * read it, and may see a slightly old value.
 */
public final class PauseRegister {
    // Per priority, the time until which it must not send, then the number of frames that have
    // paused it; then those whose senders must pause.
    private static final int PAUSES_RECEIVED = TrafficConfig.PRIORITIES;
    private static final int WANTED = 2 * TrafficConfig.PRIORITIES;

    private final PublishedWords words = new PublishedWords(WANTED + 1);

    /** Ingress half: stores the priorities whose senders must pause; then ring the egress half. */
    public void storeWantedRelease(int priorities) {
        words.storeRelease(WANTED, priorities);
    }

    /** Egress half: reads the priorities whose senders must pause. */
    public int loadWantedAcquire() {
        return (int) words.loadAcquire(WANTED);
    }

    /**
     * Ingress half: stores the time until which a priority must not send; then call {@link
     * #storeVersionRelease}.
     *
     * @param pausesReceived number of frames that have paused it so far, without resumptions
     */
    public void storeUntilOpaque(int priority, long untilNs, long pausesReceived) {
        words.storeOpaque(priority, untilNs);
        words.storeOpaque(PAUSES_RECEIVED + priority, pausesReceived);
    }

    /** Ingress half: makes earlier stores visible; then ring the egress half. */
    public void storeVersionRelease() {
        words.storeVersionRelease();
    }

    /** Egress half: reads the version, which changes whenever a priority's time was stored. */
    public int loadVersionAcquire() {
        return words.loadVersionAcquire();
    }

    /**
     * The time until which a priority must not send; valid only after {@link #loadVersionAcquire}.
     */
    public long loadUntilOpaque(int priority) {
        return words.loadOpaque(priority);
    }

    /** Number of frames that have paused a priority so far, without resumptions. */
    public long loadPausesReceivedOpaque(int priority) {
        return words.loadOpaque(PAUSES_RECEIVED + priority);
    }
}
