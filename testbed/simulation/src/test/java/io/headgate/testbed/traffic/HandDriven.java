package io.headgate.testbed.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Hosts whose network cards are the test: a clock set by hand, and slots given back by hand. */
final class HandDriven {
    static final long SEED = 20_261_121;
    static final long NS = 1_000;
    static final long US = 1_000_000;
    static final long MS = 1_000_000_000;
    static final long SECOND = 1_000_000_000_000L;
    private static final int BATCH = 64;

    /** One host: its device, and the slots of its network card. */
    static final class Host {
        final TrafficDevice device;
        final FreeList free;
        final Deque<Frame> sent = new ArrayDeque<>();
        int rung;

        Host(TrafficDevice device, int slots) {
            this.device = device;
            this.free = new FreeList(slots, false);
            FrameRegion region = new FrameRegion(slots, 512);
            for (int slot = 0; slot < slots; slot++) {
                free.put(region.frame(slot));
            }
            device.ring(inputs -> rung++);
        }
    }

    final Traffic traffic;
    final List<Host> hosts = new ArrayList<>();
    long nowPs;

    /** How far hosts can be apart in time. */
    long apartPs;

    private final Frame[] batch = new Frame[BATCH];
    private final FrameRegion arriving = new FrameRegion(1, 512);

    HandDriven(int hostCount, int slots) {
        this(hostCount, slots, SEED, Traffic.Options.DEFAULT);
    }

    HandDriven(int hostCount, int slots, long seed, Traffic.Options options) {
        traffic = new Traffic(seed, () -> nowPs, () -> apartPs, WireFormat.ETHERNET, options);
        for (int host = 0; host < hostCount; host++) {
            HostAddress address =
                    HostAddress.onOneNetwork(
                            "h" + host, 0x0200_0000_0001L + host, 0x0A00_0001 + host);
            hosts.add(new Host(traffic.addHost(address), slots));
        }
    }

    Host host(int number) {
        return hosts.get(number);
    }

    /** Calls {@code receive} once, as the ingress half would; the frames are then in the card. */
    int receive(int host, long atPs) {
        nowPs = atPs;
        Host from = hosts.get(host);
        int count = from.device.receive(atPs / NS, from.free, batch, BATCH);
        for (int i = 0; i < count; i++) {
            Frame frame = batch[i];
            frame.place = SlotPlace.RING;
            frame.chargedBytes = 0;
            assertThat(HeaderParser.parse(FrameRegion.MEMORY, frame)).isNull();
            from.sent.add(frame);
        }
        return count;
    }

    /** The bytes of the frame that was sent first, and its slot home again. */
    Copy takeSent(int host) {
        Host from = hosts.get(host);
        Frame frame = from.sent.remove();
        Copy copy = new Copy(frame);
        from.free.put(frame);
        return copy;
    }

    List<Copy> takeAllSent(int host) {
        List<Copy> copies = new ArrayList<>();
        while (!hosts.get(host).sent.isEmpty()) {
            copies.add(takeSent(host));
        }
        return copies;
    }

    /** A frame arrives at a host. */
    void deliver(Copy copy, int host, long atPs) {
        nowPs = atPs;
        Frame frame = arriving.frame(0);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = copy.lengthBytes;
        frame.storedBytes = copy.bytes.length;
        for (int i = 0; i < copy.bytes.length; i++) {
            Wire.put8(FrameRegion.MEMORY, frame.dataOffset + i, copy.bytes[i]);
        }
        if (HeaderParser.parse(FrameRegion.MEMORY, frame) != null) {
            return;
        }
        Frame[] one = {frame};
        hosts.get(host).device.transmit(one, 0, 1);
        assertThat(arriving.holds(frame)).isTrue();
    }

    /** What was sent, out of its slot. */
    static final class Copy {
        final byte[] bytes;
        final int lengthBytes;

        Copy(Frame frame) {
            bytes = new byte[frame.storedBytes];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) Wire.u8(FrameRegion.MEMORY, frame.dataOffset + i);
            }
            lengthBytes = frame.lengthBytes;
        }

        Copy(byte[] bytes, int lengthBytes) {
            this.bytes = bytes;
            this.lengthBytes = lengthBytes;
        }

        int u16(int offset) {
            return ((bytes[offset] & 0xFF) << 8) | (bytes[offset + 1] & 0xFF);
        }

        long u32(int offset) {
            return ((long) u16(offset) << 16) | u16(offset + 2);
        }

        /** Sequence number of an untagged UDP frame. */
        long sequence() {
            return u32(42 + TrafficHeader.SEQUENCE_OFFSET);
        }

        long flow() {
            return u32(42 + TrafficHeader.FLOW_OFFSET);
        }

        boolean isAck() {
            return (bytes[42] & TrafficHeader.KIND_MASK) == TrafficHeader.ACK;
        }

        long timePs() {
            return ((u32(42) << 32) | u32(46)) & ((1L << 56) - 1);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Copy that
                    && Arrays.equals(bytes, that.bytes)
                    && lengthBytes == that.lengthBytes;
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(bytes) + lengthBytes;
        }
    }
}
