package io.headgate.dataplane.device.afxdp;

import io.headgate.config.DeviceConfig;
import io.headgate.config.DeviceConfig.XdpMode;
import io.headgate.config.DeviceConfig.XdpTransmit;
import io.headgate.config.Reason;
import io.headgate.dataplane.device.ChecksumWatch;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.net.DeviceClaim;
import io.headgate.dataplane.device.linux.net.InterfaceChanges;
import io.headgate.dataplane.device.linux.net.InterfaceDrops;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One receive queue of a Linux interface through AF_XDP: an XDP program of ours redirects every
 * frame of the queue to a socket, whose rings exchange slots of the frame region with the kernel.
 * Nothing is copied in user space; in copy mode the kernel copies once per direction, in zero-copy
 * mode (experimental, if the driver supports it) the device reads and writes the slots itself.
 *
 * <p>The ingress half's thread owns {@link XskReceiver} and the egress half's {@link
 * XskTransmitter}; they share only the link's state. A slot that the kernel holds is at {@code
 * DEVICE_RECEIVE} or {@code DEVICE_TRANSMIT}; after {@link #close} has returned, the kernel does
 * not use it any more. The egress half calls {@link #completed} until all its frames have been
 * returned: this call also sends the rest of a batch that the kernel took only in part. {@link
 * #receive} reads the link state now and then, and so does {@link #readReceiveDrops}, which an
 * ingress half also calls while the device is down.
 *
 * <p>See the kernel's documentation, networking/af_xdp.
 */
public final class AfXdpDevice implements PortDevice {
    private static final int MIN_RING_FRAMES = 64;
    private static final int MAX_RING_FRAMES = 32768;

    private final Undo undo;
    private final DeviceConfig.AfXdp config;
    private final InterfaceChanges changes;
    private final LinkState link;
    private final ChecksumWatch checksums = new ChecksumWatch();
    private final XskReceiver receiver;
    private final XskTransmitter transmitter;
    private final XskCounters receiveCounters;
    private final InterfaceDrops receiveDrops;
    private final InterfaceDrops transmitDrops;
    private final boolean inDriver;
    private final int fd;
    private final DeviceInfo info;
    private final @Nullable LivePort live;
    private String noBursts = "";
    private long rxInterfaceDrops;
    private volatile boolean closed;

    /** What opening did, to be undone in reverse. */
    private static final class Undo {
        private final Deque<Runnable> steps = new ArrayDeque<>();
        private final Errno errno = new Errno();

        void add(Runnable step) {
            steps.push(step);
        }

        /** Adds a descriptor that must be closed. */
        void fd(String what, LinuxInterface port, int result) throws DeviceException {
            if (result < 0) {
                throw AfXdpSupport.refused(what, port, result);
            }
            add(() -> Files.close(errno, result));
        }

        void run() {
            while (!steps.isEmpty()) {
                steps.pop().run();
            }
        }
    }

    /**
     * Opens the device: the socket is bound, its program attached, its rings still empty.
     *
     * @param umem the UMEM of the switch's frame region
     * @param worker as {@link DeviceSetup#worker}
     * @throws DeviceException if the interface, its MTU, its queues, the kernel or our rights do
     *     not allow it, or another program uses the queue
     */
    public static AfXdpDevice open(XskUmem umem, DeviceConfig.AfXdp config, int worker)
            throws DeviceException {
        int frames = config.ringFrames();
        if (Integer.bitCount(frames) != 1 || frames < MIN_RING_FRAMES || frames > MAX_RING_FRAMES) {
            throw new DeviceException(
                    ("interface %s: AF_XDP rings of %s frames; a power of two from %s to %s is"
                                    + " allowed")
                            .formatted(
                                    config.interfaceName(),
                                    frames,
                                    MIN_RING_FRAMES,
                                    MAX_RING_FRAMES));
        }
        return NetworkNamespace.call(config.netns(), () -> openHere(umem, config, worker));
    }

    private static AfXdpDevice openHere(XskUmem umem, DeviceConfig.AfXdp config, int worker)
            throws DeviceException {
        Undo undo = new Undo();
        try {
            return new AfXdpDevice(umem, config, worker, undo);
        } catch (DeviceException | RuntimeException failure) {
            undo.run();
            throw failure;
        }
    }

    private AfXdpDevice(XskUmem umem, DeviceConfig.AfXdp config, int worker, Undo undo)
            throws DeviceException {
        this.undo = undo;
        this.config = config;
        Errno errno = new Errno();
        LinuxInterface port = LinuxInterface.read(config.netns(), config.interfaceName());
        DeviceClaim claim = DeviceClaim.take(port.index(), port.where());
        undo.add(claim::close);
        int control = Sockets.socket(errno, Sockets.AF_INET, Sockets.SOCK_DGRAM, 0);
        undo.fd("open a socket", port, control);
        XskInterfaceCheck.check(port, config.queue(), control, umem);
        XskSocket socket = openSocket(undo, umem, port, config);
        Set<Offload> switchedOff = XskInterfaceCheck.keepFramesWhole(port);
        changes = new InterfaceChanges(port);
        undo.add(() -> XskInterfaceCheck.restore(port, switchedOff));
        int queue = config.queue();
        XdpAttachment attachment = XdpAttachment.attach(port, queue, config.mode(), socket.fd());
        undo.add(() -> attachment.close(errno));

        fd = socket.fd();
        inDriver = attachment.inDriver();
        boolean zeroCopy = socket.isZeroCopy(errno);
        link = new LinkState(errno, control, port);
        receiver = new XskReceiver(socket, umem.region());
        transmitter = new XskTransmitter(socket, umem.region(), link, zeroCopy);
        receiveCounters = new XskCounters(fd);
        receiveDrops = InterfaceDrops.ofReceiving(port);
        undo.add(receiveDrops::close);
        transmitDrops = InterfaceDrops.ofTransmitting(port);
        undo.add(transmitDrops::close);
        live = config.sharesSlots() ? sendBursts(umem, worker, port) : null;
        info =
                new DeviceInfo(
                        "afxdp",
                        port.shown(),
                        port.mac(),
                        AfPacketDevice.maxFrameBytes(port.mtuBytes()),
                        (inDriver ? "native, " : "generic, ")
                                + (zeroCopy ? "zero-copy (experimental), " : "copy, ")
                                + config.ringFrames()
                                + "-frame rings",
                        false);
    }

    private @Nullable LivePort sendBursts(XskUmem umem, int worker, LinuxInterface port)
            throws DeviceException {
        if (config.transmit() == XdpTransmit.AUTO && !port.hasPeer()) {
            noBursts =
                    "no XDP frames: only a veth is known to count the XDP frames that it drops; use"
                            + " transmit 'xdp' for other interfaces";
            return null;
        }
        try {
            Set<Offload> switchedOff = XskInterfaceCheck.keepOrder(port);
            undo.add(() -> XskInterfaceCheck.restore(port, switchedOff));
            LivePort entered = umem.sendBursts(worker, port, transmitter);
            undo.add(() -> umem.leave(entered));
            return entered;
        } catch (DeviceException e) {
            if (config.transmit() == XdpTransmit.XDP) {
                throw new DeviceException(
                        "interface %s cannot send bursts as XDP frames: %s; use transmit 'auto'"
                                .formatted(port.where(), Reason.of(e)));
            }
            noBursts = "no XDP frames: " + Reason.of(e);
            return null;
        }
    }

    private static XskSocket openSocket(
            Undo undo, XskUmem umem, LinuxInterface port, DeviceConfig.AfXdp config)
            throws DeviceException {
        Errno errno = new Errno();
        int fd = XskSocket.open(errno);
        if (fd < 0) {
            throw new DeviceException(
                    "cannot use AF_XDP on interface %s: %s; device kind afpacket may work"
                            .formatted(port.where(), AfXdpSupport.noSocket(fd)));
        }
        XskSocket socket = new XskSocket(fd);
        undo.add(() -> socket.close(errno));
        int result = socket.setUpRings(errno, config.ringFrames());
        if (result < 0) {
            throw AfXdpSupport.refused("set up the rings", port, result);
        }
        boolean zeroCopy = config.mode() == XdpMode.ZERO_COPY;
        result = umem.bind(errno, socket, port.index(), config.queue(), zeroCopy);
        undo.add(() -> umem.leave(socket));
        if (result == -Errno.EBUSY) {
            throw new DeviceException(
                    ("queue %s of interface %s has an AF_XDP socket already; stop the program"
                                    + " that holds it ('ss --xdp -p')")
                            .formatted(config.queue(), port.where()));
        }
        if (zeroCopy && (result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL)) {
            throw new DeviceException(
                    "the driver of interface %s has no zero-copy mode; use mode 'auto'"
                            .formatted(port.where()));
        }
        if (result < 0) {
            throw AfXdpSupport.refused("bind a socket", port, result);
        }
        socket.enlargeBatches(errno, config.ringFrames());
        return socket;
    }

    @Override
    public DeviceInfo info() {
        String bursts = live == null ? noBursts : live.words();
        return bursts.isEmpty() ? info : info.withDetail(info.detail() + "; " + bursts);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        if (closed) {
            return 0;
        }
        link.lookIfDue(nowNs);
        int received = receiver.receive(free, batch, limit);
        checksums.look(nowNs, batch, received);
        return received;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return closed ? 0 : transmitter.transmit(batch, from, count);
    }

    @Override
    public boolean collects() {
        return live != null;
    }

    @Override
    public void flush(long nowNs, long cycle) {
        if (live != null && !closed) {
            live.flush(nowNs, cycle);
        }
    }

    @Override
    public boolean transmitCopies() {
        return false;
    }

    @Override
    public int completed(Frame[] into, int limit) {
        return closed ? 0 : transmitter.completed(into, limit);
    }

    @Override
    public TransmitStatus transmitStatus() {
        return transmitter.status();
    }

    @Override
    public boolean isUp() {
        return link.isUp();
    }

    @Override
    public boolean isGone() {
        return link.isGone();
    }

    /** Reports settings that others have changed, here or at the other end. */
    @Override
    public String trouble() {
        if (closed || isGone()) {
            return "";
        }
        try {
            LinuxInterface now = LinuxInterface.read(config.netns(), config.interfaceName());
            Set<Offload> mended = XskInterfaceCheck.keepFramesWhole(now);
            if (!mended.isEmpty()) {
                return ("another tool switched on %s of %s, which changes received frames; Headgate"
                                + " switched it off again")
                        .formatted(XskInterfaceCheck.labels(mended), now.where());
            }
            if (live != null && !XskInterfaceCheck.keepOrder(now).isEmpty()) {
                return ("another tool switched on tso of %s, with which XDP frames overtake others;"
                                + " Headgate switched it off again")
                        .formatted(now.where());
            }
            XskInterfaceCheck.checkPeer(now);
            if (live != null && config.transmit() == XdpTransmit.XDP && live.isRefused()) {
                return "%s sends bursts through its socket and not as XDP frames: %s"
                        .formatted(now.where(), live.refusal());
            }
            if (live != null && config.transmit() == XdpTransmit.XDP && live.isNotTaken()) {
                return XskInterfaceCheck.takesNoXdpFrames(now);
            }
            return checksums.seesUnfinished()
                    ? info.name()
                            + " receives frames whose sender left the checksum to hardware, which"
                            + " AF_XDP cannot detect; the receivers drop these frames. "
                            + ChecksumWatch.REMEDY
                    : changes.in(now);
        } catch (DeviceException e) {
            return isGone() ? "" : Reason.of(e);
        }
    }

    /**
     * The kernel's counters overlap: a frame that found no slot counts as such, as "dropped" by the
     * socket, and, where the program runs in the driver, as dropped by the interface. Each frame is
     * reported once.
     */
    @Override
    public void readReceiveDrops(DropTotals totals) {
        if (!closed) {
            // The interface first: what is dropped in between is then not taken for its own.
            link.look();
            receiveDrops.read();
            receiveCounters.read();
        }
        long withoutSlot = receiveCounters.fillEmpty();
        long dropped = receiveCounters.dropped();
        long ringFull = receiveCounters.ringFull();
        long byInterface = receiveDrops.count();
        if (inDriver) {
            byInterface -= dropped + ringFull;
        }
        rxInterfaceDrops = Math.max(rxInterfaceDrops, byInterface);
        totals.add(DropReason.KERNEL_RX_FILL_EMPTY, withoutSlot);
        totals.add(DropReason.KERNEL_RX_RING_FULL, ringFull);
        totals.add(
                DropReason.KERNEL_RX_INVALID,
                Math.max(0, dropped - withoutSlot) + receiveCounters.receiveInvalid());
        totals.add(DropReason.KERNEL_RX_INTERFACE, rxInterfaceDrops);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        if (!closed) {
            transmitDrops.read();
        }
        long lost = live == null ? 0 : live.lost();
        totals.add(DropReason.KERNEL_TX, transmitDrops.count() + lost);
    }

    @Override
    public int receiveFd() {
        return closed ? -1 : fd;
    }

    @Override
    public boolean armReceive() {
        return !closed && receiver.hasFrame();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            link.end();
            undo.run();
        }
    }
}
