package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.PacketMessages;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.VirtioHeader;
import io.headgate.dataplane.device.linux.net.InterfaceLosses;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The receive side of a {@link WholeSegmentDevice}, owned by the ingress half's thread: each frame
 * is copied once, from the kernel's buffer to its slot. Bounded by the socket's share of memory:
 * what comes beyond it the kernel drops and counts.
 */
final class WholeReceiver implements AutoCloseable {
    private static final int ETH_P_ALL_NETWORK_ORDER = 0x0300;

    /** Frames of a system call: of 64 KB each, a burst that queues have room for. */
    private static final int BATCH = 16;

    private static final long LINK_CHECK_INTERVAL_NS = 50_000_000;

    /** What the kernel accounts for a frame of 64 KB; each may be one. */
    private static final long FRAME_MEMORY_BYTES = 68 << 10;

    /** What it accounts for the shortest at least. */
    private static final int LEAST_MEMORY_BYTES = 768;

    private final Errno errno = new Errno();
    private final AfPacketRing socket;
    private final LinkState link;
    private final InterfaceLosses interfaceLosses;
    private final PacketMessages messages = new PacketMessages(BATCH, VirtioHeader.BYTES);
    private final Frame[] offered = new Frame[BATCH];
    private final MemorySegment statistics = Arena.ofAuto().allocate(8, 8);
    private final MemorySegment statisticsLength = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    private final int slotFrameBytes;
    private int maxFrameBytes;
    private boolean askedForMtu;
    private long nextLinkCheckNs;

    private final long[] dropped = new long[DropReason.COUNT];
    private long socketFull;
    private final DropTotals.WholeCount whole = new DropTotals.WholeCount();

    /** {@link LinkState}'s word, read by the transmit side too. */
    private volatile int state;

    private volatile int maxTransmitBytes;

    /** Opens the receive side of an interface of the calling thread's namespace. */
    WholeReceiver(LinuxInterface link, FrameRegion region, int frames) throws DeviceException {
        slotFrameBytes = region.maxFrameBytes();
        AfPacketRing opened = null;
        try {
            opened = new AfPacketRing(errno, AfPacketRing.PACKET_RX_RING, link.where());
            opened.option(AfPacketRing.PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
            opened.option(AfPacketRing.PACKET_AUXDATA, 1, "PACKET_AUXDATA");
            opened.option(AfPacketRing.PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
            int memoryBytes = (int) Math.min(Integer.MAX_VALUE / 4, frames * FRAME_MEMORY_BYTES);
            // Best effort, as all that is lost by less is counted.
            Sockets.setsockopt(
                    errno, opened.fd(), Sockets.SOL_SOCKET, Sockets.SO_RCVBUFFORCE, memoryBytes);
            opened.promiscuous(link.index());
            opened.bind(link.index(), ETH_P_ALL_NETWORK_ORDER);
            // What the kernel dropped before the socket was bound was never ours.
            interfaceLosses = new InterfaceLosses(link, memoryBytes / LEAST_MEMORY_BYTES);
        } catch (DeviceException refused) {
            if (opened != null) {
                opened.close();
            }
            throw refused;
        }
        socket = opened;
        this.link = new LinkState(errno, socket.fd(), link.index(), link.mtuBytes());
        lookAtLink();
    }

    int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        if (nowNs - nextLinkCheckNs >= 0) {
            nextLinkCheckNs = nowNs + LINK_CHECK_INTERVAL_NS;
            lookAtLink();
        }
        askedForMtu = false;
        int most = state == LinkState.GONE ? 0 : Math.min(limit, BATCH);
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
            dropped[DropReason.KERNEL_RX_INVALID.ordinal()]++;
        } else if (result != -Errno.EAGAIN) {
            nextLinkCheckNs = 0;
            lookAtLink();
        }
    }

    /** Whether a frame is one to deliver; if not, it has been counted. */
    private boolean take(int index, Frame frame) {
        frame.lengthBytes = messages.lengthBytes(index);
        frame.storedBytes = frame.lengthBytes;
        DropReason bad = messages.isCut(index) ? DropReason.TRUNCATED : complete(index, frame);
        if (bad != null) {
            dropped[bad.ordinal()]++;
            return false;
        }
        whole.note(frame);
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
        if (bad == DropReason.OVERSIZE && !askedForMtu) {
            // The MTU may have grown since the link was looked at.
            askedForMtu = true;
            lookAtLink();
            bad = VirtioHeader.take(frame, header, moved, maxFrameBytes + moved);
        }
        return bad;
    }

    private void lookAtLink() {
        if (state == LinkState.GONE) {
            return;
        }
        state = link.look();
        maxFrameBytes = AfPacketDevice.maxFrameBytes(link.mtuBytes());
        maxTransmitBytes = maxFrameBytes;
    }

    /** Longest frame that may leave, one tag included, as the link's MTU now is. Any thread's. */
    int maxTransmitBytes() {
        return maxTransmitBytes;
    }

    /** {@link LinkState}'s word. Any thread's. */
    int state() {
        return state;
    }

    /** When the link is looked at next, in ns. */
    long deadlineNs() {
        return state == LinkState.GONE ? Long.MAX_VALUE : nextLinkCheckNs;
    }

    int fd() {
        return socket.fd();
    }

    void readDrops(DropTotals totals) {
        readKernelDrops();
        for (DropReason reason : DropReason.values()) {
            totals.add(reason, dropped[reason.ordinal()]);
        }
        totals.add(DropReason.KERNEL_RX_RING_FULL, socketFull);
        whole.addTo(totals);
        interfaceLosses.addTo(totals);
    }

    private void readKernelDrops() {
        statisticsLength.set(ValueLayout.JAVA_INT, 0, 8);
        int asked =
                Sockets.getsockopt(
                        errno,
                        socket.fd(),
                        Sockets.SOL_PACKET,
                        AfPacketRing.PACKET_STATISTICS,
                        statistics,
                        statisticsLength);
        if (asked == 0) {
            // The kernel starts again from zero at each reading.
            socketFull += statistics.get(ValueLayout.JAVA_INT, 4) & 0xFFFF_FFFFL;
        }
        if (state != LinkState.GONE) {
            interfaceLosses.read();
        }
    }

    @Override
    public void close() {
        interfaceLosses.readLast();
        state = LinkState.GONE;
        interfaceLosses.close();
        socket.close();
    }
}
