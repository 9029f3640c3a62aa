package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.device.linux.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A packet socket with one mapped ring (packet_mmap, TPACKET_V2). Receive and transmit have one
 * socket each, so that two threads share nothing, neither here nor in the kernel's socket. All
 * frames of the ring have the same size, a power of two, so that finding one needs no division:
 *
 * <pre>
 *   0      4      8          12       14       16   20     24        26         28
 *   status length snaplen    mac      net      sec  nsec   vlan tci  vlan tpid  padding
 * </pre>
 */
public final class AfPacketRing implements AutoCloseable {
    static final int LENGTH_OFFSET = 4;
    public static final int SNAPLEN_OFFSET = 8;
    public static final int MAC_OFFSET = 12;
    public static final int SECONDS_OFFSET = 16;
    public static final int NANOSECONDS_OFFSET = 20;
    static final int VLAN_TCI_OFFSET = 24;
    static final int VLAN_TPID_OFFSET = 26;

    /** Size of {@code struct tpacket2_hdr}, and offset of the data of a frame to transmit. */
    public static final int HEADER_BYTES = 32;

    /**
     * Maximum number of bytes before a received frame: header, address, virtio header, alignment.
     */
    public static final int RECEIVE_HEADER_MAX_BYTES = 112;

    static final int PACKET_ADD_MEMBERSHIP = 1;
    public static final int PACKET_RX_RING = 5;
    static final int PACKET_STATISTICS = 6;
    static final int PACKET_AUXDATA = 8;
    static final int PACKET_VERSION = 10;
    static final int PACKET_TX_RING = 13;
    static final int PACKET_LOSS = 14;
    static final int PACKET_VNET_HDR = 15;
    static final int PACKET_QDISC_BYPASS = 20;
    static final int PACKET_IGNORE_OUTGOING = 23;

    /** Pairs with the kernel's own acquire and release of a frame's status. */
    public static final VarHandle STATUS = ValueLayout.JAVA_INT.varHandle();

    private static final int TPACKET_V2 = 1;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final int PACKET_MR_PROMISC = 1;

    final Errno errno = new Errno();
    private final int ringOption;
    private final String where;
    private final int fd;
    private int frameShift;
    private MemorySegment memory = MemorySegment.NULL;
    private boolean closed;

    /** Opens a socket that receives nothing yet, in the calling thread's namespace. */
    public AfPacketRing(int ringOption, String where) throws DeviceException {
        this.ringOption = ringOption;
        this.where = where;
        fd = Sockets.socket(errno, Sockets.AF_PACKET, Sockets.SOCK_RAW, 0);
        if (fd == -Errno.EPERM || fd == -Errno.EACCES) {
            throw new DeviceException(
                    ("no permission to open %s through AF_PACKET: it needs CAP_NET_RAW and"
                                    + " CAP_NET_ADMIN; run as root")
                            .formatted(where));
        }
        if (fd < 0) {
            throw new DeviceException(
                    "cannot open " + where + " through AF_PACKET: " + Errno.describe(fd));
        }
    }

    /** Sets up a socket before it is used. */
    @FunctionalInterface
    interface Setup {
        void apply(AfPacketRing ring) throws DeviceException;
    }

    /** Opens a socket and sets it up, or closes it. */
    static AfPacketRing open(int ringOption, String where, Setup setup) throws DeviceException {
        AfPacketRing ring = new AfPacketRing(ringOption, where);
        try {
            setup.apply(ring);
            return ring;
        } catch (DeviceException refused) {
            ring.close();
            throw refused;
        }
    }

    public int fd() {
        return fd;
    }

    public MemorySegment memory() {
        return memory;
    }

    public int frameShift() {
        return frameShift;
    }

    void option(int option, int value, String what) throws DeviceException {
        require(Sockets.setsockopt(errno, fd, Sockets.SOL_PACKET, option, value), what);
    }

    /** Asks for a socket buffer of this size; the kernel may give less. */
    void share(int socketOption, int bytes) {
        Sockets.setsockopt(errno, fd, Sockets.SOL_SOCKET, socketOption, bytes);
    }

    /**
     * Makes and maps the ring.
     *
     * @param frames a power of two
     * @param frameBytes minimum room for header and frame
     */
    public void map(int frames, int frameBytes) throws DeviceException {
        frameShift = Integer.SIZE - Integer.numberOfLeadingZeros(frameBytes - 1);
        long lengthBytes = (long) frames << frameShift;
        option(PACKET_VERSION, TPACKET_V2, "TPACKET_V2");
        option(PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
        long blockBytes = Math.min(lengthBytes, BLOCK_BYTES);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(16, 8);
            request.set(ValueLayout.JAVA_INT, 0, (int) blockBytes);
            request.set(ValueLayout.JAVA_INT, 4, (int) (lengthBytes / blockBytes));
            request.set(ValueLayout.JAVA_INT, 8, 1 << frameShift);
            request.set(ValueLayout.JAVA_INT, 12, frames);
            require(
                    Sockets.setsockopt(errno, fd, Sockets.SOL_PACKET, ringOption, request),
                    "a ring of " + frames + " frames of " + (1 << frameShift) + " bytes");
        }
        long address = Files.mmap(errno, fd, 0, lengthBytes, Files.MAP_SHARED | Files.MAP_POPULATE);
        require(address, "the mapping of its ring");
        memory = MemorySegment.ofAddress(address).reinterpret(lengthBytes);
    }

    /**
     * Binds to an interface.
     *
     * @param protocol in network order; 0: the socket receives nothing
     */
    public void bind(int interfaceIndex, int protocol) throws DeviceException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(Structs.SOCKADDR_LL_BYTES, 8);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) Sockets.AF_PACKET);
            address.set(ValueLayout.JAVA_SHORT, 2, (short) protocol);
            address.set(ValueLayout.JAVA_INT, 4, interfaceIndex);
            int bound = Sockets.bind(errno, fd, address, Structs.SOCKADDR_LL_BYTES);
            // An interface that is down binds all the same, and works once it is up.
            require(bound == -Errno.ENETDOWN ? 0 : bound, "bind");
        }
    }

    /** Receives frames for any address, as long as the socket is open. */
    public void promiscuous(int interfaceIndex) throws DeviceException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(16, 8);
            request.set(ValueLayout.JAVA_INT, 0, interfaceIndex);
            request.set(ValueLayout.JAVA_SHORT, 4, (short) PACKET_MR_PROMISC);
            require(
                    Sockets.setsockopt(
                            errno, fd, Sockets.SOL_PACKET, PACKET_ADD_MEMBERSHIP, request),
                    "promiscuous mode");
        }
    }

    private void require(long result, String what) throws DeviceException {
        if (result < 0) {
            throw new DeviceException(
                    "AF_PACKET on %s: the kernel refuses %s (%s)"
                            .formatted(where, what, Errno.describe(result)));
        }
    }

    @Override
    public void close() {
        if (memory.byteSize() > 0) {
            boolean _ = Files.munmap(memory.address(), memory.byteSize());
            memory = MemorySegment.NULL;
        }
        if (!closed) {
            closed = true;
            Files.close(errno, fd);
        }
    }
}
