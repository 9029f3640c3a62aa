package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.PacketMessages;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.VirtioHeader;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import org.jspecify.annotations.Nullable;

/**
 * The receive side of a {@link WholeSegmentDevice}, owned by the ingress half's thread: each frame
 * is copied once, from the kernel's buffer to its slot. Bounded by the socket's receive buffer:
 * when it is full, the kernel drops arriving frames and counts them.
 */
final class WholeReceiver extends PacketReceiver {
    /** Frames of a system call: of 64 KB each, a burst that queues have room for. */
    private static final int BATCH = 16;

    /** What the kernel accounts for a frame of 64 KB; each may be one. */
    private static final long FRAME_MEMORY_BYTES = 68 << 10;

    /** What it accounts for the shortest at least. */
    private static final int LEAST_MEMORY_BYTES = 768;

    private final PacketMessages messages = new PacketMessages(BATCH, VirtioHeader.BYTES);
    private final Frame[] offered = new Frame[BATCH];

    /** Opens the receive side of an interface of the calling thread's namespace. */
    WholeReceiver(LinuxInterface link, FrameRegion region, int frames) throws DeviceException {
        super(
                openSocket(link, memoryBytes(frames)),
                link,
                region,
                memoryBytes(frames) / LEAST_MEMORY_BYTES);
    }

    private static int memoryBytes(int frames) {
        return (int) Math.min(Integer.MAX_VALUE / 4, frames * FRAME_MEMORY_BYTES);
    }

    private static AfPacketRing openSocket(LinuxInterface link, int memoryBytes)
            throws DeviceException {
        return AfPacketRing.open(
                AfPacketRing.PACKET_RX_RING,
                link.where(),
                opened -> {
                    opened.option(AfPacketRing.PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
                    opened.option(AfPacketRing.PACKET_AUXDATA, 1, "PACKET_AUXDATA");
                    opened.option(AfPacketRing.PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
                    // All that is lost by less is counted.
                    opened.share(Sockets.SO_RCVBUFFORCE, memoryBytes);
                    opened.promiscuous(link.index());
                    opened.bind(link.index(), ETH_P_ALL_NETWORK_ORDER);
                });
    }

    @Override
    int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        begin(nowNs);
        int most = link.isGone() ? 0 : Math.min(limit, BATCH);
        int room = 0;
        for (; room < most; room++) {
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            offered[room] = frame;
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            messages.set(room, frame.dataOffset, slotFrameBytes);
        }
        int came = room == 0 ? 0 : messages.receive(errno, socket.fd(), room);
        boolean isEmpty = came == -Errno.EAGAIN || (came >= 0 && came < room);
        if (came < 0) {
            noteFailure(came);
        }
        int received = 0;
        for (int i = 0; i < room; i++) {
            Frame frame = offered[i];
            if (i < came && take(i, frame)) {
                batch[received++] = frame;
            } else {
                free.put(frame);
            }
        }
        interfaceLosses.taken(Math.max(came, 0), isEmpty);
        return received;
    }

    private void noteFailure(int result) {
        if (result == -Errno.EINVAL) {
            // The header has no word for such segments: the frame is gone.
            drop(DropReason.KERNEL_RX_INVALID);
        } else if (result != -Errno.EAGAIN) {
            lookNow();
        }
    }

    /** Whether a frame is one to deliver; if not, it has been counted. */
    private boolean take(int index, Frame frame) {
        frame.lengthBytes = messages.lengthBytes(index);
        frame.storedBytes = frame.lengthBytes;
        DropReason bad = messages.isCut(index) ? DropReason.TRUNCATED : complete(index, frame);
        if (bad != null) {
            drop(bad);
            return false;
        }
        drops.notePassed(frame);
        return true;
    }

    private @Nullable DropReason complete(int index, Frame frame) {
        if (frame.lengthBytes < Ethernet.HEADER_BYTES) {
            return DropReason.RUNT;
        }
        long tag = messages.tag(index);
        int moved = 0;
        if (tag >= 0) {
            int tci = (int) tag & 0xFFFF;
            int type = (int) (tag >>> 16);
            interfaceLosses.tagged(
                    tci,
                    Wire.u16(FrameRegion.MEMORY, frame.dataOffset + Ethernet.ETHER_TYPE_OFFSET));
            frame.dataOffset = Vlan.push(FrameRegion.MEMORY, frame.dataOffset, type, tci);
            frame.lengthBytes += Vlan.TAG_BYTES;
            frame.storedBytes += Vlan.TAG_BYTES;
            moved = Vlan.TAG_BYTES;
        }
        // The tag that the kernel took off does not count.
        long header = messages.header(index);
        DropReason bad = VirtioHeader.take(frame, header, moved, maxFrameBytes + moved);
        if (bad == DropReason.OVERSIZE && asksAgain()) {
            bad = VirtioHeader.take(frame, header, moved, maxFrameBytes + moved);
        }
        return bad;
    }
}
