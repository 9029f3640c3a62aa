package io.headgate.testbed.virtual;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.InternalDevice;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What is behind a host's card in these tests: sends frames of one length to one address, at a
 * constant interval or whenever there is room, and counts what arrives.
 */
class TestTraffic implements InternalDevice {
    private static final int EXPERIMENTAL = 0x88B6;
    private static final int HEADER_BYTES = 32;

    private final VirtualClock clock;
    private final long source;
    private final long destination;
    private final int lengthBytes;
    private final long intervalNs;
    private final long frames;
    private long nextNs;
    private boolean restless;
    private int wholeEvery;

    long sent;
    long received;
    long receivedBytes;
    long lastReceivedPs;
    long sumOfNumbers;
    long outOfOrder;
    private final long[] lastNumber = new long[4096];

    /** Only receives. */
    TestTraffic(VirtualClock clock, int host) {
        this(clock, host, host, 0, 0, 0, 0);
    }

    /**
     * @param intervalNs between frames; 0: as fast as there is room
     */
    TestTraffic(
            VirtualClock clock,
            int host,
            int toHost,
            int lengthBytes,
            long firstNs,
            long intervalNs,
            long frames) {
        this.clock = clock;
        this.source = Star.mac(host);
        this.destination = Star.mac(toHost);
        this.lengthBytes = lengthBytes;
        this.intervalNs = intervalNs;
        this.frames = frames;
        this.nextNs = firstNs;
    }

    /** Says that it has more to do, and never does it. */
    static TestTraffic restless(VirtualClock clock) {
        TestTraffic traffic = new TestTraffic(clock, 0);
        traffic.restless = true;
        return traffic;
    }

    /** Stores one frame in {@code every} wholly, like those whose payload is not elided. */
    TestTraffic storingWhole(int every) {
        wholeEvery = every;
        return this;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        int count = 0;
        while (count < limit && sent < frames && nextNs <= nowNs) {
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            make(frame);
            batch[count++] = frame;
            sent++;
            nextNs += intervalNs;
        }
        return count;
    }

    private void make(Frame frame) {
        MemorySegment memory = FrameRegion.MEMORY;
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = lengthBytes;
        frame.storedBytes = Math.min(lengthBytes, HEADER_BYTES);
        if (wholeEvery != 0 && (sent + 1) % wholeEvery == 0) {
            frame.storedBytes = lengthBytes;
            memory.asSlice(frame.dataOffset, lengthBytes).fill((byte) sent);
        }
        Ethernet.destination(memory, frame.dataOffset, destination);
        Ethernet.source(memory, frame.dataOffset, source);
        Ethernet.etherType(memory, frame.dataOffset, EXPERIMENTAL);
        // All of what is stored: a slot's memory has been another's before.
        memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, frame.dataOffset + 14, (short) 0);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, frame.dataOffset + 16, source & 0xFFFF);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, frame.dataOffset + 24, sent + 1);
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        for (int i = from; i < from + count; i++) {
            Frame frame = batch[i];
            received++;
            receivedBytes += frame.lengthBytes;
            lastReceivedPs = clock.ps();
            MemorySegment memory = FrameRegion.MEMORY;
            long by = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, frame.dataOffset + 16);
            long number = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, frame.dataOffset + 24);
            sumOfNumbers += number;
            int sender = (int) by & 0xFFF;
            if (number < lastNumber[sender]) {
                outOfOrder++;
            }
            lastNumber[sender] = number;
        }
        return count;
    }

    @Override
    public long deadlineNs() {
        if (restless) {
            return 0;
        }
        // Without a slot the half is called when one becomes free.
        return sent < frames && nextNs > clock.ns() ? nextNs : Long.MAX_VALUE;
    }

    @Override
    public DeviceInfo info() {
        return new DeviceInfo("test", "traffic", source, Integer.MAX_VALUE, "test", true);
    }

    @Override
    public boolean armReceive() {
        return false;
    }

    @Override
    public void close() {}
}
