package io.headgate.dataplane.device;

/**
 * Transmit state that a device reports to its egress half, in addition to the number of frames
 * taken. The device writes it within {@link PortDevice#transmit} and {@link PortDevice#completed},
 * and the half reads it after them; it is plain fields, so that frames cost no further call.
 */
public final class TransmitStatus {
    /** The status of devices that never have anything to report; never written. */
    public static final TransmitStatus NONE = new TransmitStatus();

    private long refusedFrames;
    private long refusedBytes;
    private boolean unsent;
    private long dueNs = Long.MAX_VALUE;

    /**
     * Called by the device: frames that it took cannot be sent, and are returned like any other.
     */
    public void refuse(long frames, long bytes) {
        assert this != NONE : "that of every device with nothing to say";
        refusedFrames += frames;
        refusedBytes += bytes;
    }

    /** Called by the device: sets whether frames that it copied wait for another attempt. */
    public void setUnsent(boolean waiting) {
        assert this != NONE : "that of every device with nothing to say";
        unsent = waiting;
    }

    /**
     * Called by the device: the same, for frames that wait until a given time.
     *
     * @param untilNs MAX_VALUE: the half decides when to try again
     */
    public void setUnsent(boolean waiting, long untilNs) {
        setUnsent(waiting);
        dueNs = untilNs;
    }

    /**
     * Time until which the {@link #unsent} frames wait; MAX_VALUE: the half decides when to try
     * again.
     */
    public long dueNs() {
        return dueNs;
    }

    /** Frames since opening that were taken, could not be sent, and have been returned. */
    public long refusedFrames() {
        return refusedFrames;
    }

    /** Bytes of the {@link #refusedFrames}. */
    public long refusedBytes() {
        return refusedBytes;
    }

    /**
     * Whether frames that the device copied wait there for another attempt, so that {@link
     * PortDevice#completed} must be called although the device holds no slot.
     */
    public boolean unsent() {
        return unsent;
    }
}
