package io.headgate.dataplane.engine;

import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.memory.SlotPlace;
import org.jspecify.annotations.Nullable;

/**
 * Holds the frames of a port whose transmission has started: offers them to the device, again if it
 * does not take all, and returns their slots home when the device is done with them. Owned by the
 * egress half, which owns the device too.
 *
 * <p>Bounded by one burst that the device has not taken, and the frames in the device's rings.
 */
final class Departures implements Prefetch {
    static final int TRANSMIT_BURST = 64;
    static final int COMPLETION_BURST = 256;

    /**
     * Delay before the next look at a device that did not take all frames, or holds some. It
     * doubles each time that no frame has moved: the link may be down, and the worker must be able
     * to sleep.
     */
    private static final long FIRST_RETRY_NS = 20_000;

    private static final long LONGEST_RETRY_NS = 5_000_000;

    private final int port;
    private final int half;
    private final FrameRegion region;
    private final FrameOutbox outbox;
    private final PresentTime time;

    // Null where the half has none.
    private final @Nullable LinkControlSlots linkControl;

    private final CounterBlock counters;
    private final DropCounters drops;
    private final DeviceDrops deviceDrops;
    private final boolean devicesRing;

    // Those that the device has not taken yet.
    private final Frame[] started = new Frame[TRANSMIT_BURST];
    private int startedFrom;
    private int startedTo;

    // Whether the device did not take all of them: a wait counts once, however often it is offered.
    private boolean turnedAway;

    private final Frame[] done = new Frame[COMPLETION_BURST];

    private @Nullable PortDevice device;
    private boolean deviceCopies;
    private boolean deviceCollects;
    private TransmitStatus status = TransmitStatus.NONE;
    private long refusedFrames;
    private long refusedBytes;
    private int heldByDevice;
    private long retryNs;
    private long retryIntervalNs;
    private @Nullable Tap tap;

    Departures(HalfSetup setup, LinkControlSlots linkControl) {
        this.port = setup.port();
        this.half = FrameOutbox.egressHalf(port);
        this.region = setup.shared().region();
        this.outbox = setup.links().outbox();
        this.time = setup.host().presentTime();
        this.linkControl = linkControl.isEmpty() ? null : linkControl;
        this.counters = setup.counts().half();
        this.drops = setup.counts().drops();
        this.deviceDrops =
                new DeviceDrops(
                        drops,
                        half,
                        counters,
                        EgressCounter.FAULTS_CORRUPTED,
                        EgressCounter.FAULTS_LATE,
                        EgressCounter.FAULTS_REPEATED,
                        EgressCounter.WHOLE_FRAMES,
                        EgressCounter.WHOLE_SEGMENTS);
        this.devicesRing = setup.host().devicesRing();
    }

    // ---- frames

    /** Whether a started frame still waits for the device. */
    boolean areWaiting() {
        return startedTo > startedFrom;
    }

    /**
     * Whether no started frame is left: the device has taken all, is done with them, and holds
     * none.
     */
    boolean areGone() {
        return !areWaiting() && heldByDevice == 0 && !status.unsent();
    }

    /** The array for the frames that start next, from index 0; only while none waits. */
    Frame[] toStart() {
        return started;
    }

    /** Offers the device the first {@code count} of {@link #toStart}; returns how many it took. */
    int start(long nowNs, int count) {
        keep(count);
        return count == 0 ? 0 : offer(nowNs);
    }

    /** Keeps frames without offering them, when the half fails: they count as started, not left. */
    void keep(int count) {
        startedFrom = 0;
        startedTo = count;
    }

    /** Offers the device the started frames that it has not taken; returns how many it took. */
    int offer(long nowNs) {
        PortDevice target = device;
        if (target == null) {
            return 0;
        }
        int offered = startedTo - startedFrom;
        // The time is read before the device has the frames, so that no capture on the link can
        // show an earlier one.
        long offeredNs = tap == null ? nowNs : time.presentNs(nowNs);
        int taken = target.transmit(started, startedFrom, offered);
        if (taken < offered && !turnedAway) {
            counters.add(EgressCounter.DEVICE_BUSY, 1);
        }
        turnedAway = taken < offered;
        int from = startedFrom;
        startedFrom += taken;
        if (tap != null) {
            for (int i = from; i < startedFrom; i++) {
                tap.transmitted(port, started[i].priority, started[i], offeredNs);
            }
        }
        if (deviceCopies) {
            sendHome(started, from, taken);
        } else {
            for (int i = from; i < startedFrom; i++) {
                started[i].place = SlotPlace.heldBy(SlotPlace.DEVICE_TRANSMIT, half);
            }
            heldByDevice += taken;
        }
        return taken;
    }

    /**
     * Sends home the frames that the device is done with; returns their number, a full burst if
     * there may be more.
     */
    int collect(long nowNs) {
        PortDevice target = device;
        if (target == null) {
            return 0;
        }
        if (status.unsent() && deviceCopies && nextAttemptNs() - nowNs <= 0) {
            // Each attempt is a system call: not at every turn of a worker that spins.
            target.completed(done, COMPLETION_BURST);
        }
        if (heldByDevice == 0) {
            return 0;
        }
        int count = target.completed(done, COMPLETION_BURST);
        sendHome(done, 0, count);
        heldByDevice -= count;
        return count;
    }

