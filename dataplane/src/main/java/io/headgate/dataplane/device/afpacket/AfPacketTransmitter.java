package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.VirtioHeader;
import io.headgate.dataplane.device.linux.net.InterfaceDrops;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The transmit side of an {@link AfPacketDevice}, owned by the egress half's thread: frames are
 * copied into the ring, and the kernel transmits them within one send call per batch. The socket is
 * bound with protocol 0, so that it receives nothing.
 *
 * <p>A virtio header before each frame marks all of it as "header", so that the kernel copies the
 * frame into its buffer at once. Without that, the buffer would refer to the ring's pages, and a
 * veth's other end would copy them into its own page: measured 0.83 instead of 1.16 million frames
 * per second of 60 bytes, and 0.81 instead of 1.05 million of 1,514 bytes.
 */
final class AfPacketTransmitter implements PacketDevice.Transmitter {
    private static final int STATUS_AVAILABLE = 0;
    private static final int STATUS_SEND_REQUEST = 1;

    /** {@code hdr_len} of {@code struct virtio_net_hdr}. */
    private static final int VIRTIO_HEADER_LENGTH_OFFSET = 2;

    private static final int DATA_OFFSET = AfPacketRing.HEADER_BYTES + VirtioHeader.BYTES;

    /** Beyond this the kernel would need contiguous pages; the rest of a frame refers to ours. */
    private static final int LINEAR_MAX_BYTES = 3072;

    /**
     * Maximum number of bytes that the kernel charges for a frame in flight, without the frame's
     * own.
     */
    private static final int KERNEL_OVERHEAD_BYTES = 2048;

    private final AfPacketRing ring;
    private final InterfaceDrops interfaceDrops;
    private final int mask;
    private final int frameShift;
    private final int ringFrameBytes;
    private final AfPacketReceiver receiver;
    private MemorySegment memory;
    private int head;

    /** Unsent: frames of the ring that the kernel did not take at the last call. */
    private final TransmitStatus status = new TransmitStatus();

    private long kernelDrops;
    private long retried;
    private long heldAtClosing;

    /** Opens the transmit side of an interface of the calling thread's namespace. */
    AfPacketTransmitter(LinuxInterface link, int frames, AfPacketReceiver receiver)
            throws DeviceException {
        this.receiver = receiver;
        interfaceDrops = InterfaceDrops.ofTransmitting(link);
        try {
            ring = openRing(link, frames);
        } catch (DeviceException refused) {
            interfaceDrops.close();
            throw refused;
        }
        memory = ring.memory();
        frameShift = ring.frameShift();
        ringFrameBytes = (1 << frameShift) - DATA_OFFSET;
        mask = frames - 1;
    }

    private static AfPacketRing openRing(LinuxInterface link, int frames) throws DeviceException {
        return AfPacketRing.open(
                AfPacketRing.PACKET_TX_RING,
                link.where(),
                ring -> {
                    ring.option(AfPacketRing.PACKET_QDISC_BYPASS, 1, "PACKET_QDISC_BYPASS");
                    // A frame the kernel dislikes is skipped; without this it would stop the ring.
                    ring.option(AfPacketRing.PACKET_LOSS, 1, "PACKET_LOSS");
                    long maxFrameBytes = AfPacketDevice.maxFrameBytes(link.mtuBytes());
                    ring.map(frames, DATA_OFFSET + (int) maxFrameBytes);
                    // So that the socket's share of memory never stops a ring half sent.
                    long bytes = frames * (2 * maxFrameBytes + KERNEL_OVERHEAD_BYTES);
                    ring.share(
                            Sockets.SO_SNDBUFFORCE, (int) Math.min(Integer.MAX_VALUE / 2, bytes));
                    ring.bind(link.index(), 0);
                });
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        if (memory.byteSize() == 0) {
            return 0;
        }
        // Not by how far the head has come: that is nowhere when the whole ring was filled.
        int written = 0;
        int taken = 0;
        int maxFrameBytes = Math.min(ringFrameBytes, receiver.maxTransmitBytes());
        int refused = 0;
        long refusedBytes = 0;
        while (taken < count) {
            Frame frame = batch[from + taken];
            if (frame.lengthBytes > maxFrameBytes || frame.lengthBytes < Ethernet.HEADER_BYTES) {
                refused++;
                refusedBytes += frame.lengthBytes;
                taken++;
                continue;
            }
            long at = (long) head << frameShift;
            // Pairs with the kernel's release of a frame that has left.
            if ((int) AfPacketRing.STATUS.getAcquire(memory, at) != STATUS_AVAILABLE) {
                break;
            }
            write(frame, at);
            head = (head + 1) & mask;
            written++;
            taken++;
        }
        if ((written > 0 || status.unsent()) && !kick()) {
            takeBack(written);
            return 0;
        }
        status.refuse(refused, refusedBytes);
        return taken;
    }

