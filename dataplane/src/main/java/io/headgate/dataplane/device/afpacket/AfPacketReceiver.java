package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.TimeOfDay;
import io.headgate.dataplane.device.linux.VirtioHeader;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The receive side of an {@link AfPacketDevice}, owned by the ingress half's thread. Bounded by its
 * ring: while it is full, the kernel drops arriving frames and counts them.
 */
final class AfPacketReceiver extends PacketReceiver {
    private static final int STATUS_KERNEL = 0;
    private static final int STATUS_USER = 1;
    private static final int STATUS_CHECKSUM_NOT_READY = 1 << 3;
    private static final int STATUS_VLAN_VALID = 1 << 4;
    private static final int STATUS_VLAN_TPID_VALID = 1 << 6;

    /** The two MAC addresses, behind which a tag belongs. */
    private static final int ADDRESSES_BYTES = Ethernet.ETHER_TYPE_OFFSET;

    private static final long NS_PER_S = 1_000_000_000;

    /**
     * The socket is asked for an error before one sleep in this many, because the question is a
     * system call. While there is an error, every sleep ends at once, so the next question comes
     * soon.
     */
    private static final int SLEEPS_PER_QUESTION = 16;

    private final int mask;
    private final int frameShift;
    private MemorySegment memory = MemorySegment.NULL;
    private final TimeOfDay timeOfDay = new TimeOfDay();
    private int head;

    /** Since the socket was last asked for an error. */
    private int sleeps;

    // Ages of received frames, null while nothing asks for them, which is the usual case.
    private long @Nullable [] agesNs;

    /** Opens the receive side of an interface of the calling thread's namespace. */
    AfPacketReceiver(LinuxInterface link, FrameRegion region, int frames) throws DeviceException {
        super(openRing(link, frames), link, region, frames);
        memory = socket.memory();
        frameShift = socket.frameShift();
        mask = frames - 1;
    }

    /**
     * Bound before losses are counted: before, the kernel counts each frame of a protocol that it
     * does not know as dropped, and the ring alone took some ten milliseconds.
     */
    private static AfPacketRing openRing(LinuxInterface link, int frames) throws DeviceException {
        return AfPacketRing.open(
                AfPacketRing.PACKET_RX_RING,
                link.where(),
                ring -> {
                    int maxFrameBytes = AfPacketDevice.maxFrameBytes(link.mtuBytes());
                    ring.map(frames, AfPacketRing.RECEIVE_HEADER_MAX_BYTES + maxFrameBytes);
                    ring.option(AfPacketRing.PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
                    ring.promiscuous(link.index());
                    ring.bind(link.index(), ETH_P_ALL_NETWORK_ORDER);
                });
    }

    @Override
    int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        begin(nowNs);
        int received = 0;
        int most = memory.byteSize() == 0 ? 0 : limit;
        int looked = 0;
        boolean isEmpty = false;
        // Also frames that are refused take their time: a burst of runts must not hold the worker.
        for (; looked < 2 * limit && received < most; looked++) {
            long at = (long) head << frameShift;
            // Pairs with the kernel's release of the frame, so that its bytes are seen.
            int status = (int) AfPacketRing.STATUS.getAcquire(memory, at);
            if ((status & STATUS_USER) == 0) {
                isEmpty = true;
                break;
            }
            if (isAcceptable(at, status)) {
                Frame frame = free.take();
                if (frame == null) {
                    break;
                }
                copy(at, status, frame);
                if (agesNs != null) {
                    agesNs[received] = stampNs(at);
                }
                batch[received++] = frame;
            }
            if ((status & STATUS_VLAN_VALID) != 0) {
                tagged(at);
            }
            // Pairs with the kernel's acquire: it refills the frame only once it has been read.
            AfPacketRing.STATUS.setRelease(memory, at, STATUS_KERNEL);
            head = (head + 1) & mask;
        }
        interfaceLosses.taken(looked, isEmpty);
        if (agesNs != null && received > 0) {
            stampsToAges(agesNs, received);
        }
        return received;
    }

    private void tagged(long at) {
        int tci = memory.get(ValueLayout.JAVA_SHORT, at + AfPacketRing.VLAN_TCI_OFFSET);
        long type = at + macOffset(at) + ADDRESSES_BYTES;
        interfaceLosses.tagged(tci, Wire.u16(memory, type));
    }

    void showAges(long @Nullable [] wanted) {
        agesNs = wanted;
    }

