package io.headgate.dataplane.device;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import org.jspecify.annotations.Nullable;

/**
 * Receives and transmits batches of frames. The ingress half's thread calls the methods for
 * receiving, the egress half's thread those for transmitting, and the thread that opened the device
 * the rest, while no half uses it. No method blocks, throws because of outside events, or allocates
 * per frame.
 */
public interface PortDevice extends AutoCloseable {

    /** Describes the device: name, MAC address, largest frame, whether it needs one worker. */
    DeviceInfo info();

    /**
     * Receives up to {@code limit} frames into slots taken from {@code free}.
     *
     * <p>For each frame {@code dataOffset}, {@code lengthBytes} and {@code storedBytes} are set; a
     * VLAN tag that the kernel removed is back in the bytes. The caller records the frames' places.
     * Frames that the device itself drops (truncated, no free slot) are counted for {@link
     * #readReceiveDrops}.
     *
     * @param batch receives the frames, from index 0
     * @return number of frames, 0 if there is none
     */
    int receive(long nowNs, FreeList free, Frame[] batch, int limit);

    /**
     * Makes each later {@link #receive} report the age of its frames: how long before the end of
     * the call they arrived, if the device knows. The device's own clock may be set in between, so
     * the caller must check that the ages are possible.
     *
     * @param agesNs receives a batch's ages, from index 0, in ns; null: stop reporting
     * @return whether the device knows the ages; otherwise it writes nothing
     */
    default boolean showAges(long @Nullable [] agesNs) {
        return false;
    }

    /**
     * Hands frames to the device, in order, and starts their transmission.
     *
     * @return how many were taken, from the first on; the others remain the caller's. With {@link
     *     #transmitCopies()}, a taken frame belongs to the caller again at once, otherwise to the
     *     device until {@link #completed} returns it
     */
    int transmit(Frame[] batch, int from, int count);

    /**
     * Shows a witness, from now on, each frame that the device drops after taking it, if the device
     * still has the frame then.
     *
     * @param witness null: stop showing
     */
    default void showDrops(@Nullable DropWitness witness) {}

    /**
     * Whether {@link #transmit} only collects frames, and {@link #flush} starts their transmission.
     * Called once, before the first frame.
     */
    default boolean collects() {
        return false;
    }

    /**
     * Cycle number for a flush that must send now: no cycle may follow, or its frames must not
     * wait.
     */
    long LAST_CYCLE = -1;

    /**
     * Sends the collected frames, or keeps them for the next call. Called at the end of each cycle
     * in which the worker did something, of the cycle after it, and before the device is given up.
     *
     * @param cycle a number from 1 on, greater in each cycle, or {@link #LAST_CYCLE}
     */
    default void flush(long nowNs, long cycle) {}

    /**
     * Whether it takes frames that stand for several TCP segments ({@link Frame#segmentBytes}); if
     * not, the caller cuts them first.
     */
    default boolean takesSegments() {
        return false;
    }

    /**
     * Whether {@link #transmit} copies a frame's bytes, so that its slot is free when the call
     * returns.
     */
    default boolean transmitCopies() {
        return true;
    }

    /**
     * Returns transmitted frames to the caller (always 0 if transmission copies), and retries
     * frames that the device took and could not send at once.
     */
    default int completed(Frame[] into, int limit) {
        return 0;
    }

    /**
     * Applies another configuration of its port, as far as that can change while it is open. Called
     * by any thread; both sides follow it from their next call on.
     */
    default void change(PortConfig port) {}

    /** Further status of transmission; read once, before the first frame. */
    default TransmitStatus transmitStatus() {
        return TransmitStatus.NONE;
    }

    /**
     * Whether frames can flow. Cheap, called often by either side; a device that has gone (its
     * interface deleted, its peer closed) returns false, permanently or until it comes back.
     */
    boolean isUp();

    /**
     * Whether the device will never be up again. Its owner then closes it and may open a new one,
     * for example when an interface of its name exists again. As cheap as {@link #isUp}.
     */
    default boolean isGone() {
        return false;
    }

    /**
     * Why frames arrive damaged, get lost or no longer arrive, for causes that were not known at
     * opening: one sentence that includes the fix; empty if all is well. The text is the same as
     * long as the cause is. It may take milliseconds, so a worker must not call it; the thread that
     * opened the device calls it, also while halves use the device, and once when it is closed.
     */
    default String trouble() {
        return "";
    }

    /**
     * Adds the frames that the device or the kernel has dropped on the receive side since opening;
     * nothing if neither can drop a frame.
     */
    void readReceiveDrops(DropTotals totals);

    /**
     * Adds the frames that the device or the kernel has dropped on the transmit side since opening,
     * without those of {@link TransmitStatus#refusedFrames}; nothing if neither can drop another
     * frame.
     */
    void readTransmitDrops(DropTotals totals);

    /** {@link #receiveFd()} of a device that has no descriptor and must be polled. */
    int POLLED = -1;

    /** {@link #receiveFd()} of a device that receives only from this port's own egress half. */
    int FED_FROM_WITHIN = -2;

    /** File descriptor to sleep on until a frame arrives, or one of the values above. */
    default int receiveFd() {
        return POLLED;
    }

    /**
     * Prepares for sleeping on {@link #receiveFd()}.
     *
     * @return whether a frame has arrived already, so that the caller must not sleep
     */
    boolean armReceive();

    /** When the device has work even if no frame arrives, in ns; MAX_VALUE: never. */
    default long deadlineNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Whether {@link #receive} would do more with the slots that are free now than its last call
     * did. Called after slots were returned.
     */
    default boolean awaitsReturns() {
        return true;
    }

    /**
     * Closes the device and removes what opening it made. Frames in its rings stay marked with
     * their place, and the halves reclaim them. Idempotent.
     */
    @Override
    void close();
}
