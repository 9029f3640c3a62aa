package io.headgate.dataplane.device.tap;

import io.headgate.config.MemoryConfig;
import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.device.linux.Bpf;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.device.linux.VirtioHeader;
import io.headgate.dataplane.device.linux.net.InterfaceChanges;
import io.headgate.dataplane.device.linux.net.InterfaceDrops;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A TAP interface (Documentation/networking/tuntap): we receive what the host sends on it, and the
 * host receives what we transmit. Frames from the host may come in several queues, see {@link
 * TapSteering}. One system call per frame, directly from or into the slot. Bounded by the
 * interface's own queue ({@code txqueuelen}): while it is full, the kernel drops the host's frames,
 * counted as TAP_RING_FULL.
 *
 * <p>An interface that we created disappears when the device is closed or the process ends in any
 * way; a persistent one stays. If the interface is deleted meanwhile, it does not come back.
 */
public final class TapDevice implements PortDevice {
    private static final long TUNSETIFF = 0x400454caL;
    private static final long TUNSETOFFLOAD = 0x400454d0L;

    /** TUN_F_CSUM, TUN_F_TSO4, TUN_F_TSO6 and TUN_F_TSO_ECN. */
    private static final long OFFLOADS = 0xf;

    private static final int IFF_TAP = 0x0002;
    private static final int IFF_VNET_HDR = 0x4000;
    private static final int IFF_NO_PI = 0x1000;
    private static final int IFF_MULTI_QUEUE = 0x0100;
    private static final long TUNSETSTEERINGEBPF = 0x800454e0L;

    private static final String HELD =
            "another process uses it; stop that process, or use another name";

    /** The descriptor has lost its interface. */
    private static final int EBADFD = 77;

    /** Room for the longest frame that an MTU allows, where its payload is not stored. */
    private static final int PADDED_BYTES = 1 << 17;

    private final DeviceInfo info;
    private final String netns;
    private final String interfaceName;
    private final InterfaceChanges changes;
    private final int slotFrameBytes;
    private final InterfaceDrops interfaceDrops;
    private int[] queueFds;

    /** Readable while one of the queues is; that of the only queue itself. */
    private int readyFd;

    private int socketFd;

    // Receive side's own.
    private int turn;

    // Of several queues: those in which frames waited at the last look, and the look's answer.
    private final boolean[] isReadable;
    private final MemorySegment events;
    private final Errno receiveErrno = new Errno();
    private final LinkState link;
    private int maxFrameBytes;

    /** What comes before each frame: nothing, or a {@link VirtioHeader}. */
    private final int headerBytes;

    private final DropTotals received = new DropTotals();
    private final DropTotals transmitted = new DropTotals();

    // Transmit side's own.
    private final Errno transmitErrno = new Errno();
    private final MemorySegment padded;
    private final TransmitStatus status = new TransmitStatus();

    private TapDevice(
            LinuxInterface tap,
            FrameRegion region,
            int[] queueFds,
            int readyFd,
            int socketFd,
            boolean passesSegments)
            throws DeviceException {
        this.headerBytes = passesSegments ? VirtioHeader.BYTES : 0;
        this.slotFrameBytes = region.maxFrameBytes();
        this.queueFds = queueFds;
        this.readyFd = readyFd;
        this.socketFd = socketFd;
        isReadable = new boolean[queueFds.length];
        events = Arena.ofAuto().allocate((long) queueFds.length * Files.EPOLL_EVENT_BYTES, 8);
        padded = Arena.ofAuto().allocate(PADDED_BYTES, 8);
        interfaceDrops = InterfaceDrops.ofTransmitting(tap);
        netns = tap.netns();
        interfaceName = tap.name();
        changes = new InterfaceChanges(tap);
        link = new LinkState(receiveErrno, socketFd, tap);
        int maxBytes = AfPacketDevice.maxFrameBytes(tap.mtuBytes());
        String detail =
                queueFds.length == 1
                        ? "a system call a frame"
                        : "a system call a frame, " + queueFds.length + " queues";
        if (passesSegments) {
            detail += ", TCP segments pass whole";
        }
        info = new DeviceInfo("tap", tap.shown(), tap.mac(), maxBytes, detail, false);
        noteMtu();
    }

