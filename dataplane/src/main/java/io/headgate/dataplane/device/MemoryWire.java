package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A wire in memory with two ends, like a cable between two network cards: each end receives the
 * other's frames, in order. Each direction is a bounded ring of copied frames; a full ring refuses
 * a frame, and the sender keeps it. An end is either a {@link MemoryDevice} for a port, or a {@link
 * FarEnd} that sends and receives byte arrays.
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
     * The same, with a choice of memory for the frames on the wire.
     *
     * @param memory RESIDENT occupies all of its memory at once; for a wire that is seldom full,
     *     memory that is occupied page by page saves most of it
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
     * @param region the memory of the frames that this end handles
     */
    public MemoryDevice device(int end, FrameRegion region) {
        take(end);
        // Locally administered, and each end has its own.
        long mac = FIRST_MAC | (name.hashCode() & 0xFF_FFFFL) << 8 | end;
        return new MemoryDevice(this, mac, region, towards[end], towards[1 - end]);
    }

    /** Takes an end for code that uses byte arrays: a test or a generator. */
    public FarEnd farEnd(int end) {
        take(end);
        return new FarEnd(this, towards[end], towards[1 - end]);
    }

    /**
     * Plugs the wire in or pulls it out. Frames that have arrived at an end can still be received
     * there.
     */
    public void setUp(boolean up) {
        carrier = up;
    }

    public boolean isUp() {
        return carrier && !closed;
    }

    /** Called when one end is closed; the wire does not come up again. */
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

    /** An end that sends and receives whole frames as byte arrays. Used by one thread at a time. */
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

        /** The next frame that arrived, with zeros for elided payload, or null. */
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
