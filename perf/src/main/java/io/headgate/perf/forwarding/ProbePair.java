package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Two interfaces of the generator between which single frames travel there and back: through a
 * device under test, or over the wire. Busy-polls mapped rings of AF_PACKET. One thread's.
 */
final class ProbePair implements AutoCloseable {
    private static final int SLOTS = 512;
    private static final int RING_FRAMES = 256;
    private static final int BURST = 32;
    private static final long TIMEOUT_NS = 100_000_000;
    private static final long MAX_LATENCY_NS = TIMEOUT_NS;

    private final FrameRegion region = new FrameRegion(SLOTS, 2048);
    private final FreeList free = new FreeList(SLOTS, false);
    private final Frame[] batch = new Frame[BURST];
    private final Frame[] single = new Frame[1];
    private final AfPacketDevice left;
    private final AfPacketDevice right;

    /**
     * Round trips.
     *
     * @param lost frames that did not come through within 100 ms
     */
    record RoundTrips(Histogram ns, int lost) {}

    ProbePair(String netns, String left, String right) throws BenchException {
        for (int slot = 0; slot < SLOTS; slot++) {
            free.put(region.frame(slot));
        }
        AfPacketDevice first = null;
        try {
            first = AfPacketDevice.open(netns, left, region, RING_FRAMES);
            this.left = first;
            this.right = AfPacketDevice.open(netns, right, region, RING_FRAMES);
        } catch (DeviceException failure) {
            if (first != null) {
                first.close();
            }
            throw new BenchException(failure);
        }
    }

    /**
     * Sends a frame from one side and waits for it at the other.
     *
     * @return whether one with the very same bytes came; what else comes is passed over
     */
    boolean exchange(byte[] bytes, boolean toRight) throws BenchException {
        AfPacketDevice to = toRight ? right : left;
        long startNs = System.nanoTime();
        if (!send(toRight ? left : right, bytes)) {
            return false;
        }
        while (System.nanoTime() - startNs < TIMEOUT_NS) {
            int count = to.receive(System.nanoTime(), free, batch, BURST);
            boolean found = false;
            for (int index = 0; index < count; index++) {
                found |= Arrays.equals(bytes(batch[index]), bytes);
                free.put(batch[index]);
            }
            if (found) {
                return true;
            }
        }
        return false;
    }

    /**
     * Measures round trips: there, and when it is there, back.
     *
     * @param gapNs from the end of one to the start of the next, in ns
     */
    RoundTrips roundTrips(byte[] there, byte[] back, int count, long gapNs) throws BenchException {
        Histogram histogram = new Histogram(MAX_LATENCY_NS * 2, 3);
        int lost = 0;
        for (int probe = 0; probe < count; probe++) {
            discard(left);
            discard(right);
            long startNs = System.nanoTime();
            boolean came =
                    send(left, there)
                            && await(right, there.length, startNs)
                            && send(right, back)
                            && await(left, back.length, startNs);
            long endNs = System.nanoTime();
            if (came) {
                histogram.recordValue(endNs - startNs);
            } else {
                lost++;
            }
            while (System.nanoTime() - endNs < gapNs) {
                Thread.onSpinWait();
            }
        }
        return new RoundTrips(histogram, lost);
    }

    private boolean send(AfPacketDevice from, byte[] bytes) throws BenchException {
        Frame frame = free.take();
        if (frame == null) {
            throw new BenchException("the prober ran out of slots");
        }
        MemorySegment.copy(
                bytes, 0, region.segment(), ValueLayout.JAVA_BYTE, frame.dataOffset, bytes.length);
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        single[0] = frame;
        int taken = from.transmit(single, 0, 1);
        free.put(frame);
        return taken == 1;
    }

    private boolean await(AfPacketDevice at, int lengthBytes, long startNs) {
        do {
            int count = at.receive(System.nanoTime(), free, batch, BURST);
            boolean came = false;
            for (int index = 0; index < count; index++) {
                came |= batch[index].lengthBytes == lengthBytes;
                free.put(batch[index]);
            }
            if (came) {
                return true;
            }
        } while (System.nanoTime() - startNs < TIMEOUT_NS);
        return false;
    }

    private void discard(AfPacketDevice at) {
        int count;
        do {
            count = at.receive(System.nanoTime(), free, batch, BURST);
            for (int index = 0; index < count; index++) {
                free.put(batch[index]);
            }
        } while (count > 0);
    }

    private byte[] bytes(@Nullable Frame frame) {
        if (frame == null) {
            return new byte[0];
        }
        return region.segment()
                .asSlice(frame.dataOffset, frame.lengthBytes)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }
}
