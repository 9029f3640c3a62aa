package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A wire in memory with two ends, as a cable between two network cards: what one end sends, the
 * other receives, in order. Each direction is a bounded ring of copied frames; one that is full
 * refuses, and the sender keeps the frame. An end is either a {@link MemoryDevice} for a port, or a
 * {@link FarEnd} that takes and gives byte arrays.
 */
public final class MemoryWire {
    private static final long FIRST_MAC = 0x0600_0000_0000L;

    private final String name;
    private final ByteRing[] towards;
    private final boolean[] taken = new boolean[2];
    private volatile boolean carrier = true;
    private volatile boolean closed;

    /**
     * @param name what {@link DeviceInfo#name} shows
     * @param capacityFrames frames that each direction holds, rounded up to a power of two
     * @param maxFrameBytes longest frame without FCS that the wire carries
     */
    public MemoryWire(String name, int capacityFrames, int maxFrameBytes) {
        this(name, capacityFrames, maxFrameBytes, SlotMemory.RESIDENT);
    }

    /**
     * As the other, with a choice of the memory that holds the frames on the wire.
     *
     * @param memory RESIDENT takes its whole room at once; a wire that is seldom full saves most of
     *     it with memory that takes room only where it is used
     */
    public MemoryWire(String name, int capacityFrames, int maxFrameBytes, SlotMemory memory) {
        this.name = name;
        this.towards =
                new ByteRing[] {
                    new ByteRing(capacityFrames, maxFrameBytes, memory),
                    new ByteRing(capacityFrames, maxFrameBytes, memory)
                };
    }

    /**
     * Takes an end for a port.
     *
     * @param end 0 or 1, each once
     * @param region where the frames that this end handles lie
     */
    public MemoryDevice device(int end, FrameRegion region) {
        take(end);
        // Locally administered, and each end has its own.
        long mac = FIRST_MAC | (name.hashCode() & 0xFF_FFFFL) << 8 | end;
        return new MemoryDevice(this, mac, region, towards[end], towards[1 - end]);
    }

    /** Takes an end for code that uses byte arrays: a test, a generator. */
    public FarEnd farEnd(int end) {
        take(end);
        return new FarEnd(this, towards[end], towards[1 - end]);
    }

    /** Plugs the wire in or pulls it. What has arrived at an end can still be received there. */
    public void setUp(boolean up) {
        carrier = up;
    }

    public boolean isUp() {
        return carrier && !closed;
    }

    /** One end has gone for good. */
    void close() {
        closed = true;
    }

    String name() {
        return name;
    }

    private void take(int end) {
        if (taken[end]) {
            throw new IllegalStateException("end " + end + " of wire " + name + " is taken");
        }
        taken[end] = true;
    }

    /** An end that takes and gives whole frames as byte arrays. One thread at a time uses it. */
    public static final class FarEnd {
        private final MemoryWire wire;
        private final ByteRing arriving;
        private final ByteRing leaving;

        private FarEnd(MemoryWire wire, ByteRing arriving, ByteRing leaving) {
            this.wire = wire;
            this.arriving = arriving;
            this.leaving = leaving;
        }

        /**
         * Sends a frame of any content, runts and garbage included.
         *
         * @return whether it was taken: not if the wire is down or full
         * @throws IllegalArgumentException if it is longer than the wire carries
         */
        public boolean inject(byte[] frame) {
            if (frame.length > leaving.maxFrameBytes()) {
                throw new IllegalArgumentException(
                        frame.length + " bytes on a wire for " + leaving.maxFrameBytes());
            }
            if (!wire.isUp() || leaving.producerRoom(1) == 0) {
                return false;
            }
            leaving.producerWrite(MemorySegment.ofArray(frame), 0, frame.length, frame.length);
            leaving.producerPublish();
            return true;
        }

        /** The next frame that arrived, zeros put in for payload that was elided, or null. */
        public byte @Nullable [] collect() {
            if (arriving.consumerAvailable(1) == 0) {
                return null;
            }
            byte[] stored = new byte[arriving.consumerStoredBytes()];
            int lengthBytes = arriving.consumerLengthBytes();
            arriving.consumerCopyTo(stored);
            arriving.consumerSkip();
            arriving.consumerRelease();
            return lengthBytes == stored.length ? stored : Arrays.copyOf(stored, lengthBytes);
        }
    }
}
