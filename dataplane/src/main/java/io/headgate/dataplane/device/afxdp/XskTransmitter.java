package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The transmit side of an AF_XDP socket: the egress half's thread owns the transmit ring and the
 * completion ring, by which the kernel returns slots.
 *
 * <p>In copy mode the kernel sends inside our sendto(2): a bounded number of frames per call (32
 * before Linux 6.17), or until a queue is full. It returns EAGAIN for either, and EBUSY for a frame
 * that the interface dropped; that frame's slot is completed like any other. So the call (the kick)
 * is repeated until the ring is empty, a call makes no progress, or the limit of calls is reached;
 * the rest stays in the ring, in order, and {@link #completed} kicks again. Never more frames are
 * handed over than the completion ring has entries, so it cannot be what is full.
 *
 * <p>If the port may send bursts as XDP frames, frames are staged first: written after the transmit
 * ring's end, but not published to the kernel until the worker's cycle ends and their number is
 * known. Then {@link LivePort} sends them, or they are published to the kernel.
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
    private final LinkState link;
    private final boolean zeroCopy;
    private final Errno errno = new Errno();

    /** Frames handed over and not collected from the completion ring yet. */
    private int outstanding;

    /** Whether the transmit ring held frames after the last kick. */
    private boolean unfinished;

    /** Frames that cannot be sent, until {@link #completed} gives them back. */
    private @Nullable Frame refused;

    /** Frames behind the transmit ring's end. */
    private int staged;

    /** Whether one of them is too long for an XDP frame. */
    private boolean stagedTooLong;

    /** Null: what is handed over is sent at once. */
    private @Nullable LivePort live;

    /** Frames that were sent as XDP frames, until {@link #completed} gives them back. */
    private @Nullable Frame sentLive;

    private final TransmitStatus status = new TransmitStatus();

    XskTransmitter(XskSocket socket, FrameRegion region, LinkState link, boolean zeroCopy) {
        this.fd = socket.fd();
        this.region = region;
        this.baseAddress = region.baseAddress();
        this.transmitRing = socket.transmitRing();
        this.completionRing = socket.completionRing();
        this.link = link;
        this.zeroCopy = zeroCopy;
    }

    /** Allows to send bursts as XDP frames; called before the first frame. */
    void sendBursts(LivePort by) {
        live = by;
    }

    /** As {@link io.headgate.dataplane.device.PortDevice#transmit}. */
    int transmit(Frame[] batch, int from, int count) {
        int before = staged;
        int taken = Math.min(count, room() - before);
        taken = Math.min(taken, transmitRing.free(before + taken) - before);
        for (int index = from; index < from + taken; index++) {
            Frame frame = batch[index];
            frame.place = SlotPlace.DEVICE_TRANSMIT;
            if (isSendable(frame)) {
                int lengthBytes = padded(frame);
                transmitRing.putDescriptor(staged++, frame.dataOffset - baseAddress, lengthBytes);
                stagedTooLong |= lengthBytes > LiveTransmit.MOST_FRAME_BYTES;
            } else {
                frame.next = refused;
                refused = frame;
            }
        }
        if (live == null || (staged < LivePort.FEW_FRAMES && live.isFirst())) {
            sendStaged();
        } else if (staged > before) {
            live.staged(staged - before);
        }
        if (staged == before && unfinished) {
            kick();
        }
        return taken;
    }

    /** Maximum number of staged frames. */
    private int room() {
        int room = completionRing.size() - outstanding;
        return live == null ? room : Math.min(room, LiveTransmit.MOST_PORT_FRAMES);
    }

    /** Sends the staged frames through the socket. */
    void sendStaged() {
        if (staged > 0) {
            transmitRing.publish(staged);
            outstanding += staged;
            forgetStaged();
            kick();
        }
    }

    private void forgetStaged() {
        staged = 0;
        stagedTooLong = false;
    }

    int stagedFrames() {
        return staged;
    }

    /** Whether the staged frames may be sent as XDP frames without overtaking others. */
    boolean maySendLive() {
        return outstanding == 0 && !stagedTooLong;
    }

    /** Writes the staged frames to the ring from which XDP frames are made. */
    void writeStaged(LiveTransmit to, int port) {
        for (int index = 0; index < staged; index++) {
            to.write(
                    (int) transmitRing.unpublishedAddress(index),
                    transmitRing.unpublishedLengthBytes(index),
                    port);
        }
    }

    /** Called when the first {@code count} staged frames have been sent as XDP frames. */
    void sentStaged(int count) {
        for (int index = 0; index < count; index++) {
            Frame frame = region.frameAt(baseAddress + transmitRing.unpublishedAddress(index));
            frame.next = sentLive;
            sentLive = frame;
        }
        for (int index = count; index < staged; index++) {
            transmitRing.putDescriptor(
                    index - count,
                    transmitRing.unpublishedAddress(index),
                    transmitRing.unpublishedLengthBytes(index));
        }
        // None of them is too long, or they would not have been sent so.
        staged -= count;
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
        while (sentLive != null && count < limit) {
            Frame frame = sentLive;
            sentLive = frame.next;
            frame.next = null;
            into[count++] = frame;
        }
        while (refused != null && count < limit) {
            Frame frame = refused;
            refused = frame.next;
            frame.next = null;
            into[count++] = frame;
            status.refuse(1, frame.lengthBytes);
        }
        if (live != null && staged > 0 && !live.isWaiting) {
            // Another port's failure ended the call that should have sent them.
            sendStaged();
        } else if (unfinished && link.isUp()) {
            kick();
        }
        return count;
    }

    TransmitStatus status() {
        return status;
    }
}
