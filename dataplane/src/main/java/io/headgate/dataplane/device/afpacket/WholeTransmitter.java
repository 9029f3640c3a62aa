package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.PacketMessages;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.VirtioHeader;
import io.headgate.dataplane.device.linux.net.InterfaceDrops;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/**
 * The transmit side of a {@link WholeSegmentDevice}, owned by the egress half's thread: each frame
 * is copied once, from its slot to the kernel's buffer, with a header before it that says whether
 * it stands for several segments. If the interface cannot send it whole, the kernel cuts it. The
 * socket is bound with protocol 0, so that it receives nothing.
 */
final class WholeTransmitter implements PacketDevice.Transmitter {
    /** Frames of a system call. */
    private static final int BATCH = 32;

    /** Enough that the socket's share of memory never stops a batch of 64 KB each. */
    private static final int MEMORY_BYTES = 2 * BATCH * (68 << 10);

    private final AfPacketRing socket;
    private final InterfaceDrops interfaceDrops;
    private final WholeReceiver receiver;
    private final PacketMessages messages = new PacketMessages(BATCH, 0);
    private final TransmitStatus status = new TransmitStatus();
    private long lost;

    // Whether the next frame was left for a reason that the kernel has not said; how many drops
    // were of frames that the kernel then had once more.
    private boolean stopped;
    private long retried;
    private long kernelDrops;
    private final DropTotals passed = new DropTotals();

    /** Opens the transmit side of an interface of the calling thread's namespace. */
    WholeTransmitter(LinuxInterface link, WholeReceiver receiver) throws DeviceException {
        this.receiver = receiver;
        interfaceDrops = InterfaceDrops.ofTransmitting(link);
        try {
            socket = openSocket(link);
        } catch (DeviceException refused) {
            interfaceDrops.close();
            throw refused;
        }
    }

    private static AfPacketRing openSocket(LinuxInterface link) throws DeviceException {
        return AfPacketRing.open(
                AfPacketRing.PACKET_TX_RING,
                link.where(),
                opened -> {
                    opened.option(AfPacketRing.PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
                    opened.share(Sockets.SO_SNDBUFFORCE, MEMORY_BYTES);
                    opened.bind(link.index(), 0);
                });
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        int taken = 0;
        while (taken < count && !receiver.link.isGone()) {
            int set = set(batch, from + taken, Math.min(count - taken, BATCH));
            if (set == 0) {
                stopped = false;
                status.refuse(1, batch[from + taken].lengthBytes);
                taken++;
                continue;
            }
            int sent = messages.send(socket.errno, socket.fd(), set);
            if (sent > 0) {
                noteSecondTry();
                stopped = sent < set;
                count(batch, from + taken, sent);
                taken += sent;
                continue;
            }
            if (sent == -Errno.ENOBUFS) {
                // The kernel had the frame, and it is gone.
                count(batch, from + taken, 1);
                lost++;
                noteSecondTry();
                taken++;
            } else if (sent == -Errno.EINVAL || sent == -Errno.EMSGSIZE) {
                stopped = false;
                status.refuse(1, batch[from + taken].lengthBytes);
                taken++;
            } else {
                // No memory now, or no link: the rest stays the caller's.
                break;
            }
        }
        return taken;
    }

    /**
     * A call that sends some of its frames says no error of the next one, which the interface may
     * have refused and counted as dropped. The kernel has that frame now: that drop was no loss.
     */
    private void noteSecondTry() {
        if (!stopped) {
            return;
        }
        stopped = false;
        interfaceDrops.read();
        if (interfaceDrops.count() - retried > Math.max(kernelDrops, lost)) {
            retried++;
        }
    }

    /** Prepares frames up to the first that cannot leave here; returns how many. */
    private int set(Frame[] batch, int from, int count) {
        int maxFrameBytes = receiver.maxTransmitBytes();
        for (int i = 0; i < count; i++) {
            Frame frame = batch[from + i];
            int longest =
                    frame.segmentBytes == 0 ? frame.lengthBytes : TcpSegments.longestBytes(frame);
            if (longest > maxFrameBytes || longest < Ethernet.HEADER_BYTES) {
                return i;
            }
            long header = VirtioHeader.prepare(frame);
            if (header == 0) {
                return i;
            }
            messages.set(i, header, frame.dataOffset - header + frame.storedBytes);
        }
        return count;
    }

    private void count(Frame[] batch, int from, int frames) {
        for (int i = from; i < from + frames; i++) {
            passed.notePassed(batch[i]);
        }
    }

    @Override
    public TransmitStatus status() {
        return status;
    }

    @Override
    public void readDrops(DropTotals totals) {
        if (!receiver.link.isGone()) {
            interfaceDrops.read();
        }
        kernelDrops = Math.max(kernelDrops, Math.max(lost, interfaceDrops.count() - retried));
        totals.add(DropReason.KERNEL_TX, kernelDrops);
        totals.add(passed);
    }

    @Override
    public void close() {
        interfaceDrops.close();
        socket.close();
    }
}
