package io.headgate.dataplane.device.afxdp;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Poller;
import io.headgate.dataplane.device.linux.SharedSlots;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The frame region as a UMEM: memory that the kernel writes and reads for AF_XDP sockets. One
 * object per region; all AF_XDP ports of a switch use the same one, so that a frame received at one
 * port leaves at another without a copy in user space.
 *
 * <p>The first socket registers the region and its pages are pinned; a later one, on any interface
 * and in any namespace, binds with XDP_SHARED_UMEM to an open socket, with its own fill and
 * completion rings (Linux 5.10). A UMEM lives while any socket uses it. In two cases it cannot be
 * shared: between a zero-copy socket and a copying one (the mode belongs to the UMEM), and by a
 * socket that is opened when the earlier ones have lost their interfaces. Such a socket registers
 * the region again. This is allowed and makes no difference, because addresses are offsets into the
 * region in both cases; it costs a second pinning and mapping of the pages.
 *
 * <p>Used by the threads that open devices, never on a frame's path.
 */
public final class XskUmem {
    /** What the kernel accepts as a chunk: XDP_UMEM_MIN_CHUNK_SIZE to one page. */
    private static final int MIN_CHUNK_BYTES = 2048;

    private static final int MAX_CHUNK_BYTES = 4096;

    private static final int BUSY_TRIES = 50;
    private static final long BUSY_PAUSE_NS = 20_000_000;

    private final FrameRegion region;
    private final List<Member> members = new ArrayList<>();

    private int registrations;

    /** By worker: what sends bursts of its ports. */
    private final Map<Integer, LiveTransmit> live = new HashMap<>();

    private record Member(XskSocket socket, boolean zeroCopy) {}

    /**
     * @throws DeviceException if the region's slots are not of 2,048 or 4,096 bytes
     */
    public XskUmem(FrameRegion region) throws DeviceException {
        int slotBytes = region.slotBytes();
        if (slotBytes < MIN_CHUNK_BYTES || slotBytes > MAX_CHUNK_BYTES) {
            throw new DeviceException(
                    "AF_XDP needs slots of 2048 or 4096 bytes, but memory.slotBytes is "
                            + slotBytes
                            + "; set one of these sizes, or use device kind afpacket");
        }
        if (!region.isAdjacent()) {
            throw new IllegalArgumentException("a UMEM's slots lie at multiples of their size");
        }
        this.region = region;
    }

    FrameRegion region() {
        return region;
    }

    /** Longest frame that a slot receives, in bytes: 1,792 or 3,840. */
    int maxFrameBytes() {
        return region.slotBytes() - FrameRegion.HEADROOM_BYTES;
    }

    /** Number of open sockets on this memory. */
    synchronized int users() {
        return members.size();
    }

    /** How often the region was registered and pinned; once unless sockets could not share. */
    synchronized int registrations() {
        return registrations;
    }

    /**
     * Gives a socket its memory and binds it; returns 0, or the negated errno of the step that
     * failed.
     */
    synchronized int bind(
            Errno errno, XskSocket socket, int interfaceIndex, int queue, boolean zeroCopy) {
        for (Member member : members) {
            if (member.zeroCopy != zeroCopy) {
                continue;
            }
            int fd = member.socket.fd();
            int result =
                    bindPatiently(
                            errno, socket, XskSocket.XDP_SHARED_UMEM, interfaceIndex, queue, fd);
            if (result >= 0) {
                members.add(new Member(socket, zeroCopy));
                return 0;
            }
            if (result == -Errno.EBUSY || result == -Errno.ENODEV) {
                return result; // the queue is taken or missing: more memory does not help
            }
        }
        int result = socket.registerUmem(errno, region.allocation(), region.slotBytes());
        if (result >= 0) {
            int flags = zeroCopy ? XskSocket.XDP_ZEROCOPY : XskSocket.XDP_COPY;
            flags |= XskSocket.XDP_USE_NEED_WAKEUP;
            result = bindPatiently(errno, socket, flags, interfaceIndex, queue, 0);
        }
        if (result < 0) {
            return result;
        }
        members.add(new Member(socket, zeroCopy));
        registrations++;
        return 0;
    }

    /**
     * Binds, waiting a while for the queue: of a socket that was closed, also by the end of its
     * process, the kernel takes the queue back a moment later (xp_put_pool defers it).
     */
    private static int bindPatiently(
            Errno errno, XskSocket socket, int flags, int interfaceIndex, int queue, int sharedFd) {
        Poller pause = new Poller();
        int result = socket.bind(errno, flags, interfaceIndex, queue, sharedFd);
        for (int tries = 0; result == -Errno.EBUSY && tries < BUSY_TRIES; tries++) {
            pause.await(BUSY_PAUSE_NS);
            result = socket.bind(errno, flags, interfaceIndex, queue, sharedFd);
        }
        return result;
    }

    /**
     * Makes a port's bursts be sent together with those of the worker's other ports. The calling
     * thread is in the interface's namespace.
     *
     * @param worker number of the worker that transmits; {@link DeviceSetup#UNKNOWN_WORKER}: one
     *     for this port alone
     * @throws DeviceException if the kernel does not allow it
     */
    synchronized LivePort sendBursts(int worker, LinuxInterface port, XskTransmitter from)
            throws DeviceException {
        if (!(region.memory() instanceof SharedSlots slots)) {
            throw new DeviceException("its slots are in memory that the kernel cannot share");
        }
        LiveTransmit known = live.get(worker);
        LiveTransmit transmit = known == null ? LiveTransmit.open(slots) : known;
        int number = transmit.enter(port);
        if (number < 0) {
            if (known == null) {
                transmit.close();
            }
            throw new DeviceException(
                    "the kernel does not let us send to it (" + Errno.describe(number) + ")");
        }
        if (worker != DeviceSetup.UNKNOWN_WORKER) {
            live.put(worker, transmit);
        }
        LivePort entered = new LivePort(transmit, from, number);
        from.sendBursts(entered);
        return entered;
    }

    /** The sender of a worker's bursts; null if none of its ports sends bursts. */
    synchronized @Nullable LiveTransmit transmitOf(int worker) {
        return live.get(worker);
    }

    /** Ends {@link #sendBursts} for a port; no thread transmits for it any more. */
    synchronized void leave(LivePort port) {
        LiveTransmit left = port.leave();
        if (left.isUnused()) {
            left.close();
            live.values().remove(left);
        }
    }

    /** Forgets a socket that is about to be closed. */
    synchronized void leave(XskSocket socket) {
        members.removeIf(member -> member.socket == socket);
    }
}
