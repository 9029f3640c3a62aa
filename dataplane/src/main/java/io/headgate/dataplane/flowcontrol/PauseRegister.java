package io.headgate.dataplane.flowcontrol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the ingress half of a port tells the egress half of the same port about pauses: which it
 * wants its own sender to make, and until when the far end wants ours; and, the other way, what the
 * watchdog has dropped. Words with one writer; the latest value wins; the reader learns by a
 * version that something changed. Readable by anyone a moment stale.
 */
public final class PauseRegister {
    private static final VarHandle VERSION;
    private static final VarHandle WANTED;
    private static final VarHandle DROPPING;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            VERSION = lookup.findVarHandle(PauseRegister.class, "version", int.class);
            WANTED = lookup.findVarHandle(PauseRegister.class, "wanted", int.class);
            DROPPING = lookup.findVarHandle(PauseRegister.class, "dropping", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int PRIORITIES = 8;

    private final long[] untilNs = new long[PRIORITIES];
    private final long[] pausesReceived = new long[PRIORITIES];

    @SuppressWarnings("UnusedVariable") // through VERSION
    private int version;

    @SuppressWarnings("UnusedVariable") // through WANTED
    private int wanted;

    @SuppressWarnings("UnusedVariable") // through DROPPING
    private int dropping;

    /** Egress half, its only word: the priorities whose frames the watchdog has dropped. */
    public void storeDroppingRelease(int priorities) {
        // Pairs with loadDroppingAcquire.
        DROPPING.setRelease(this, priorities);
    }

    /** Ingress half: the priorities whose frames the watchdog has dropped. */
    public int loadDroppingAcquire() {
        return (int) DROPPING.getAcquire(this);
    }

    /** Ingress half: which priorities' senders must pause; then ring the egress half. */
    public void storeWantedRelease(int priorities) {
        // Pairs with loadWantedAcquire.
        WANTED.setRelease(this, priorities);
    }

    /** Egress half: which priorities' senders must pause. */
    public int loadWantedAcquire() {
        return (int) WANTED.getAcquire(this);
    }

    /**
     * Ingress half: until when a priority must not send; then {@link #storeVersionRelease}.
     *
     * @param pausesReceived how many frames have paused it so far, resumptions not counted
     */
    public void storeUntilOpaque(int priority, long untilNs, long pausesReceived) {
        LONGS.setOpaque(this.untilNs, priority, untilNs);
        LONGS.setOpaque(this.pausesReceived, priority, pausesReceived);
    }

    /** Ingress half: makes what was stored before visible; then ring the egress half. */
    public void storeVersionRelease() {
        // Pairs with loadVersionAcquire.
        VERSION.setRelease(this, (int) VERSION.getOpaque(this) + 1);
    }

    /** Egress half: changes whenever a priority's time was stored. */
    public int loadVersionAcquire() {
        return (int) VERSION.getAcquire(this);
    }

    /** Until when a priority must not send; only good behind {@link #loadVersionAcquire}. */
    public long loadUntilOpaque(int priority) {
        return (long) LONGS.getOpaque(untilNs, priority);
    }

    /** Frames that paused a priority so far, resumptions not counted. */
    public long loadPausesReceivedOpaque(int priority) {
        return (long) LONGS.getOpaque(pausesReceived, priority);
    }
}
