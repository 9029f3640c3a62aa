package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.net.InterfaceLosses;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The receive side of a {@link PacketDevice}, owned by the ingress half's thread. */
abstract class PacketReceiver implements AutoCloseable {
    static final int ETH_P_ALL_NETWORK_ORDER = 0x0300;

    final Errno errno;
    final AfPacketRing socket;
    final InterfaceLosses interfaceLosses;
    final int slotFrameBytes;
    int maxFrameBytes;

    final LinkState link;
    private final MemorySegment option = Arena.ofAuto().allocate(8, 8);
    private final MemorySegment optionLength = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    final DropTotals drops = new DropTotals();
    private long socketFull;
    private boolean askedForMtu;

    /**
     * Takes over a bound socket, also if the constructor fails. Losses count from now on: frames
     * that the kernel dropped earlier are not this device's.
     *
     * @param mostWaiting maximum number of frames waiting in the socket
     */
    PacketReceiver(AfPacketRing socket, LinuxInterface link, FrameRegion region, int mostWaiting)
            throws DeviceException {
        this.errno = socket.errno;
        this.socket = socket;
        this.slotFrameBytes = region.maxFrameBytes();
        try {
            this.interfaceLosses = new InterfaceLosses(link, mostWaiting);
        } catch (DeviceException refused) {
            socket.close();
            throw refused;
        }
        this.link = new LinkState(errno, socket.fd(), link);
        noteMtu();
    }

    abstract int receive(long nowNs, FreeList free, Frame[] batch, int limit);

    /** Reads the link state if it is due; must be called before frames are taken. */
    final void begin(long nowNs) {
        if (link.lookIfDue(nowNs)) {
            noteMtu();
        }
        askedForMtu = false;
    }

    /** Reads the link state now, because the socket reports an error. */
    final void lookNow() {
        link.lookAgain();
        noteMtu();
    }

    /**
     * Reads the MTU again, because it may have grown since the last look at the link; returns false
     * if this was already done since {@link #begin}.
     */
    final boolean asksAgain() {
        if (askedForMtu) {
            return false;
        }
        askedForMtu = true;
        link.look();
        noteMtu();
        return true;
    }

    private void noteMtu() {
        // Room is left in the slot for the tag that the kernel took off.
        maxFrameBytes = Math.min(maxTransmitBytes(), slotFrameBytes - Vlan.TAG_BYTES);
    }

    /**
     * Longest frame that can be sent with the link's present MTU, one tag included. For any thread.
     */
    final int maxTransmitBytes() {
        return AfPacketDevice.maxFrameBytes(link.mtuBytes());
    }

    final int fd() {
        return socket.fd();
    }

    final void drop(DropReason reason) {
        drops.add(reason, 1);
    }

    final void readDrops(DropTotals totals) {
        readKernelDrops();
        totals.add(drops);
        totals.add(DropReason.KERNEL_RX_RING_FULL, socketFull);
        interfaceLosses.addTo(totals);
    }

    void readKernelDrops() {
        if (asked(Sockets.SOL_PACKET, AfPacketRing.PACKET_STATISTICS, 8)) {
            // The kernel starts again from zero at each reading.
            socketFull += option.get(ValueLayout.JAVA_INT, 4) & 0xFFFF_FFFFL;
        }
        if (!link.isGone()) {
            interfaceLosses.read();
        }
    }

    /** Whether the socket has a pending error; clears it. */
    final boolean hasError() {
        return asked(Sockets.SOL_SOCKET, Sockets.SO_ERROR, Integer.BYTES)
                && option.get(ValueLayout.JAVA_INT, 0) != 0;
    }

    private boolean asked(int level, int name, int bytes) {
        optionLength.set(ValueLayout.JAVA_INT, 0, bytes);
        return Sockets.getsockopt(errno, socket.fd(), level, name, option, optionLength) == 0;
    }

    @Override
    public void close() {
        interfaceLosses.readLast();
        link.end();
        interfaceLosses.close();
        socket.close();
    }
}
