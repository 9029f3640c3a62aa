package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.linux.net.InterfaceWatch;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;

import org.jspecify.annotations.Nullable;
import org.pcap4j.core.NotOpenException;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapHandle.BlockingMode;
import org.pcap4j.core.PcapHandle.PcapDirection;
import org.pcap4j.core.PcapNativeException;
import org.pcap4j.core.PcapNetworkInterface.PromiscuousMode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Any device that libpcap captures from and sends to, through pcap4j: promiscuous, immediate,
 * non-blocking, own transmissions left out. For interfaces that no other kind of device serves, and
 * as a witness in tests; each frame passes a byte array of its own, and no descriptor is there to
 * sleep on.
 *
 * <p>libpcap puts a VLAN tag that the kernel took off back into the bytes.
 */
public final class PcapLiveDevice implements PortDevice {
    private static final int ETHERNET_AND_TAGS_BYTES = 14 + 8;
    private static final int BUFFER_BYTES = 8 << 20;
    private static final int TAG_BYTES = 4;
    private static final int ADDRESSES_BYTES = 12;

    /** No frame takes less of the buffer. */
    private static final int MOST_WAITING = BUFFER_BYTES / 64;

    private static final long LINK_INTERVAL_NS = 10_000_000;

    private final PcapHandle handle;
    private final InterfaceWatch watch;
    private final MemorySegment segment;
    private final int slotFrameBytes;
    private final DeviceInfo info;
    private final byte[] sending;
    private byte @Nullable [] waiting;

    /** Whether the last one read cannot be taken, and was counted. */
    private boolean refused;

    /** Whether the last look stopped at its bound, and there may be more. */
    private boolean stoppedShort;

    private long linkDueNs;
    private volatile boolean up;
    private volatile boolean gone;
    private boolean closed;

    private long oversize;
    private long truncated;
    private final TransmitStatus status = new TransmitStatus();
    private long kernelDropped;

    private PcapLiveDevice(
            PcapHandle handle, FrameRegion region, LinuxInterface link, InterfaceWatch watch) {
        this.handle = handle;
        this.watch = watch;
        this.segment = region.segment();
        this.slotFrameBytes = region.maxFrameBytes();
        this.sending = new byte[region.maxFrameBytes()];
        this.info =
                new DeviceInfo(
                        "pcap",
                        link.netns().isEmpty() ? link.name() : link.netns() + "/" + link.name(),
                        link.mac(),
                        Math.min(slotFrameBytes, link.mtuBytes() + ETHERNET_AND_TAGS_BYTES),
                        "libpcap, promiscuous, immediate",
                        true);
        this.up = watch.isUp();
    }

    /**
     * Opens a capture device.
     *
     * @param region where the frames that it handles lie
     * @throws DeviceException if there is none of that name, it is no Ethernet, or we may not
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
            PcapLiveDevice device =
                    new PcapLiveDevice(
                            handle, region, link, InterfaceWatch.open(link, MOST_WAITING));
            handle = null;
            return device;
        } catch (PcapNativeException | NotOpenException refused) {
            throw new DeviceException(
                    ("%s cannot be opened for capture (%s); it must be up, and capturing needs"
                                    + " root or CAP_NET_RAW")
                            .formatted(link.where(), refused.getMessage()),
                    refused);
        } catch (LinkageError missing) {
            throw Libpcap.missing(missing);
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
        if (linkDueNs - nowNs <= 0) {
            linkDueNs = nowNs + LINK_INTERVAL_NS;
            watch.look();
            up = watch.isUp() && !closed;
            gone = watch.isGone();
        }
        int received = 0;
        stoppedShort = true;
        // Also frames that are refused take their time: so many must not hold the worker.
        for (int looked = 0; looked < limit; looked++) {
            byte[] bytes = waiting == null ? next() : waiting;
            waiting = null;
            if (bytes == null && refused) {
                continue;
            }
            if (bytes == null) {
                stoppedShort = false;
                break;
            }
            Frame frame = free.take();
            if (frame == null) {
                waiting = bytes;
                stoppedShort = false;
                break;
            }
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = bytes.length;
            frame.storedBytes = bytes.length;
            MemorySegment.copy(
                    bytes, 0, segment, ValueLayout.JAVA_BYTE, frame.dataOffset, bytes.length);
            batch[received++] = frame;
        }
        return received;
    }

    /** The next frame; null if there is none now, or it is {@link #refused}. */
    private byte @Nullable [] next() {
        refused = false;
        try {
            byte[] bytes = closed ? null : handle.getNextRawPacket();
            watch.losses().taken(bytes == null ? 0 : 1, bytes == null);
            if (bytes == null) {
                return null;
            }
            lookForTag(bytes);
            if (handle.getOriginalLength() > slotFrameBytes) {
                oversize++;
                refused = true;
            } else if (bytes.length < handle.getOriginalLength()) {
                truncated++;
                refused = true;
            }
            return refused ? null : bytes;
        } catch (NotOpenException closedMeanwhile) {
            up = false;
        }
        return null;
    }

    private void lookForTag(byte[] bytes) {
        if (bytes.length >= ADDRESSES_BYTES + TAG_BYTES + 2) {
            int tag = u16(bytes, ADDRESSES_BYTES);
            if (tag == EtherType.VLAN || tag == EtherType.SERVICE_VLAN) {
                watch.losses()
                        .tagged(
                                u16(bytes, ADDRESSES_BYTES + 2),
                                u16(bytes, ADDRESSES_BYTES + TAG_BYTES));
            }
        }
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << Byte.SIZE | (bytes[at + 1] & 0xFF);
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        if (closed || !up) {
            return 0;
        }
        for (int i = from; i < from + count; i++) {
            Frame frame = batch[i];
            if (!send(frame)) {
                status.refuse(1, frame.lengthBytes);
            }
        }
        return count;
    }

    private boolean send(Frame frame) {
        int stored = Math.min(frame.storedBytes, frame.lengthBytes);
        if (frame.lengthBytes > sending.length) {
            return false;
        }
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, frame.dataOffset, sending, 0, stored);
        Arrays.fill(sending, stored, frame.lengthBytes, (byte) 0);
        try {
            handle.sendPacket(sending, frame.lengthBytes);
            return true;
        } catch (PcapNativeException | NotOpenException notSent) {
            return false;
        }
    }

    @Override
    public TransmitStatus transmitStatus() {
        return status;
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.OVERSIZE, oversize);
        totals.add(DropReason.TRUNCATED, truncated);
        try {
            kernelDropped = handle.getStats().getNumPacketsDropped();
        } catch (PcapNativeException | NotOpenException unknown) {
            // They stay as last read.
        }
        totals.add(DropReason.KERNEL_RX_RING_FULL, kernelDropped);
        // Not libpcap's count of these: it looks below /sys, which shows our namespace alone.
        watch.readLosses();
        watch.losses().addTo(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {}

    @Override
    public boolean armReceive() {
        return waiting != null || stoppedShort;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        up = false;
        handle.close();
        watch.close();
    }
}
