package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An AF_XDP socket with its four rings mapped. Created in the namespace of its interface; every
 * step returns zero or more, or a negated errno, and {@link #close} undoes all steps.
 */
public final class XskSocket {
    /** Flags of {@link #bind}. */
    static final int XDP_SHARED_UMEM = 1;

    static final int XDP_COPY = 1 << 1;
    static final int XDP_ZEROCOPY = 1 << 2;
    static final int XDP_USE_NEED_WAKEUP = 1 << 3;

    static final int SOL_XDP = 283;

    private static final int XDP_MMAP_OFFSETS = 1;
    private static final int XDP_RX_RING = 2;
    private static final int XDP_TX_RING = 3;
    private static final int XDP_UMEM_REG = 4;
    private static final int XDP_UMEM_FILL_RING = 5;
    private static final int XDP_UMEM_COMPLETION_RING = 6;
    private static final int XDP_OPTIONS = 8;
    private static final int XDP_MAX_TX_SKB_BUDGET = 9;

    /** Where mmap finds each ring, in the order of struct xdp_mmap_offsets. */
    private static final int RECEIVE = 0;

    private static final int TRANSMIT = 1;
    private static final int FILL = 2;
    private static final int COMPLETION = 3;
    private static final int RINGS = 4;
    private static final long[] PAGE_OFFSETS = {0, 0x80000000L, 0x100000000L, 0x180000000L};
    private static final int RING_OFFSET_FIELDS = 4;

    private static final int SOCKET_ADDRESS_BYTES = 16;
    private static final int UMEM_REGISTRATION_BYTES = 32;

    /** What the kernel may hold of our frames before it says EAGAIN. */
    private static final int SEND_BUFFER_BYTES = 1 << 24;

    private final int fd;
    private final long[] mappings = new long[RINGS];
    private final long[] mappingBytes = new long[RINGS];
    private final XskRing[] rings = new XskRing[RINGS];

    /** Takes over the descriptor that {@link #open} returned. */
    XskSocket(int fd) {
        this.fd = fd;
    }

    /** Opens a socket in the calling thread's namespace. */
    static int open(Errno errno) {
        return Sockets.socket(errno, Sockets.AF_XDP, Sockets.SOCK_RAW, 0);
    }

    int fd() {
        return fd;
    }

    /** Sets up the four rings and maps them. */
    int setUpRings(Errno errno, int ringFrames) {
        int[] options = {XDP_RX_RING, XDP_TX_RING, XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING};
        for (int option : options) {
            int result = Sockets.setsockopt(errno, fd, SOL_XDP, option, ringFrames);
            if (result < 0) {
                return result;
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            long fields = (long) RINGS * RING_OFFSET_FIELDS;
            MemorySegment offsets = arena.allocate(JAVA_LONG, fields);
            MemorySegment length = arena.allocate(JAVA_INT);
            length.set(JAVA_INT, 0, (int) offsets.byteSize());
            int result = Sockets.getsockopt(errno, fd, SOL_XDP, XDP_MMAP_OFFSETS, offsets, length);
            if (result >= 0 && length.get(JAVA_INT, 0) != offsets.byteSize()) {
                result = -Errno.EOPNOTSUPP; // a kernel before 5.4, without need-wakeup
            }
            for (int ring = 0; ring < RINGS && result >= 0; ring++) {
                result = map(errno, ring, offsets, ringFrames);
            }
            return result;
        }
    }

    private int map(Errno errno, int ring, MemorySegment allOffsets, int ringFrames) {
        long[] offsets = new long[RING_OFFSET_FIELDS];
        for (int field = 0; field < RING_OFFSET_FIELDS; field++) {
            offsets[field] =
                    allOffsets.getAtIndex(JAVA_LONG, (long) ring * RING_OFFSET_FIELDS + field);
        }
        boolean descriptors = ring == RECEIVE || ring == TRANSMIT;
        int entryBytes = descriptors ? XskRing.DESCRIPTOR_BYTES : XskRing.ADDRESS_BYTES;
        long bytes = offsets[2] + (long) ringFrames * entryBytes;
        int flags = Files.MAP_SHARED | Files.MAP_POPULATE;
        long address = Files.mmap(errno, fd, PAGE_OFFSETS[ring], bytes, flags);
        if (address < 0) {
            return (int) address;
        }
        mappings[ring] = address;
        mappingBytes[ring] = bytes;
        MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(bytes);
        rings[ring] = new XskRing(memory, offsets, ringFrames);
        return 0;
    }

    XskRing receiveRing() {
        return rings[RECEIVE];
    }

    XskRing transmitRing() {
        return rings[TRANSMIT];
    }

    XskRing fillRing() {
        return rings[FILL];
    }

    XskRing completionRing() {
        return rings[COMPLETION];
    }

    /** Registers memory as this socket's own UMEM: the kernel pins its pages. */
    int registerUmem(Errno errno, MemorySegment memory, int chunkBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment registration = arena.allocate(UMEM_REGISTRATION_BYTES, 8);
            registration.set(JAVA_LONG, 0, memory.address());
            registration.set(JAVA_LONG, 8, memory.byteSize());
            registration.set(JAVA_INT, 16, chunkBytes);
            return Sockets.setsockopt(errno, fd, SOL_XDP, XDP_UMEM_REG, registration);
        }
    }

    /**
     * Binds to one queue of an interface.
     *
     * @param flags {@link #XDP_SHARED_UMEM} alone, or the others
     * @param sharedFd the bound socket whose UMEM is used with {@link #XDP_SHARED_UMEM}, else 0
     */
    int bind(Errno errno, int flags, int interfaceIndex, int queue, int sharedFd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SOCKET_ADDRESS_BYTES, 4);
            address.set(JAVA_SHORT, 0, (short) Sockets.AF_XDP);
            address.set(JAVA_SHORT, 2, (short) flags);
            address.set(JAVA_INT, 4, interfaceIndex);
            address.set(JAVA_INT, 8, queue);
            address.set(JAVA_INT, 12, sharedFd);
            return Sockets.bind(errno, fd, address, SOCKET_ADDRESS_BYTES);
        }
    }

    /**
     * Asks for larger batches than the kernel's default; kernels before 6.17 do not know this
     * option.
     */
    void enlargeBatches(Errno errno, int ringFrames) {
        Sockets.setsockopt(
                errno, fd, Sockets.SOL_SOCKET, Sockets.SO_SNDBUFFORCE, SEND_BUFFER_BYTES);
        // Linux 6.17: frames sent per sendto(2), 32 otherwise.
        Sockets.setsockopt(errno, fd, SOL_XDP, XDP_MAX_TX_SKB_BUDGET, ringFrames);
    }

    /** Whether the driver reads and writes our memory itself. */
    boolean isZeroCopy(Errno errno) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flags = arena.allocate(JAVA_INT);
            MemorySegment length = arena.allocate(JAVA_INT);
            length.set(JAVA_INT, 0, Integer.BYTES);
            int result = Sockets.getsockopt(errno, fd, SOL_XDP, XDP_OPTIONS, flags, length);
            return result >= 0 && (flags.get(JAVA_INT, 0) & 1) != 0;
        }
    }

    /** Unmaps the rings and closes the socket; afterwards the kernel no longer uses our memory. */
    void close(Errno errno) {
        Files.close(errno, fd);
        for (int ring = 0; ring < RINGS; ring++) {
            if (mappings[ring] != 0) {
                boolean _ = Files.munmap(mappings[ring], mappingBytes[ring]);
                mappings[ring] = 0;
            }
        }
    }
}
