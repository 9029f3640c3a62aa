package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import java.util.function.LongSupplier;

/**
 * The transmit side of a device with faults. Each frame is copied into a slot of this side, so that
 * the port gets its slot back at once and is not charged for frames on the link.
 */
final class FaultyTransmission {
    private static final int BURST = 64;

    private final PortDevice device;
    private final TransmitStatus deviceStatus;
    private final LongSupplier clock;
    private final FaultyWay way;
    private final FreeList free;
    private final TransmitStatus status = new TransmitStatus();

    // Those that are due, and whom the device has not taken.
    private final Frame[] due = new Frame[BURST];
    private int dueFrom;
    private int dueTo;

    /** How often the link had gone down when last looked at. */
    private int downs;

    /**
     * @param device whose transmission copies
     * @param slotBytes size of a slot that holds any frame of the port
     */
    FaultyTransmission(
            PortDevice device, FaultyWay way, int limitFrames, int slotBytes, LongSupplier clock) {
        this.device = device;
        this.deviceStatus = device.transmitStatus();
        this.way = way;
        this.clock = clock;
        FrameRegion region =
                new FrameRegion(limitFrames, slotBytes, false, ReservedMemory.beyondWhatThereIs());
        this.free = new FreeList(limitFrames, false);
        for (int slot = 0; slot < limitFrames; slot++) {
            free.put(region.frame(slot));
        }
    }

    TransmitStatus status() {
        return status;
    }

    /** Takes frames while the link is up; returns how many. */
    int transmit(DeviceConfig.OneWay faults, int nowDowns, Frame[] batch, int from, int count) {
        long nowNs = clock.getAsLong();
        loseOfDownTimes(nowDowns);
        if (!faults.isAnything() && dueFrom == dueTo && way.nextNs() == Long.MAX_VALUE) {
            // Nothing goes wrong, and nothing is there to be overtaken: no need for a copy.
            long frames = deviceStatus.refusedFrames();
            long bytes = deviceStatus.refusedBytes();
            int passed = device.transmit(batch, from, count);
            long refused = deviceStatus.refusedFrames() - frames;
            if (refused > 0) {
                status.refuse(refused, deviceStatus.refusedBytes() - bytes);
            }
            status.setUnsent(deviceStatus.unsent(), Long.MAX_VALUE);
            return passed;
        }
        int taken = 0;
        do {
            while (taken < count && free.size() > 0) {
                take(faults, nowNs, batch[from + taken++]);
            }
            send(nowNs);
        } while (taken < count && free.size() > 0);
        return taken;
    }

    private void take(DeviceConfig.OneWay faults, long nowNs, Frame frame) {
        Frame copy = way.isLost(faults) ? null : free.take();
        if (copy == null) {
            way.lose();
            return;
        }
        FaultyWay.copy(frame, copy);
        way.add(faults, nowNs, 0, free, copy, SlotPlace.DEVICE_TRANSMIT);
    }

    /** Sends the frames that are due, and those that the device could not send before. */
    void goOn(int nowDowns) {
        loseOfDownTimes(nowDowns);
        send(clock.getAsLong());
    }

    /** What was under way when the link went down, and has not left since. */
    private void loseOfDownTimes(int nowDowns) {
        if (downs != nowDowns) {
            downs = nowDowns;
            while (dueFrom < dueTo) {
                way.lose(free, due[dueFrom++]);
            }
            way.loseAll(free);
        }
    }

    private void send(long nowNs) {
        boolean takes = true;
        while (takes) {
            if (dueFrom == dueTo) {
                dueFrom = 0;
                dueTo = way.arrived(nowNs, due, BURST);
            }
            int sent = dueTo == 0 ? 0 : device.transmit(due, dueFrom, dueTo - dueFrom);
            for (int i = 0; i < sent; i++) {
                free.put(due[dueFrom++]);
            }
            takes = sent > 0 && dueFrom == dueTo;
        }
        // One that takes none is asked again less and less often.
        boolean waits = dueFrom < dueTo || deviceStatus.unsent();
        long nextNs = way.nextNs();
        status.setUnsent(waits || nextNs < Long.MAX_VALUE, waits ? Long.MAX_VALUE : nextNs);
    }

    void readDrops(DropTotals totals) {
        way.addTo(totals);
        // Of copies: not among those of a batch any more that the half handed on.
        totals.add(
                DropReason.DEVICE_REFUSED, deviceStatus.refusedFrames() - status.refusedFrames());
    }
}