    /**
     * Opens a TAP interface, and sets it up.
     *
     * @param netns its namespace's name; null or empty: our own
     * @param create whether to create it; otherwise a persistent one of that name must exist
     * @param mtuBytes MTU to set; 0: the kernel's (1500), or unchanged
     * @throws DeviceException if it is missing or already exists, is held by another process, is
     *     not a TAP, has too large an MTU for a slot, or permission is missing
     */
    public static TapDevice open(
            @Nullable String netns, String name, boolean create, int mtuBytes, FrameRegion region)
            throws DeviceException {
        return open(netns, name, create, mtuBytes, region, null, false);
    }

    /**
     * The same, with several queues; frames to the host are written to the first.
     *
     * @param steering how many queues, and which of the host's frames wait in which; null: one
     *     queue
     * @param passesSegments whether frames of several TCP segments pass whole
     */
    public static TapDevice open(
            @Nullable String netns,
            String name,
            boolean create,
            int mtuBytes,
            FrameRegion region,
            @Nullable TapSteering steering,
            boolean passesSegments)
            throws DeviceException {
        if (passesSegments && region.slotBytes() < MemoryConfig.WHOLE_SLOT_BYTES) {
            throw new DeviceException(
                    "TAP " + name + " with gso: pass needs memory: {slot: 68KiB}");
        }
        Structs.requireInterfaceName(name);
        String where = netns == null ? "" : netns;
        return NetworkNamespace.call(
                netns,
                () -> openInside(where, name, create, mtuBytes, region, steering, passesSegments));
    }

    private static TapDevice openInside(
            String netns,
            String name,
            boolean create,
            int mtuBytes,
            FrameRegion region,
            @Nullable TapSteering steering,
            boolean passesSegments)
            throws DeviceException {
        requirePresence(netns, name, create);
        Errno errno = new Errno();
        int socketFd = Sockets.socket(errno, Sockets.AF_INET, Sockets.SOCK_DGRAM, 0);
        int[] queueFds = new int[steering == null ? 1 : steering.queues()];
        Arrays.fill(queueFds, -1);
        int readyFd = -1;
        boolean opened = false;
        try {
            for (int queue = 0; queue < queueFds.length; queue++) {
                queueFds[queue] =
                        attach(
                                errno,
                                netns,
                                name,
                                steering == null ? 0 : IFF_MULTI_QUEUE,
                                passesSegments);
            }
            if (steering != null) {
                steer(errno, queueFds[0], steering, Structs.where(name, netns));
                readyFd = Files.anyOf(errno, queueFds);
                if (readyFd < 0) {
                    throw new DeviceException(
                            "cannot wait for the queues of TAP %s: %s"
                                    .formatted(
                                            Structs.where(name, netns), Errno.describe(readyFd)));
                }
            }
            LinuxInterface tap = LinuxInterface.read(netns, name);
            if (mtuBytes != 0 && mtuBytes != tap.mtuBytes()) {
                tap.setMtuBytes(mtuBytes);
            }
            tap.setUp(true);
            tap = LinuxInterface.read(netns, name);
            requireFits(tap, region);
            int waitFor = steering == null ? queueFds[0] : readyFd;
            TapDevice device =
                    new TapDevice(tap, region, queueFds, waitFor, socketFd, passesSegments);
            opened = true;
            return device;
        } finally {
            if (!opened) {
                closeAll(errno, queueFds);
                Files.close(errno, readyFd);
                Files.close(errno, socketFd);
            }
        }
    }

    private static void closeAll(Errno errno, int[] fds) {
        for (int fd : fds) {
            Files.close(errno, fd);
        }
    }