    /**
     * As {@link PortDevice#flush}. On a link with flow control no frame waits for another cycle: a
     * pause frame would leave late, and data that the far end has paused would still leave.
     */
    void flush(long nowNs, long cycle) {
        PortDevice target = device;
        if (deviceCollects && target != null) {
            target.flush(nowNs, linkControl == null ? cycle : PortDevice.LAST_CYCLE);
        }
    }

    private long nextAttemptNs() {
        long dueNs = status.dueNs();
        return dueNs < Long.MAX_VALUE ? dueNs : retryNs;
    }

    /** Sends home frames that have left by the device, or that it took and could not send. */
    private void sendHome(Frame[] frames, int from, int all) {
        int count = linkControl == null ? all : linkControl.takeBack(frames, from, all);
        if (count < all) {
            counters.add(EgressCounter.LINK_CONTROL_TRANSMITTED, all - count);
        }
        long bytes = outbox.sendHome(frames, from, count);
        long refused = status.refusedFrames() - refusedFrames;
        if (refused > 0) {
            bytes -= noteRefused(refused);
        }
        counters.add(EgressCounter.FRAMES_TRANSMITTED, count - refused);
        counters.add(EgressCounter.BYTES_TRANSMITTED, bytes);
    }

    private long noteRefused(long frames) {
        long bytes = status.refusedBytes() - refusedBytes;
        refusedFrames += frames;
        refusedBytes += bytes;
        drops.add(DropReason.DEVICE_REFUSED, frames);
        return bytes;
    }

    /**
     * Takes out a frame that has started and not left, before any step with it can fail; null if
     * none is left.
     */
    @Nullable Frame takeUnsent() {
        while (areWaiting()) {
            Frame frame = started[startedFrom++];
            if (SlotPlace.kind(frame.place) != SlotPlace.DEVICE_TRANSMIT) {
                return frame;
            }
            // The device failed while it took a batch, and may send this one yet.
            frame.place = SlotPlace.heldBy(SlotPlace.DEVICE_TRANSMIT, half);
            heldByDevice++;
        }
        return null;
    }

    /** Number of started frames: waiting for the device, or in its rings. */
    int held() {
        return startedTo - startedFrom + heldByDevice;
    }

    /**
     * The time of the next look at the device; {@link Long#MAX_VALUE} if no frame waits for it, or
     * the device rings.
     *
     * @param moved number of frames that moved in this call, such as those that it took or gave
     *     back
     */
    long deadlineNs(long nowNs, int moved) {
        if (areGone()) {
            retryIntervalNs = 0;
            return Long.MAX_VALUE;
        }
        if (devicesRing) {
            return Long.MAX_VALUE;
        }
        long dueNs = status.dueNs();
        if (dueNs < Long.MAX_VALUE && !areWaiting() && heldByDevice == 0) {
            return dueNs;
        }
        if (moved > 0 || retryIntervalNs == 0) {
            retryIntervalNs = FIRST_RETRY_NS;
            retryNs = nowNs + FIRST_RETRY_NS;
        } else if (retryNs - nowNs <= 0) {
            retryIntervalNs = Math.min(2 * retryIntervalNs, LONGEST_RETRY_NS);
            retryNs = nowNs + retryIntervalNs;
        }
        return Math.min(retryNs, dueNs);
    }

    // ---- the device

    @Nullable PortDevice device() {
        return device;
    }

    /** Starts to use a device; the half must have none. */
    void attach(PortDevice opened) {
        device = opened;
        deviceCopies = opened.transmitCopies();
        deviceCollects = opened.collects();
        status = opened.transmitStatus();
        refusedFrames = status.refusedFrames();
        refusedBytes = status.refusedBytes();
    }

    /** Stops using the device, even if it throws. Slots in its rings stay marked. */
    void detach(PortDevice current, long nowNs) {
        try {
            flush(nowNs, PortDevice.LAST_CYCLE);
            while (collect(nowNs) > 0) {
                // Frames that have left must not count as lost with the device.
            }
            readDrops(current);
        } finally {
            deviceDrops.startAnew();
            device = null;
            status = TransmitStatus.NONE;
        }
    }

    /** Called once per visit of the half: reads the device's drops in every eighth visit. */
    void readDropsInTurn(PortDevice current) {
        if (deviceDrops.isDue()) {
            readDrops(current);
        }
    }

    private void readDrops(PortDevice current) {
        current.readTransmitDrops(deviceDrops.totals);
        long _ = deviceDrops.publish();
    }

    /**
     * After the device was closed, finds the frames that its rings held by their recorded place and
     * sends them home; returns how many were not link control.
     */
    int reclaim() {
        int lost = SlotPlace.heldBy(SlotPlace.DEVICE_TRANSMIT, half);
        int count = 0;
        for (int slot = 0; slot < region.slots() && heldByDevice > 0; slot++) {
            Frame frame = region.made(slot);
            if (frame != null && frame.place == lost) {
                heldByDevice--;
                if (linkControl != null && linkControl.own(frame)) {
                    linkControl.takeBack(frame);
                } else {
                    count++;
                    outbox.sendHome(frame);
                }
            }
        }
        drops.add(DropReason.DEVICE_CLOSED, count);
        return count;
    }

    void tap(@Nullable Tap newTap) {
        tap = newTap;
    }

    @Override
    public long prefetch(int distance) {
        return distance == 1
                ? startedFrom + retryNs + (tap == null ? 1 : 0)
                : status.refusedFrames() + (started[0] == null ? 1 : 0);
    }
}
