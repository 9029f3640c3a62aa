package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A device that receives nothing and keeps every frame it is given, or throws where a test wants
 * it. Flags may be set by any thread.
 */
public final class FaultyDevice implements PortDevice {
    private static final int BROADCAST_BYTES = 1514;

    /** Broadcasts of 1,514 bytes that are received before anything else. */
    public volatile int arriving;

    /** What a test makes of a frame that is received. */
    public volatile Consumer<Frame> spoiler = frame -> {};

    public volatile boolean receiveFails;
    public volatile boolean transmitFails;

    /** Whether the first frame of a batch is in the device's ring when transmission fails. */
    public volatile boolean marksBeforeFailing;

    /** Whether the first frame of a batch comes back charged to an account that does not exist. */
    public volatile boolean spoilsAccounts;

    public volatile boolean dropCountersFail;
    public volatile boolean armingFails;
    public volatile boolean copies;

    /** Whether it takes frames that it cannot send. */
    public volatile boolean refuses;

    public volatile boolean closed;
    public volatile boolean gone;
    public volatile String trouble = "";

    /** Whether asking for {@link #trouble()} ends in an Error, each time. */
    public volatile boolean troubleIsAnError;

    /** Whether {@link #completed} gives back the frames that were transmitted. */
    public volatile boolean completes;

    /** Whether it waits for {@link #flush}, and the cycle of the last one. */
    public volatile boolean collects;

    public volatile long flushedCycle;

    private final ArrayDeque<Frame> held = new ArrayDeque<>();

    /** How often {@link #completed} was called. */
    public volatile int collections;

    /** How often it was asked for what it dropped, in either direction. */
    public volatile int dropReadings;

    public final TransmitStatus status = new TransmitStatus();

    private static void failIf(boolean wanted) {
        if (wanted) {
            throw new IllegalStateException("made to fail");
        }
    }

    @Override
    public DeviceInfo info() {
        return new DeviceInfo("faulty", "faulty", 0, 2000, "", false);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        int count = 0;
        while (arriving > 0 && count < limit) {
            Frame frame = free.take();
            if (frame == null) {
                return count;
            }
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = BROADCAST_BYTES;
            frame.storedBytes = BROADCAST_BYTES;
            FrameRegion.MEMORY.asSlice(frame.dataOffset, BROADCAST_BYTES).fill((byte) 2);
            FrameRegion.MEMORY.asSlice(frame.dataOffset, 6).fill((byte) 0xFF);
            spoiler.accept(frame);
            batch[count++] = frame;
            arriving--;
        }
        failIf(receiveFails && count == 0);
        return count;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        if (marksBeforeFailing) {
            batch[from].place = SlotPlace.DEVICE_TRANSMIT;
        }
        if (spoilsAccounts) {
            batch[from].account = Accounts.COUNT;
        }
        failIf(transmitFails);
        for (int i = from; refuses && i < from + count; i++) {
            status.refuse(1, batch[i].lengthBytes);
        }
        if (!copies) {
            held.addAll(Arrays.asList(batch).subList(from, from + count));
        }
        return count;
    }

    @Override
    public boolean collects() {
        return collects;
    }

    @Override
    public void flush(long nowNs, long cycle) {
        flushedCycle = cycle;
    }

    @Override
    public boolean transmitCopies() {
        return copies;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
    public int completed(Frame[] into, int limit) {
        collections++;
        int count = 0;
        while (completes && count < limit && !held.isEmpty()) {
            into[count++] = held.removeFirst();
        }
        return count;
    }

    @Override
    public TransmitStatus transmitStatus() {
        return status;
    }

    @Override
    public boolean isUp() {
        return !closed && !gone;
    }

    @Override
    public boolean isGone() {
        return closed || gone;
    }

    @Override
    public String trouble() {
        if (troubleIsAnError) {
            throw new OutOfMemoryError("made to fail");
        }
        return trouble;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
    public void readReceiveDrops(DropTotals totals) {
        dropReadings++;
        failIf(dropCountersFail);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
    public void readTransmitDrops(DropTotals totals) {
        dropReadings++;
        failIf(dropCountersFail);
    }

    @Override
    public boolean armReceive() {
        failIf(armingFails);
        return false;
    }

    @Override
    public void close() {
        closed = true;
    }
}
