package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.config.Reason;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.LiveCapture;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.net.InterfaceLosses;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.device.linux.net.OffloadCheck;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.pcap4j.core.NotOpenException;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapHandle.BlockingMode;
import org.pcap4j.core.PcapHandle.PcapDirection;
import org.pcap4j.core.PcapNativeException;
import org.pcap4j.core.PcapNetworkInterface.PromiscuousMode;

/**
 * Any interface that libpcap can capture from and send to: promiscuous, immediate, non-blocking,
 * without its own transmissions. pcap4j opens it; {@link LiveCapture} does the work per frame. For
 * interfaces that no other kind of device supports, and as an independent observer in tests.
 *
 * <p>libpcap puts a VLAN tag that the kernel removed back into the bytes, and does not report a
 * checksum that the sender left to hardware: opening refuses a veth whose other end leaves
 * checksums, and {@link ChecksumWatch} finds the other cases.
 */
public final class PcapLiveDevice implements PortDevice {
    private static final int ETHERNET_AND_TAGS_BYTES = 14 + 8;
    private static final int BUFFER_BYTES = 8 << 20;
    private static final int TAG_BYTES = 4;

    /** No frame takes less of the buffer. */
    private static final int MOST_WAITING = BUFFER_BYTES / 64;

    /** What the other end of a veth may not leave undone: libpcap shows the bytes alone. */
    private static final Set<Offload> UNSEEN = Set.of(Offload.TX_CHECKSUM, Offload.TSO);

    private final PcapHandle handle;
    private final LiveCapture capture;
    private final Errno errno = new Errno();
    private final InterfaceLosses losses;
    private final int controlFd;
    private final LinkState link;
    private final ChecksumWatch checksums = new ChecksumWatch();
    private final String netns;
    private final String interfaceName;
    private final int slotFrameBytes;
    private final DeviceInfo info;
    private final int fd;

    /** Whether the frame that libpcap showed last is still to be taken. */
    private boolean isWaiting;

    /** Whether the last look stopped at its bound, and there may be more. */
    private boolean stoppedShort;

    private volatile boolean closed;

    private long oversize;
    private long truncated;
    private final TransmitStatus status = new TransmitStatus();
    private long kernelDropped;

    private PcapLiveDevice(PcapHandle handle, FrameRegion region, LinuxInterface opened)
            throws DeviceException {
        this.handle = handle;
        this.capture = new LiveCapture(handle);
        this.fd = capture.fd();
        this.netns = opened.netns();
        this.interfaceName = opened.name();
        this.slotFrameBytes = region.maxFrameBytes();
        this.info =
                new DeviceInfo(
                        "pcap",
                        opened.shown(),
                        opened.mac(),
                        Math.min(slotFrameBytes, opened.mtuBytes() + ETHERNET_AND_TAGS_BYTES),
                        "libpcap, promiscuous, immediate",
                        true);
        losses = new InterfaceLosses(opened, MOST_WAITING);
        controlFd = Sockets.socket(errno, Sockets.AF_INET, Sockets.SOCK_DGRAM, 0);
        if (controlFd < 0) {
            losses.close();
            throw new DeviceException(
                    "cannot watch " + opened.where() + ": " + Errno.describe(controlFd));
        }
        link = new LinkState(errno, controlFd, opened);
    }

    /**
     * Opens a capture device.
     *
     * @param region the memory of the frames that it handles
     * @throws DeviceException if no interface has that name, it is not Ethernet, it has an offload
     *     that would forward wrong frames, or permission is missing
     */
    public static PcapLiveDevice open(DeviceConfig.PcapLive config, FrameRegion region)
            throws DeviceException {
        return NetworkNamespace.call(config.netns(), () -> openHere(config, region));
    }

