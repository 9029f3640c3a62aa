package io.headgate.dataplane.device.afxdp;

import io.headgate.dataplane.device.linux.Errno;

/**
 * State of one port in {@link LiveTransmit}: whether its bursts may be sent as XDP frames, and what
 * the interface took. Owned by the egress half's thread, except {@link #words}.
 *
 * <p>To keep their order, a port's frames take one way at a time: as XDP frames only when the
 * kernel has returned all frames sent through the socket; XDP frames have left when the call
 * returns.
 */
final class LivePort {
    /** After a far end took nothing, the next attempt comes this much later. */
    private static final long RETRY_NS = 1_000_000_000;

    /** Fewer frames than this are sent at once, unless other ports' frames wait. */
    static final int FEW_FRAMES = 8;

    private static final int NOT_TRIED = 0;
    private static final int TAKEN = 1;
    private static final int NOT_TAKEN = 2;
    private static final int REFUSED = 3;

    private final LiveTransmit transmit;
    private final XskTransmitter transmitter;
    private final int number;
    private volatile int state = NOT_TRIED;

    /** What the kernel's reports call the interface; 0: not known yet. */
    private long name;

    /** Negated errno of a call that the kernel refused; written before the state. */
    private volatile int refusal;

    private long retryNs;

    /** Whether the port waits for the worker's next call. */
    boolean isWaiting;

    /** Frames in the call that the interface took, or dropped and counted itself. */
    private int taken;

    private long lost;

    LivePort(LiveTransmit transmit, XskTransmitter transmitter, int number) {
        this.transmit = transmit;
        this.transmitter = transmitter;
        this.number = number;
    }

    /** Whether no port of the worker has staged frames. */
    boolean isFirst() {
        return !transmit.isWaiting();
    }

    /** Called by the transmitter when it has staged frames. */
    void staged(int frames) {
        transmit.staged(this, frames);
    }

    void flush(long nowNs, long cycle) {
        transmit.flush(nowNs, cycle);
    }

    int frames() {
        return transmitter.stagedFrames();
    }

    boolean isKnown() {
        return name != 0;
    }

    boolean maySend(long nowNs) {
        return (state <= TAKEN || retryNs - nowNs <= 0) && transmitter.maySendLive();
    }

    void writeTo(LiveTransmit to) {
        taken = 0;
        transmitter.writeStaged(to, number);
    }

    /**
     * Handles a report of the kernel; returns whether it is about this port.
     *
     * @param frames frames that the interface took, or dropped and counted itself
     */
    boolean reported(long of, int frames) {
        // A port that is not known yet is alone in its call.
        if (name == 0) {
            name = of;
        }
        if (name != of) {
            return false;
        }
        taken += frames;
        return true;
    }

    /**
     * Called when the system call has ended and all reports were read.
     *
     * @param came how many of the port's frames the kernel processed; the others are still staged
     */
    void sent(long nowNs, int came) {
        if (came == 0) {
            return;
        }
        if (taken == 0) {
            name = 0;
            retryNs = nowNs + RETRY_NS;
            state = NOT_TAKEN;
            return;
        }
        if (taken != came) {
            // It changed meanwhile, or the name was another's: to be learnt again.
            lost += Math.max(0, came - taken);
            name = 0;
        }
        if (state != TAKEN) {
            state = TAKEN;
        }
        transmitter.sentStaged(came);
    }

    /** Called when the kernel processed no frame of the call. */
    void refused(long nowNs, int result) {
        retryNs = nowNs + RETRY_NS;
        refusal = result;
        state = REFUSED;
    }

    /** Sends the frames that are still staged through the socket. */
    void sendRest() {
        transmitter.sendStaged();
    }

    /** Frames that the interface neither took nor counted, because it changed meanwhile. */
    long lost() {
        return lost;
    }

    /** Whether the far end did not take the frames sent last. */
    boolean isNotTaken() {
        return state == NOT_TAKEN;
    }

    /** Whether the kernel refused the last call. */
    boolean isRefused() {
        return state == REFUSED;
    }

    /** Any thread: why the kernel refused, for the user. */
    String refusal() {
        return "the kernel refuses to send them (" + Errno.describe(refusal) + ")";
    }

    /** Any thread: how bursts are sent, for the user. */
    String words() {
        return switch (state) {
            case TAKEN -> "bursts as XDP frames";
            case NOT_TAKEN -> "no XDP frames: the other end does not accept them";
            case REFUSED -> "no XDP frames: " + refusal();
            default -> "bursts as XDP frames if the other end accepts them";
        };
    }

    /** Removes the port from its {@link LiveTransmit}, and returns that. */
    LiveTransmit leave() {
        transmit.leave(number);
        return transmit;
    }
}