    /** Makes the kernel retry the frames that it left in the ring, if the link is up. */
    void sendRest() {
        if (status.unsent() && memory.byteSize() > 0 && receiver.link.isUp()) {
            kick();
        }
    }

    @Override
    public TransmitStatus status() {
        return status;
    }

    private void write(Frame frame, long at) {
        long data = at + DATA_OFFSET;
        int storedBytes = Math.min(frame.storedBytes, frame.lengthBytes);
        MemorySegment.copy(FrameRegion.MEMORY, frame.dataOffset, memory, data, storedBytes);
        int lengthBytes = Math.max(frame.lengthBytes, Ethernet.MIN_FRAME_BYTES);
        for (int index = storedBytes; index < lengthBytes; index++) {
            memory.set(ValueLayout.JAVA_BYTE, data + index, (byte) 0);
        }
        memory.set(
                ValueLayout.JAVA_SHORT,
                at + AfPacketRing.HEADER_BYTES + VIRTIO_HEADER_LENGTH_OFFSET,
                (short) Math.min(lengthBytes, LINEAR_MAX_BYTES));
        memory.set(
                ValueLayout.JAVA_INT,
                at + AfPacketRing.LENGTH_OFFSET,
                lengthBytes + VirtioHeader.BYTES);
        // Pairs with the kernel's acquire when it looks for frames to send.
        AfPacketRing.STATUS.setRelease(memory, at, STATUS_SEND_REQUEST);
    }

    /** Makes the kernel transmit the frames in the ring. Returns false if the link is down. */
    private boolean kick() {
        long sent =
                Sockets.send(ring.errno, ring.fd(), MemorySegment.NULL, 0, Sockets.MSG_DONTWAIT);
        if (sent >= 0) {
            status.setUnsent(false);
            return true;
        }
        if (sent == -Errno.ENOBUFS) {
            // The interface refused a frame, and counted a drop, but the ring still has it.
            retried++;
        }
        status.setUnsent(true);
        return sent != -Errno.ENETDOWN && sent != -Errno.ENXIO;
    }

    /** Takes back the frames of a batch that the kernel did not look at. */
    private void takeBack(int written) {
        for (int i = 0; i < written; i++) {
            head = (head - 1) & mask;
            AfPacketRing.STATUS.setRelease(memory, (long) head << frameShift, STATUS_AVAILABLE);
        }
    }

    @Override
    public void readDrops(DropTotals totals) {
        if (memory.byteSize() > 0 && !receiver.link.isGone()) {
            interfaceDrops.read();
        }
        totals.add(DropReason.DEVICE_CLOSED, heldAtClosing);
        // Which of the two the kernel shows first is open, and a total does not go back.
        kernelDrops = Math.max(kernelDrops, interfaceDrops.count() - retried);
        totals.add(DropReason.KERNEL_TX, kernelDrops);
    }

    @Override
    public void close() {
        int frames = (int) (memory.byteSize() >>> frameShift);
        for (int index = 0; index < frames; index++) {
            int status = (int) AfPacketRing.STATUS.getAcquire(memory, (long) index << frameShift);
            if (status == STATUS_SEND_REQUEST) {
                heldAtClosing++;
            }
        }
        memory = MemorySegment.NULL;
        interfaceDrops.close();
        ring.close();
    }
}