    private static PcapLiveDevice openHere(DeviceConfig.PcapLive config, FrameRegion region)
            throws DeviceException {
        LinuxInterface link = LinuxInterface.read(config.netns(), config.interfaceName());
        if (!link.ethernet()) {
            throw new DeviceException(link.where() + " carries no Ethernet frames");
        }
        OffloadCheck.requireWholeFrames(link, UNSEEN);
        PcapHandle handle = null;
        try {
            handle =
                    new PcapHandle.Builder(config.interfaceName())
                            .snaplen(region.maxFrameBytes() + TAG_BYTES)
                            .promiscuousMode(PromiscuousMode.PROMISCUOUS)
                            .immediateMode(true)
                            .timeoutMillis(1)
                            .bufferSize(BUFFER_BYTES)
                            .build();
            handle.setBlockingMode(BlockingMode.NONBLOCKING);
            handle.setDirection(PcapDirection.IN);
            PcapLiveDevice device = new PcapLiveDevice(handle, region, link);
            handle = null;
            return device;
        } catch (PcapNativeException | NotOpenException refused) {
            throw new DeviceException(
                    ("%s cannot be opened for capture (%s); it must be up, and capturing needs"
                                    + " root or CAP_NET_RAW")
                            .formatted(link.where(), Reason.of(refused)),
                    refused);
        } catch (LinkageError missing) {
            throw new DeviceException(
                    ("libpcap cannot be loaded; install it (Debian: apt-get install libpcap0.8),"
                                    + " or use another kind of device (%s)")
                            .formatted(missing.getMessage()),
                    missing);
        } finally {
            if (handle != null) {
                handle.close();
            }
        }
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        link.lookIfDue(nowNs);
        if (closed) {
            return 0;
        }
        int received = 0;
        stoppedShort = true;
        // Refused frames take time, too: limit bounds them as well, so that they cannot
        // hold the worker.
        for (int looked = 0; looked < limit; looked++) {
            if (!isWaiting && !next()) {
                stoppedShort = false;
                break;
            }
            isWaiting = false;
            int lengthBytes = capture.lengthBytes();
            if (lengthBytes > slotFrameBytes) {
                oversize++;
                continue;
            }
            if (capture.capturedBytes() < lengthBytes) {
                truncated++;
                continue;
            }
            Frame frame = free.take();
            if (frame == null) {
                isWaiting = true;
                stoppedShort = false;
                break;
            }
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = lengthBytes;
            frame.storedBytes = lengthBytes;
            MemorySegment.copy(
                    FrameRegion.MEMORY,
                    capture.address(),
                    FrameRegion.MEMORY,
                    frame.dataOffset,
                    lengthBytes);
            batch[received++] = frame;
        }
        checksums.look(nowNs, batch, received);
        return received;
    }

    private boolean next() {
        boolean isThere = capture.next();
        losses.taken(isThere ? 1 : 0, !isThere);
        if (isThere && capture.capturedBytes() >= Ethernet.HEADER_BYTES + TAG_BYTES) {
            long tag = capture.address() + Ethernet.ETHER_TYPE_OFFSET;
            int tpid = Vlan.tpid(FrameRegion.MEMORY, tag);
            if (tpid == EtherType.VLAN || tpid == EtherType.SERVICE_VLAN) {
                losses.tagged(
                        Vlan.tci(FrameRegion.MEMORY, tag), Vlan.etherType(FrameRegion.MEMORY, tag));
            }
        }
        return isThere;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        if (!link.isUp()) {
            return 0;
        }
        for (int i = from; i < from + count; i++) {
            Frame frame = batch[i];
            boolean whole = frame.storedBytes == frame.lengthBytes;
            if (!whole || !capture.send(frame.dataOffset, frame.lengthBytes)) {
                status.refuse(1, frame.lengthBytes);
            }
        }
        return count;
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
    public void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.OVERSIZE, oversize);
        totals.add(DropReason.TRUNCATED, truncated);
        if (!closed) {
            kernelDropped = capture.dropped();
        }
        totals.add(DropReason.KERNEL_RX_RING_FULL, kernelDropped);
        // Not libpcap's count of these: it looks below /sys, which shows our namespace alone.
        if (!link.isGone()) {
            losses.read();
        }
        losses.addTo(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {}

    @Override
    public int receiveFd() {
        return closed ? POLLED : fd;
    }

    @Override
    public boolean armReceive() {
        return isWaiting || stoppedShort;
    }

    /** When the link state is read next. */
    @Override
    public long deadlineNs() {
        return link.deadlineNs();
    }

    @Override
    public String trouble() {
        if (link.isGone()) {
            return "";
        }
        try {
            OffloadCheck.requireWholeFrames(LinuxInterface.read(netns, interfaceName), UNSEEN);
        } catch (DeviceException e) {
            return link.isGone() ? "" : Reason.of(e);
        }
        return checksums.seesUnfinished()
                ? info.name()
                        + " receives frames whose sender left the checksum to hardware, and libpcap"
                        + " does not say which; the receivers drop these frames. "
                        + ChecksumWatch.REMEDY
                : "";
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        link.end();
        handle.close();
        Files.close(errno, controlFd);
        losses.close();
    }
}
