package io.headgate.dataplane.device.linux;

import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.frame.Checksum;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A device with slots of its own, as a half would hold it: frames as byte arrays, for tests. */
public final class TestPort implements AutoCloseable {
    public static final int SLOTS = 4096;
    public static final int BURST = 64;

    final FrameRegion region;
    public final PortDevice device;
    public final FreeList free = new FreeList(SLOTS, false);
    public final Frame[] batch = new Frame[BURST];
    private final long startNs = System.nanoTime();

    /** How to open a device over a region. */
    public interface Opening {
        PortDevice over(FrameRegion region) throws Exception;
    }

    public TestPort(FrameRegion region, Opening opening) throws Exception {
        this.region = region;
        this.device = opening.over(region);
        for (int slot = 0; slot < region.slots(); slot++) {
            free.put(region.frame(slot));
        }
    }

    public static TestPort afPacket(String netns, String name) throws Exception {
        return afPacket(netns, name, 256);
    }

    public static TestPort afPacket(String netns, String name, int ringFrames) throws Exception {
        return new TestPort(
                new FrameRegion(SLOTS, 2048),
                region -> AfPacketDevice.open(netns, name, region, ringFrames));
    }

    public long nowNs() {
        return System.nanoTime() - startNs;
    }

    /** Receives what is there, without waiting. */
    public List<byte[]> receive() {
        List<byte[]> received = new ArrayList<>();
        int count;
        do {
            count = device.receive(nowNs(), free, batch, BURST);
            for (int index = 0; index < count; index++) {
                Frame frame = batch[index];
                if (frame.lengthBytes != frame.storedBytes) {
                    throw new AssertionError(frame + " stored " + frame.storedBytes);
                }
                received.add(
                        region.segment()
                                .asSlice(frame.dataOffset, frame.lengthBytes)
                                .toArray(ValueLayout.JAVA_BYTE));
                free.put(frame);
            }
        } while (count > 0);
        return received;
    }

    /** Receives until as many frames as wanted are there, or five seconds are over. */
    public List<byte[]> await(int wanted) {
        List<byte[]> received = new ArrayList<>();
        Poller poller = new Poller(device.receiveFd());
        long endNs = nowNs() + 60_000_000_000L;
        while (received.size() < wanted && nowNs() < endNs) {
            received.addAll(receive());
            if (received.size() < wanted && !device.armReceive()) {
                poller.await(10_000_000);
            }
        }
        return received;
    }

    /** Transmits one frame. Answers whether the device took it. */
    public boolean transmit(byte[] bytes) {
        return transmit(List.of(bytes)) == 1;
    }

    /** Transmits a batch once. Answers how many the device took. */
    public int transmit(List<byte[]> frames) {
        int count = Math.min(frames.size(), BURST);
        for (int index = 0; index < count; index++) {
            batch[index] = load(frames.get(index));
        }
        int taken = device.transmit(batch, 0, count);
        for (int index = 0; index < count; index++) {
            free.put(batch[index]);
        }
        return taken;
    }

    public Frame load(byte[] bytes) {
        Frame frame = free.take();
        if (frame == null) {
            throw new AssertionError("no slot");
        }
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        frame.segmentBytes = 0;
        // What an earlier frame left behind must not leave the host.
        region.segment().asSlice(frame.slotOffset, region.slotBytes()).fill((byte) 0xEE);
        MemorySegment.copy(
                bytes, 0, region.segment(), ValueLayout.JAVA_BYTE, frame.dataOffset, bytes.length);
        return frame;
    }

    public long receiveDrops(DropReason reason) {
        DropTotals totals = new DropTotals();
        device.readReceiveDrops(totals);
        return totals.get(reason);
    }

    public long transmitDrops(DropReason reason) {
        DropTotals totals = new DropTotals();
        device.readTransmitDrops(totals);
        return totals.get(reason);
    }

    /**
     * A frame of an experimental type to all hosts, its number in the first four bytes after the
     * header.
     */
    public static byte[] numbered(int number, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        Arrays.fill(bytes, 0, 6, (byte) 0xFF);
        bytes[6] = 2;
        bytes[11] = 1;
        bytes[12] = (byte) 0x88;
        bytes[13] = (byte) 0xB6;
        for (int index = 18; index < lengthBytes; index++) {
            bytes[index] = (byte) (number + index);
        }
        bytes[14] = (byte) (number >> 24);
        bytes[15] = (byte) (number >> 16);
        bytes[16] = (byte) (number >> 8);
        bytes[17] = (byte) number;
        return bytes;
    }

    /** Inserts a tag behind the addresses. */
    public static byte[] tagged(byte[] frame, int tpid, int tci) {
        byte[] bytes = new byte[frame.length + 4];
        System.arraycopy(frame, 0, bytes, 0, 12);
        System.arraycopy(frame, 12, bytes, 16, frame.length - 12);
        bytes[12] = (byte) (tpid >> 8);
        bytes[13] = (byte) tpid;
        bytes[14] = (byte) (tci >> 8);
        bytes[15] = (byte) tci;
        return bytes;
    }

    @Override
    public void close() {
        device.close();
    }

    /** What a receiver computes over TCP or UDP: zero if the checksum is right. */
    public static int transportChecksum(byte[] frame) {
        MemorySegment segment = MemorySegment.ofArray(frame);
        int headerBytes = Ipv4.headerBytes(segment, 14);
        int lengthBytes = Ipv4.totalBytes(segment, 14) - headerBytes;
        return Checksum.finish(
                // The pseudo header of RFC 9293: addresses, protocol, length.
                Checksum.sum(segment, 14 + Ipv4.SOURCE_OFFSET, 8)
                        + Ipv4.protocol(segment, 14)
                        + lengthBytes
                        + Checksum.sum(segment, 14 + headerBytes, lengthBytes));
    }

    /** Drives the receive side until the device is as wanted, for at most five seconds. */
    public static boolean becomes(TestPort port, boolean up) {
        long endNs = port.nowNs() + 60_000_000_000L;
        while (port.device.isUp() != up && port.nowNs() < endNs) {
            port.receive();
        }
        return port.device.isUp() == up;
    }

    public static void carry(TestPort sender, TestPort port, Frame[] frames, int rounds) {
        for (int round = 0; round < rounds; round++) {
            sender.device.transmit(frames, 0, frames.length);
            int got = 0;
            for (int tries = 0; got < frames.length && tries < 1_000_000; tries++) {
                int count = port.device.receive(round * 1_000_000L, port.free, port.batch, 64);
                for (int index = 0; index < count; index++) {
                    port.free.put(port.batch[index]);
                }
                got += count;
            }
            port.device.armReceive();
            assert got == frames.length : got;
        }
    }
}
