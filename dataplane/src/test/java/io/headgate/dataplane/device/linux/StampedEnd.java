package io.headgate.dataplane.device.linux;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afpacket.AfPacketRing;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.frame.Ethernet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that passes an interface, both ways, with the time at which the kernel saw it: a
 * mapped packet socket of which the first bytes of each frame are kept. The stamps are the
 * kernel's, made within the sender's system call, so nothing that happens to this process moves
 * them.
 */
public final class StampedEnd implements AutoCloseable {
    /**
     * A frame.
     *
     * @param stampNs when the kernel saw it, in ns since 1970
     * @param outgoing whether the interface's own side sent it
     * @param bytes its first bytes
     */
    public record Seen(long stampNs, boolean outgoing, ByteBuffer bytes) {
        int etherType() {
            return bytes.getShort(Ethernet.ETHER_TYPE_OFFSET) & 0xFFFF;
        }
    }

    private static final int KEPT_BYTES = 64;

    private static final int ETH_P_ALL_NETWORK_ORDER = 0x0300;
    private static final int SO_TIMESTAMPNS = 35;
    private static final int STATUS_USER = 1;
    private static final int PACKET_TYPE_OFFSET = AfPacketRing.HEADER_BYTES + 10;
    private static final int PACKET_OUTGOING = 4;
    private static final int RING_FRAMES = 1 << 16;

    private final Errno errno = new Errno();
    private final AfPacketRing ring;
    private final List<Seen> seen = new ArrayList<>();
    private int head;

    public StampedEnd(String netns, String interfaceName) throws DeviceException {
        LinuxInterface link = LinuxInterface.read(netns, interfaceName);
        ring =
                NetworkNamespace.call(
                        netns, () -> new AfPacketRing(AfPacketRing.PACKET_RX_RING, link.where()));
        ring.map(RING_FRAMES, AfPacketRing.RECEIVE_HEADER_MAX_BYTES + KEPT_BYTES);
        // Has the kernel stamp a frame where it enters the stack, and not where it finds this ring.
        int set = Sockets.setsockopt(errno, ring.fd(), Sockets.SOL_SOCKET, SO_TIMESTAMPNS, 1);
        if (set < 0) {
            throw new AssertionError("SO_TIMESTAMPNS: " + Errno.describe(set));
        }
        ring.promiscuous(link.index());
        ring.bind(link.index(), ETH_P_ALL_NETWORK_ORDER);
    }

    /** Takes in what has come since; answers how many frames. */
    public int read() {
        int count = 0;
        MemorySegment memory = ring.memory();
        long at = (long) head << ring.frameShift();
        while (((int) AfPacketRing.STATUS.getAcquire(memory, at) & STATUS_USER) != 0) {
            seen.add(frame(memory, at));
            AfPacketRing.STATUS.setRelease(memory, at, 0);
            head = (head + 1) & (RING_FRAMES - 1);
            at = (long) head << ring.frameShift();
            count++;
        }
        return count;
    }

    private static Seen frame(MemorySegment memory, long at) {
        long seconds =
                Integer.toUnsignedLong(
                        memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.SECONDS_OFFSET));
        int nanoseconds = memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.NANOSECONDS_OFFSET);
        int stored = memory.get(ValueLayout.JAVA_INT, at + AfPacketRing.SNAPLEN_OFFSET);
        int mac = memory.get(ValueLayout.JAVA_SHORT, at + AfPacketRing.MAC_OFFSET) & 0xFFFF;
        byte[] bytes =
                memory.asSlice(at + mac, Math.min(stored, KEPT_BYTES))
                        .toArray(ValueLayout.JAVA_BYTE);
        boolean outgoing =
                memory.get(ValueLayout.JAVA_BYTE, at + PACKET_TYPE_OFFSET) == PACKET_OUTGOING;
        return new Seen(seconds * 1_000_000_000 + nanoseconds, outgoing, ByteBuffer.wrap(bytes));
    }

    /** All frames that were taken in, in the order of the ring. */
    public List<Seen> seen() {
        return seen;
    }

    @Override
    public void close() {
        ring.close();
    }
}
