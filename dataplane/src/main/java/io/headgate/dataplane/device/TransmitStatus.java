package io.headgate.dataplane.device;

/**
 * What a device tells its egress half in addition to the number of frames it took. The device
 * writes it within {@link PortDevice#transmit} and {@link PortDevice#completed}, and the half reads
 * it after them; because it has fields, a frame's path has no further call.
 */
public final class TransmitStatus {
    /** The status of devices that never have anything to report; never written. */
    public static final TransmitStatus NONE = new TransmitStatus();

    private long refusedFrames;
    private long refusedBytes;
    private boolean unsent;
    private long dueNs = Long.MAX_VALUE;

    /** The device: frames that it took cannot be sent, and are given back like any other. */
    public void refuse(long frames, long bytes) {
        assert this != NONE : "that of every device with nothing to say";
        refusedFrames += frames;
        refusedBytes += bytes;
    }

    /** The device: whether frames that it copied wait for another attempt. */
    public void setUnsent(boolean waiting) {
        assert this != NONE : "that of every device with nothing to say";
        unsent = waiting;
    }

    /**
     * The device: the same, of frames that wait until a time.
     *
     * @param untilNs MAX_VALUE: another attempt is for the half to time
     */
    public void setUnsent(boolean waiting, long untilNs) {
        setUnsent(waiting);
        dueNs = untilNs;
    }

    /** The time until which what is {@link #unsent} waits; MAX_VALUE: for another attempt. */
    public long dueNs() {
        return dueNs;
    }

    /** Frames since opening that were taken, could not be sent, and have been given back. */
    public long refusedFrames() {
        return refusedFrames;
    }

    /** Their bytes. */
    public long refusedBytes() {
        return refusedBytes;
    }

    /**
     * Whether frames that the device copied wait there for another attempt, so that {@link
     * PortDevice#completed} must be called though the device holds no slot.
     */
    public boolean unsent() {
        return unsent;
    }
}
