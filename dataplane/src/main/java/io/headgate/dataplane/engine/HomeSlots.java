package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.memory.SlotPlace;
import org.jspecify.annotations.Nullable;

/**
 * The frame slots of an ingress half: keeps the free ones, and charges the frames in the others to
 * accounts, through flow control if the port has any. Owned by the half; called by its worker
 * alone, also when other duties of the worker send frames home.
 *
 * <p>Bounded by its slots and its accounts' caps: every slot is free here, or in one recorded place
 * elsewhere.
 */
final class HomeSlots implements Prefetch {
    private final FrameRegion region;
    private final int first;
    private final int slots;
    private final int half;
    private final int port;
    private final FreeList free;
    private final Accounts accounts;
    private @Nullable IngressFlowControl flow;
    private final CounterBlock counters;

    // Frames that have come home since the half last asked.
    private int cameHome;

    // Why what a frame was charged could not be given back as it came home.
    private @Nullable Throwable failure;

    HomeSlots(
            HalfSetup setup,
            int first,
            int count,
            boolean fifo,
            Accounts accounts,
            @Nullable IngressFlowControl flow) {
        this.region = setup.shared().region();
        this.first = first;
        this.slots = count;
        this.port = setup.port();
        this.half = FrameOutbox.ingressHalf(port);
        this.accounts = accounts;
        this.flow = flow;
        this.counters = setup.counts().half();
        if (region.isLate() && !fifo) {
            this.free = new FreeList(count, this::slot);
        } else {
            this.free = new FreeList(count, fifo);
            for (int slot = 0; slot < slots; slot++) {
                free.put(slot(slot));
            }
        }
        publish();
    }

    private Frame slot(int number) {
        Frame frame = region.frame(first + number);
        frame.home = half;
        frame.ingressPort = port;
        return frame;
    }

    // ---- frames that leave

    /** The list from which a device takes its slots. */
    FreeList free() {
        return free;
    }

    /** Charges a frame; returns false and charges nothing if its account refuses. */
    boolean charge(Frame frame, int account) {
        return flow == null ? accounts.charge(frame, account) : flow.charge(frame, account);
    }

    /** Charges several frames to one account: all, or none, even if some would fit alone. */
    boolean charge(Frame[] frames, int from, int count, int account) {
        return flow == null
                ? accounts.charge(frames, from, count, account)
                : flow.charge(frames, from, count, account);
    }

    /**
     * Charges a frame that came by a detour to the slots reserved for such frames; false if all are
     * taken.
     */
    boolean chargeDetoured(Frame frame) {
        return flow != null && flow.chargeDetoured(frame);
    }

    /** The reason why an account has just refused a frame. */
    DropReason refusal(int account) {
        return flow == null ? DropReason.ACCOUNT_AT_CAP : flow.refusal(account);
    }

    /** The account of a copy made here: no far end has been promised room for it. */
    int accountOfCopy(int priority) {
        return flow == null ? priority : flow.accountOfCopy(priority);
    }

    // ---- frames that come home

    /**
     * Takes frames home, even if their charges cannot be released. {@link #failure} then says why:
     * their owner must fail, not the sender.
     */
    void takeBack(Frame[] frames, int from, int count) {
        try {
            if (flow == null) {
                accounts.release(frames, from, count);
            } else {
                flow.release(frames, from, count);
            }
        } catch (RuntimeException | Error thrown) {
            noteFailure(thrown);
            for (int i = from; i < from + count; i++) {
                frames[i].chargedBytes = 0;
                frames[i].place = SlotPlace.FREE;
            }
        }
        free.put(frames, from, count);
        cameHome += count;
    }

    /** Takes one frame home, as {@link #takeBack(Frame[], int, int)} does for several. */
    void takeBack(Frame frame) {
        putBack(frame);
        cameHome++;
    }

    /** As {@link #takeBack(Frame)}, for a frame whose return is not reported. */
    void putBack(Frame frame) {
        try {
            if (flow == null) {
                accounts.release(frame);
            } else {
                flow.release(frame);
            }
        } catch (RuntimeException | Error thrown) {
            noteFailure(thrown);
            frame.chargedBytes = 0;
        }
        free.put(frame);
    }

    private void noteFailure(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
    }

    /** Returns how many frames have come home since the last call. */
    int countCameHome() {
        int came = cameHome;
        cameHome = 0;
        return came;
    }

    /** After the device was closed, takes back the slots that it held. */
    int reclaim() {
        int back = 0;
        for (int slot = 0; slot < slots; slot++) {
            Frame frame = slot(slot);
            int kind = SlotPlace.kind(frame.place);
            if (kind == SlotPlace.DEVICE_RECEIVE || kind == SlotPlace.LIMITED) {
                frame.chargedBytes = 0;
                free.put(frame);
                back++;
            }
        }
        return back;
    }

    // ---- a half that has failed

    /**
     * Takes back the slots that the half was processing when it failed, by their recorded place;
     * returns their number.
     */
    int takeBackStranded() {
        int back = 0;
        for (int slot = 0; slot < slots; slot++) {
            Frame frame = slot(slot);
            if (frame.place == SlotPlace.INGRESS) {
                putBack(frame);
                back++;
            }
        }
        return back;
    }

    /** Whether every slot is recorded as free. */
    boolean areAllHome() {
        for (int slot = 0; slot < slots; slot++) {
            if (slot(slot).place != SlotPlace.FREE) {
                return false;
            }
        }
        return true;
    }

    /** Starts over with all slots free and no frame charged. */
    void restart(@Nullable IngressFlowControl newFlow) {
        flow = newFlow;
        failure = null;
        cameHome = 0;
        free.clear();
        for (int slot = 0; slot < slots; slot++) {
            Frame frame = slot(slot);
            frame.chargedBytes = 0;
            free.put(frame);
        }
        publish();
    }

    // ---- what is known of them

    /** Why charges could not be released; null if all could. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** Number of this half's slots, wherever they are now. */
    int size() {
        return slots;
    }

    void publish() {
        counters.set(IngressCounter.SLOTS_FREE, free.size());
        counters.set(IngressCounter.OCCUPANCY_BYTES, accounts.totalBytes());
        counters.set(IngressCounter.OCCUPANCY_SLOTS, accounts.totalSlots());
    }

    /** Called at the end of a call of the half: raises the maximum of the occupancy. */
    void raiseWatermark() {
        counters.raise(IngressCounter.OCCUPANCY_MAX_BYTES, accounts.totalBytes());
    }

    void clearWatermarks() {
        if (flow != null) {
            flow.accounts().clearWatermarks();
        }
        counters.set(IngressCounter.OCCUPANCY_MAX_BYTES, accounts.totalBytes());
    }

    @Override
    public long prefetch(int distance) {
        return (failure == null ? 1L : 0L) + cameHome;
    }
}
