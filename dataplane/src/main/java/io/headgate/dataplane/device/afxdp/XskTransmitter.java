package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The transmit side of an AF_XDP socket: the egress half's thread alone owns the transmit ring and
 * the completion ring, by which the kernel gives slots back.
 *
 * <p>In copy mode the kernel sends inside our sendto(2): a bounded number of frames per call (32
 * before Linux 6.17), or until something is full. It returns EAGAIN for either, and EBUSY for a
 * frame that the interface dropped; that frame's slot is completed like any other. So a batch is
 * kicked until the ring is empty, nothing moves any more, or the bound on calls is reached; the
 * rest stays in the ring, in order, and {@link #completed} kicks again. No more frames are handed
 * over than the completion ring has entries, so that it is never the reason.
 */
public final class XskTransmitter {
    /** Shortest frame on Ethernet without FCS, in bytes; a shorter one is padded with zeros. */
    private static final int MIN_FRAME_BYTES = 60;

    private static final int ETHERNET_HEADER_BYTES = 14;

    /** Bound on system calls per batch: each sends at least a frame, mostly all. */
    private static final int MAX_KICKS = 64;

    private final int fd;
    private final FrameRegion region;

    /** The kernel counts addresses from the region's start. */
    private final long baseAddress;

    private final XskRing transmitRing;
    private final XskRing completionRing;
    private final XskLink link;
    private final boolean zeroCopy;
    private final Errno errno = new Errno();

    /** Frames handed over and not collected from the completion ring yet. */
    private int outstanding;

    /** Whether the transmit ring held frames after the last kick. */
    private boolean unfinished;

    /** Frames that cannot be sent, until {@link #completed} gives them back. */
    private @Nullable Frame refused;

    private final TransmitStatus status = new TransmitStatus();

    XskTransmitter(XskSocket socket, FrameRegion region, XskLink link, boolean zeroCopy) {
        this.fd = socket.fd();
        this.region = region;
        this.baseAddress = region.baseAddress();
        this.transmitRing = socket.transmitRing();
        this.completionRing = socket.completionRing();
        this.link = link;
        this.zeroCopy = zeroCopy;
    }

    /** As {@link io.headgate.dataplane.device.PortDevice#transmit}. */
    int transmit(Frame[] batch, int from, int count) {
        int taken = Math.min(count, completionRing.size() - outstanding);
        taken = Math.min(taken, transmitRing.free(taken));
        int put = 0;
        for (int index = from; index < from + taken; index++) {
            Frame frame = batch[index];
            frame.place = SlotPlace.DEVICE_TRANSMIT;
            if (isSendable(frame)) {
                transmitRing.putDescriptor(put++, frame.dataOffset - baseAddress, padded(frame));
            } else {
                frame.next = refused;
                refused = frame;
            }
        }
        if (put > 0) {
            transmitRing.publish(put);
            outstanding += put;
            kick();
        } else if (unfinished) {
            kick();
        }
        return taken;
    }

    /**
     * The kernel consumes a descriptor that it finds invalid without ever completing it, and the
     * slot would be gone until the device is closed (and counted then): so none is put there.
     */
    private boolean isSendable(Frame frame) {
        long roomBytes = frame.slotOffset + region.slotBytes() - frame.dataOffset;
        return frame.lengthBytes >= ETHERNET_HEADER_BYTES
                && frame.lengthBytes == frame.storedBytes
                && Math.max(frame.lengthBytes, MIN_FRAME_BYTES) <= roomBytes;
    }

    private int padded(Frame frame) {
        int lengthBytes = frame.lengthBytes;
        if (lengthBytes >= MIN_FRAME_BYTES) {
            return lengthBytes;
        }
        for (int offset = lengthBytes; offset < MIN_FRAME_BYTES; offset++) {
            FrameRegion.MEMORY.set(JAVA_BYTE, frame.dataOffset + offset, (byte) 0);
        }
        return MIN_FRAME_BYTES;
    }

    private void kick() {
        if (zeroCopy && !transmitRing.needsWakeup()) {
            return;
        }
        int untaken = transmitRing.untaken();
        for (int kicks = 0; kicks < MAX_KICKS && untaken > 0; kicks++) {
            long result = Sockets.send(errno, fd, MemorySegment.NULL, 0, Sockets.MSG_DONTWAIT);
            int before = untaken;
            untaken = transmitRing.untaken();
            if (result == -Errno.ENETDOWN || result == -Errno.ENXIO) {
                link.lost();
                break;
            }
            // After EBUSY the kernel may not have told us yet that it took the frame it dropped.
            boolean stuck = untaken == before && result != -Errno.EBUSY;
            if (stuck || zeroCopy) {
                break;
            }
        }
        unfinished = untaken > 0;
    }

    /** As {@link io.headgate.dataplane.device.PortDevice#completed}. */
    int completed(Frame[] into, int limit) {
        int count = Math.min(completionRing.available(limit), limit);
        for (int index = 0; index < count; index++) {
            into[index] = region.frameAt(baseAddress + completionRing.address(index));
        }
        if (count > 0) {
            completionRing.release(count);
            outstanding -= count;
        }
        while (refused != null && count < limit) {
            Frame frame = refused;
            refused = frame.next;
            frame.next = null;
            into[count++] = frame;
            status.refuse(1, frame.lengthBytes);
        }
        if (unfinished && link.isUp()) {
            kick();
        }
        return count;
    }

    TransmitStatus status() {
        return status;
    }
}