    /** Has the kernel ask our program for the queue of each frame. */
    private static void steer(Errno errno, int fd, TapSteering steering, String where)
            throws DeviceException {
        int program = Bpf.loadFilter(errno, steering.program());
        int result = program;
        if (program >= 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment argument = arena.allocate(ValueLayout.JAVA_INT);
                argument.set(ValueLayout.JAVA_INT, 0, program);
                result = Files.ioctl(errno, fd, TUNSETSTEERINGEBPF, argument);
            }
            // The TAP keeps it.
            Files.close(errno, program);
        }
        if (result < 0) {
            throw new DeviceException(noProgram(result).formatted("TAP " + where));
        }
    }

    private static String noProgram(int result) {
        return "cannot spread flows over the queues of %s: the kernel takes no BPF program for it ("
                + Errno.describe(result)
                + "); that needs CAP_NET_ADMIN, CAP_BPF of the machine (a user namespace has none)"
                + " where 'sysctl kernel.unprivileged_bpf_disabled' is not 0, and Linux 4.16";
    }

    /** Why a TAP cannot have several queues with flows spread over them; empty if it can. */
    public static Optional<String> whyNoSteering() {
        Errno errno = new Errno();
        int program = Bpf.loadFilter(errno, new TapSteering(2, List.of()).program());
        if (program < 0) {
            return Optional.of(noProgram(program).formatted("a TAP"));
        }
        Files.close(errno, program);
        return Optional.empty();
    }

    private static void requirePresence(String netns, String name, boolean create)
            throws DeviceException {
        String ip = netns.isEmpty() ? "ip " : "ip -n " + netns + " ";
        boolean present = false;
        for (LinuxInterface candidate : LinuxInterface.all(netns)) {
            present |= candidate.name().equals(name);
            if (candidate.name().equals(name) && candidate.heldQueues() > 0 && !create) {
                // The kernel would let us share it, and give each of us some of the frames.
                throw new DeviceException(
                        "cannot use TAP " + Structs.where(name, netns) + ": " + HELD);
            }
        }
        if (present && create) {
            throw new DeviceException(
                    ("interface %s already exists; use it with 'create: false' if it is a TAP, or"
                                    + " remove it with '%slink del %s'")
                            .formatted(Structs.where(name, netns), ip, name));
        }
        if (!present && !create) {
            throw new DeviceException(
                    ("there is no TAP %s; create it with '%stuntap add dev %s mode tap', or let"
                                    + " Headgate create it with 'create: true'")
                            .formatted(Structs.where(name, netns), ip, name));
        }
    }

    /**
     * Takes hold of the TAP, or of a queue of it.
     *
     * @param queueFlags {@link #IFF_MULTI_QUEUE} where several are needed; otherwise one that may
     *     have several is as good
     */
    private static int attach(
            Errno errno, String netns, String name, int queueFlags, boolean passesSegments)
            throws DeviceException {
        int flags = passesSegments ? queueFlags | IFF_VNET_HDR : queueFlags;
        String where = Structs.where(name, netns);
        int fd = Files.open(errno, "/dev/net/tun", Files.O_RDWR | Files.O_NONBLOCK);
        if (fd < 0) {
            throw new DeviceException(
                    "cannot open /dev/net/tun for TAP %s: %s; %s"
                            .formatted(
                                    where,
                                    Errno.describe(fd),
                                    fd == -Errno.EACCES
                                            ? "only root can open it here; 'chmod 666 /dev/net/tun'"
                                                    + " as root allows it for all users, as is"
                                                    + " usual in distributions"
                                            : "'modprobe tun' loads the driver"));
        }
        int attached = setInterface(errno, fd, name, flags);
        if (attached == -Errno.EINVAL && queueFlags == 0) {
            attached = setInterface(errno, fd, name, flags | IFF_MULTI_QUEUE);
        }
        if (attached == 0) {
            // The argument is the set itself of what is left to us: by default nothing.
            long left = passesSegments ? OFFLOADS : 0;
            Files.ioctl(errno, fd, TUNSETOFFLOAD, MemorySegment.ofAddress(left));
            return fd;
        }
        Files.close(errno, fd);
        throw new DeviceException(
                "cannot use TAP " + where + ": " + whyNot(attached, queueFlags == IFF_MULTI_QUEUE));
    }

    private static int setInterface(Errno errno, int fd, String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ifreq = arena.allocate(Structs.IFREQ_BYTES, 8);
            Structs.setInterfaceName(ifreq, name);
            ifreq.set(
                    ValueLayout.JAVA_SHORT,
                    Structs.IFREQ_UNION_OFFSET,
                    (short) (IFF_TAP | IFF_NO_PI | flags));
            return Files.ioctl(errno, fd, TUNSETIFF, ifreq);
        }
    }

    private static String whyNot(int result, boolean isOfSeveralQueues) {
        return switch (-result) {
            case Errno.EBUSY -> HELD;
            case Errno.EPERM -> "that needs CAP_NET_ADMIN; run as root";
            case Errno.EINVAL ->
                    "the interface is not a TAP"
                            + (isOfSeveralQueues
                                    ? ", or it has one queue, but several are needed"
                                    : "")
                            + "; remove it and create one with 'ip tuntap add dev NAME mode tap"
                            + (isOfSeveralQueues ? " multi_queue'" : "'");
            default -> Errno.describe(result);
        };
    }

    private static void requireFits(LinuxInterface tap, FrameRegion region) throws DeviceException {
        int maxBytes = AfPacketDevice.maxFrameBytes(tap.mtuBytes());
        if (maxBytes > region.maxFrameBytes()) {
            throw new DeviceException(
                    ("TAP %s has an MTU of %s bytes, more than a slot of the switch's memory can"
                                    + " hold (%s); configure larger slots, or a smaller MTU")
                            .formatted(
                                    tap.where(),
                                    tap.mtuBytes(),
                                    region.maxFrameBytes() - AfPacketDevice.maxFrameBytes(0)));
        }
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public boolean takesSegments() {
        return headerBytes > 0;
    }

    /** How many queues it has. */
    public int queues() {
        return queueFds.length;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        int queues = queueFds.length;
        if (queues == 1) {
            return receive(nowNs, 0, free, batch, 0, limit);
        }
        int count = 0;
        look();
        turn = turn + 1 == queues ? 0 : turn + 1;
        for (int i = 0; i < queues && count < limit; i++) {
            int queue = turn + i < queues ? turn + i : turn + i - queues;
            count += receive(nowNs, queue, free, batch, count, limit - count);
        }
        return count;
    }

    /** Finds the queues in which frames wait: one system call, instead of one per queue. */
    public void look() {
        if (queueFds.length < 2) {
            return;
        }
        int readable = Files.readable(receiveErrno, readyFd, events, queueFds.length);
        // Where the look fails, each queue is tried.
        Arrays.fill(isReadable, readable < 0);
        for (int i = 0; i < readable; i++) {
            isReadable[Files.readable(events, i)] = true;
        }
    }

    /**
     * As {@link #receive(long, FreeList, Frame[], int)}, from one of the queues; if there are
     * several, after a {@link #look}.
     *
     * @param from index of the first frame in the batch
     */
    public int receive(long nowNs, int queue, FreeList free, Frame[] batch, int from, int limit) {
        if (link.lookIfDue(nowNs)) {
            noteMtu();
        }
        if (queueFds.length > 1 && !isReadable[queue]) {
            return 0;
        }
        int tapFd = queueFds[queue];
        int count = 0;
        boolean asked = false;
        // Refused frames take a system call, too: limit bounds them as well, so that they
        // cannot hold the worker. The rest keeps the descriptor readable.
        for (int looked = 0; looked < limit && !link.isGone(); looked++) {
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            long offset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            // A byte more than fits (there is tail room) tells a frame that was cut short.
            long result =
                    Files.read(
                            receiveErrno,
                            tapFd,
                            offset - headerBytes,
                            headerBytes + slotFrameBytes + 1);
            if (result < 0) {
                free.put(frame);
                noteFailure(result);
                break;
            }
            long lengthBytes = result - headerBytes;
            frame.dataOffset = offset;
            frame.lengthBytes = (int) lengthBytes;
            frame.storedBytes = (int) lengthBytes;
            DropReason bad = complete(frame);
            if (bad == DropReason.OVERSIZE && lengthBytes <= slotFrameBytes && !asked) {
                // The MTU may have grown since the link was looked at.
                asked = true;
                link.look();
                noteMtu();
                bad = complete(frame);
            }
            if (bad == null) {
                received.notePassed(frame);
                batch[from + count++] = frame;
            } else {
                received.add(bad, 1);
                free.put(frame);
            }
        }
        return count;
    }

    /** Completes a received frame; returns why it must be dropped, or null. */
    private @Nullable DropReason complete(Frame frame) {
        if (frame.lengthBytes < Ethernet.HEADER_BYTES) {
            return DropReason.RUNT;
        }
        if (headerBytes == 0) {
            return frame.lengthBytes > maxFrameBytes ? DropReason.OVERSIZE : null;
        }
        return frame.lengthBytes > slotFrameBytes
                ? DropReason.OVERSIZE
                : VirtioHeader.take(
                        frame,
                        frame.dataOffset - headerBytes,
                        0,
                        Math.min(maxTransmitBytes(), slotFrameBytes));
    }

    private void noteFailure(long result) {
        if (result == -EBADFD || result == -Errno.EBADF) {
            link.end();
        }
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        int taken = 0;
        while (taken < count && !link.isGone()) {
            long result = write(batch[from + taken]);
            if (result == -Errno.EAGAIN || result == -Errno.EIO) {
                // No room now, or the interface is down: the frame stays the caller's.
                break;
            }
            if (result < 0) {
                noteFailure(result);
                if (link.isGone()) {
                    break;
                }
                status.refuse(1, batch[from + taken].lengthBytes);
            }
            taken++;
        }
        return taken;
    }

    private long writeWithHeader(Frame frame) {
        int longest = frame.segmentBytes == 0 ? frame.lengthBytes : TcpSegments.longestBytes(frame);
        long header =
                longest < Ethernet.HEADER_BYTES || longest > maxTransmitBytes()
                        ? 0
                        : VirtioHeader.prepare(frame);
        if (header == 0) {
            return -Errno.EMSGSIZE;
        }
        long result =
                Files.write(transmitErrno, queueFds[0], header, headerBytes + frame.storedBytes);
        if (result > 0) {
            transmitted.notePassed(frame);
        }
        return result;
    }

    private long write(Frame frame) {
        if (headerBytes > 0) {
            return writeWithHeader(frame);
        }
        int lengthBytes = Math.max(frame.lengthBytes, Ethernet.MIN_FRAME_BYTES);
        if (frame.lengthBytes < Ethernet.HEADER_BYTES || frame.lengthBytes > maxTransmitBytes()) {
            return -Errno.EMSGSIZE;
        }
        int storedBytes = Math.min(frame.storedBytes, frame.lengthBytes);
        if (storedBytes == lengthBytes) {
            return Files.write(transmitErrno, queueFds[0], frame.dataOffset, lengthBytes);
        }
        MemorySegment.copy(FrameRegion.MEMORY, frame.dataOffset, padded, 0, storedBytes);
        for (int index = storedBytes; index < lengthBytes; index++) {
            padded.set(ValueLayout.JAVA_BYTE, index, (byte) 0);
        }
        return Files.write(transmitErrno, queueFds[0], padded.address(), lengthBytes);
    }

    private void noteMtu() {
        maxFrameBytes = Math.min(maxTransmitBytes(), slotFrameBytes);
    }

    private int maxTransmitBytes() {
        return AfPacketDevice.maxFrameBytes(link.mtuBytes());
    }

    @Override
    public TransmitStatus transmitStatus() {
        return status;
    }

    @Override
    public boolean isUp() {
        return link.isUp();
    }

    @Override
    public boolean isGone() {
        return link.isGone();
    }

    @Override
    public String trouble() {
        if (isGone()) {
            return "";
        }
        try {
            return changes.in(LinuxInterface.read(netns, interfaceName));
        } catch (DeviceException e) {
            return isGone() ? "" : Reason.of(e);
        }
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        if (!link.isGone()) {
            interfaceDrops.read();
        }
        totals.add(received);
        // What the host could not transmit is what we could not receive.
        totals.add(DropReason.TAP_RING_FULL, interfaceDrops.count());
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        totals.add(transmitted);
    }

    @Override
    public int receiveFd() {
        return readyFd;
    }

    /** As {@link #receiveFd()}, for one of the queues. */
    public int receiveFd(int queue) {
        return queueFds[queue];
    }

    /** Nothing to arm: the descriptor stays readable while a frame waits. */
    @Override
    public boolean armReceive() {
        return false;
    }

    @Override
    public long deadlineNs() {
        return link.deadlineNs();
    }

    @Override
    public void close() {
        link.end();
        if (socketFd >= 0) {
            interfaceDrops.close();
            if (queueFds.length > 1) {
                Files.close(receiveErrno, readyFd);
            }
            closeAll(receiveErrno, queueFds);
            Arrays.fill(queueFds, -1);
            readyFd = -1;
            Files.close(receiveErrno, socketFd);
            socketFd = -1;
        }
    }
}