    /** When the kernel got a frame of the ring, in ns since 1970. */
    private long stampNs(long at) {
        int seconds = memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.SECONDS_OFFSET);
        int nanoseconds = memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.NANOSECONDS_OFFSET);
        return Integer.toUnsignedLong(seconds) * NS_PER_S + nanoseconds;
    }

    private void stampsToAges(long[] stamps, int count) {
        long nowNs = timeOfDay.nowNs();
        for (int i = 0; i < count; i++) {
            stamps[i] = nowNs - stamps[i];
        }
    }

    /** Whether a frame of the ring is one to deliver; if not, it has been counted. */
    private boolean isAcceptable(long at, int status) {
        int lengthBytes = memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.LENGTH_OFFSET);
        if (lengthBytes > maxFrameBytes && !fitsByNow(lengthBytes)) {
            drop(DropReason.OVERSIZE);
            return false;
        }
        if (lengthBytes != memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.SNAPLEN_OFFSET)) {
            drop(DropReason.TRUNCATED);
            return false;
        }
        if (lengthBytes < Ethernet.HEADER_BYTES) {
            drop(DropReason.RUNT);
            return false;
        }
        if ((status & STATUS_CHECKSUM_NOT_READY) != 0 && !isFinishable(at, lengthBytes)) {
            drop(DropReason.KERNEL_RX_INVALID);
            return false;
        }
        return true;
    }

    private void copy(long at, int status, Frame frame) {
        int lengthBytes = memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.LENGTH_OFFSET);
        long from = at + macOffset(at);
        long to = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.dataOffset = to;
        if ((status & STATUS_VLAN_VALID) == 0) {
            MemorySegment.copy(memory, from, FrameRegion.MEMORY, to, lengthBytes);
        } else {
            int tpid =
                    (status & STATUS_VLAN_TPID_VALID) == 0
                            ? EtherType.VLAN
                            : memory.get(
                                    ValueLayout.JAVA_SHORT, at + AfPacketRing.VLAN_TPID_OFFSET);
            int tci = memory.get(ValueLayout.JAVA_SHORT, at + AfPacketRing.VLAN_TCI_OFFSET);
            MemorySegment.copy(memory, from, FrameRegion.MEMORY, to, ADDRESSES_BYTES);
            Wire.put16(FrameRegion.MEMORY, to + ADDRESSES_BYTES, tpid);
            Wire.put16(FrameRegion.MEMORY, to + ADDRESSES_BYTES + 2, tci);
            MemorySegment.copy(
                    memory,
                    from + ADDRESSES_BYTES,
                    FrameRegion.MEMORY,
                    to + ADDRESSES_BYTES + Vlan.TAG_BYTES,
                    lengthBytes - ADDRESSES_BYTES);
            lengthBytes += Vlan.TAG_BYTES;
        }
        frame.lengthBytes = lengthBytes;
        frame.storedBytes = lengthBytes;
        if ((status & STATUS_CHECKSUM_NOT_READY) != 0) {
            finishChecksum(at, status, to, lengthBytes);
        }
    }

    private int macOffset(long at) {
        return memory.get(ValueLayout.JAVA_SHORT, at + AfPacketRing.MAC_OFFSET) & 0xFFFF;
    }

    private int checksumStart(long at) {
        return virtio(at, VirtioHeader.CHECKSUM_START_OFFSET);
    }

    private int checksumPlace(long at) {
        return virtio(at, VirtioHeader.CHECKSUM_PLACE_OFFSET);
    }

    private int virtio(long at, int offset) {
        long header = at + macOffset(at) - VirtioHeader.BYTES;
        return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, header + offset) & 0xFFFF;
    }

    private boolean isFinishable(long at, int lengthBytes) {
        return VirtioHeader.isFinishable(checksumStart(at), checksumPlace(at), lengthBytes);
    }

    private void finishChecksum(long at, int status, long to, int lengthBytes) {
        int start = checksumStart(at);
        if ((status & STATUS_VLAN_VALID) != 0) {
            start += Vlan.TAG_BYTES;
        }
        VirtioHeader.finishChecksum(to, start, checksumPlace(at), lengthBytes);
    }

    private boolean fitsByNow(int lengthBytes) {
        return lengthBytes <= slotFrameBytes - Vlan.TAG_BYTES
                && asksAgain()
                && lengthBytes <= maxFrameBytes;
    }

    /** Returns whether a frame has arrived, or the socket reports an error of its link. */
    boolean arm() {
        int status = (int) AfPacketRing.STATUS.getAcquire(memory, (long) head << frameShift);
        if ((status & STATUS_USER) != 0) {
            return true;
        }
        sleeps = (sleeps + 1) % SLEEPS_PER_QUESTION;
        if (sleeps != 0 || !hasError()) {
            return false;
        }
        // Asking took the error back; left standing it would end every sleep at once.
        lookNow();
        return true;
    }

    @Override
    void readKernelDrops() {
        if (memory.byteSize() == 0) {
            return;
        }
        super.readKernelDrops();
        if (!link.isGone()) {
            // With nothing in the ring it is known at once.
            int status = (int) AfPacketRing.STATUS.getAcquire(memory, (long) head << frameShift);
            interfaceLosses.taken(0, (status & STATUS_USER) == 0);
        }
    }

    @Override
    public void close() {
        readKernelDrops();
        memory = MemorySegment.NULL;
        super.close();
    }
}
