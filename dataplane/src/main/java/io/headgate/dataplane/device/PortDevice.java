package io.headgate.dataplane.device;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import org.jspecify.annotations.Nullable;

/**
 * Receives and transmits batches of frames. The ingress half's thread calls the methods named after
 * receiving, the egress half's those named after transmitting; the thread that opened the device
 * calls the rest, while no half uses it. No method blocks, throws because of outside events, or
 * allocates per frame.
 */
public interface PortDevice extends AutoCloseable {

    /** What the device is: name, MAC address, largest frame, whether it needs one worker. */
    DeviceInfo info();

    /**
     * Receives up to {@code limit} frames into slots taken from {@code free}.
     *
     * <p>For each frame {@code dataOffset}, {@code lengthBytes} and {@code storedBytes} are set; a
     * VLAN tag that the kernel took off is back in the bytes. The frames' places are still to be
     * recorded by the caller. What the device drops by itself (a truncated frame, no free slot) it
     * counts for {@link #readReceiveDrops}.
     *
     * @param batch receives the frames, from index 0
     * @return number of frames, 0 if there is nothing
     */
    int receive(long nowNs, FreeList free, Frame[] batch, int limit);

    /**
     * Has each {@link #receive} say from now on for how long its frames had been there when it
     * ended, where the device knows. By the device's own clock, which may be set in between: the
     * caller has to see whether it can be true.
     *
     * @param agesNs receives a batch's, from index 0, in ns; null: no longer
     * @return whether the device knows; otherwise it writes nothing
     */
    default boolean showAges(long @Nullable [] agesNs) {
        return false;
    }

    /**
     * Hands frames to the device, in order, and starts their transmission.
     *
     * @return how many were taken, from the first on; the others remain the caller's. If {@link
     *     #transmitCopies()}, a taken frame is the caller's again at once, otherwise it is the
     *     device's until {@link #completed} gives it back
     */
    int transmit(Frame[] batch, int from, int count);

    /**
     * From now on shows a witness each frame that the device drops after it was handed over, if the
     * device still has the frame then.
     *
     * @param witness null: no longer
     */
    default void showDrops(@Nullable DropWitness witness) {}

    /**
     * Whether {@link #transmit} collects frames, and {@link #flush} starts their transmission.
     * Asked for once, before the first frame.
     */
    default boolean collects() {
        return false;
    }

    /** Number of a cycle after which no other may come, or that no other may delay. */
    long LAST_CYCLE = -1;

    /**
     * Sends what was collected, or waits with it for the next call: at the end of each cycle in
     * which the worker did something, and of the next one, and before the device is given up.
     *
     * @param cycle a number from 1 on, greater in each cycle, or {@link #LAST_CYCLE}
     */
    default void flush(long nowNs, long cycle) {}

    /**
     * Whether it takes frames that stand for several TCP segments ({@link Frame#segmentBytes});
     * where not, the caller cuts them first.
     */
    default boolean takesSegments() {
        return false;
    }

    /** Whether transmission copies a frame's bytes, so that its slot is free when it returns. */
    default boolean transmitCopies() {
        return true;
    }

    /**
     * Collects frames that the device is done with (always 0 where transmission copies), and goes
     * on with those that it took and could not send at once.
     */
    default int completed(Frame[] into, int limit) {
        return 0;
    }

    /**
     * Applies another configuration of its port, as far as that can change while it is open. Called
     * by any thread; both sides follow it from their next call on.
     */
    default void change(PortConfig port) {}

    /** Further status of transmission; asked for once, before the first frame. */
    default TransmitStatus transmitStatus() {
        return TransmitStatus.NONE;
    }

    /**
     * Whether frames can flow. Cheap, called often by either side; a device that has gone (its
     * interface deleted, its peer closed) answers false for good or until it returns.
     */
    boolean isUp();

    /**
     * Whether the device will never be up again, so that its owner closes it and may open a new
     * one, for example once an interface of its name exists again. As cheap as {@link #isUp}.
     */
    default boolean isGone() {
        return false;
    }

    /**
     * Why frames arrive damaged, get lost or no longer arrive, if opening could not know it: one
     * sentence that includes the fix; empty if all is well. It stays the same as long as the cause
     * does. It may take milliseconds, so a worker must not call it; the thread that opened the
     * device calls it, also while halves use the device, and once when it is closed.
     */
    default String trouble() {
        return "";
    }

    /**
     * Adds what the device or the kernel dropped on the receive side since opening; nothing, where
     * neither can drop a frame.
     */
    void readReceiveDrops(DropTotals totals);

    /**
     * Adds what the device or the kernel dropped on the transmit side since opening, but for the
     * frames of {@link TransmitStatus#refusedFrames}; nothing, where neither can drop another one.
     */
    void readTransmitDrops(DropTotals totals);

    /** {@link #receiveFd()} of a device that has no descriptor and must be polled. */
    int POLLED = -1;

    /** {@link #receiveFd()} of a device that only this port's own egress half feeds. */
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

    /** When the device has something to do though nothing arrives, in ns; MAX_VALUE: never. */
    default long deadlineNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Asked once slots have come home: whether {@link #receive} would do more with those that are
     * free now than it did when it was called last.
     */
    default boolean awaitsReturns() {
        return true;
    }

    /**
     * Closes the device and removes what opening it made. Frames that its rings held stay marked
     * with their place, for the halves to reclaim. Idempotent.
     */
    @Override
    void close();
}
