package io.headgate.dataplane.device.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The bpf(2) commands that AF_XDP and the frame generator need. Each returns a file descriptor or
 * zero, or a negated errno. Layouts are those of union bpf_attr.
 */
public final class Bpf {
    /** Flags of {@link #attachXdp}: run after the driver's allocation of an skb, or before. */
    public static final int XDP_FLAGS_SKB_MODE = 1 << 1;

    public static final int XDP_FLAGS_DRV_MODE = 1 << 2;

    private static final long SYS_BPF =
            System.getProperty("os.arch", "").equals("aarch64") ? 280 : 321;

    /** enum bpf_cmd. */
    private static final int MAP_CREATE = 0;

    private static final int MAP_LOOKUP_ELEM = 1;
    private static final int MAP_UPDATE_ELEM = 2;
    private static final int PROG_LOAD = 5;
    private static final int MAP_DELETE_ELEM = 3;
    private static final int PROG_TEST_RUN = 10;
    private static final int RAW_TRACEPOINT_OPEN = 17;
    private static final int LINK_CREATE = 28;

    private static final int MAP_TYPE_ARRAY = 2;
    private static final int MAP_TYPE_DEVMAP = 14;
    private static final int MAP_TYPE_XSKMAP = 17;
    private static final int PROG_TYPE_SOCKET_FILTER = 1;
    private static final int PROG_TYPE_XDP = 6;
    private static final int PROG_TYPE_RAW_TRACEPOINT = 17;
    private static final int MAP_CAN_BE_MAPPED = 1 << 10;
    private static final int ATTACH_TYPE_XDP = 37;
    private static final int ATTRIBUTE_BYTES = 128;
    private static final int TEST_XDP_LIVE_FRAMES = 1 << 1;

    private Bpf() {}

    /** Makes a map from receive queues to AF_XDP sockets. */
    public static int createXskMap(Errno errno, int queues) {
        return createMap(errno, MAP_TYPE_XSKMAP, Integer.BYTES, queues, 0);
    }

    /** Makes a map from numbers to interfaces on which XDP frames can be sent. */
    public static int createInterfaceMap(Errno errno, int entries) {
        return createMap(errno, MAP_TYPE_DEVMAP, Integer.BYTES, entries, 0);
    }

    /**
     * Enters a socket's descriptor, or an interface of the calling thread's namespace, into such a
     * map.
     */
    public static int put(Errno errno, int mapFd, int number, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocateFrom(JAVA_INT, value);
            return element(errno, MAP_UPDATE_ELEM, mapFd, number, entry);
        }
    }

    /** Removes an interface from such a map. */
    public static int removeInterface(Errno errno, int mapFd, int number) {
        return element(errno, MAP_DELETE_ELEM, mapFd, number, MemorySegment.NULL);
    }

    private static int element(
            Errno errno, int command, int mapFd, int number, MemorySegment value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
            attribute.set(JAVA_INT, 0, mapFd);
            attribute.set(JAVA_LONG, 8, arena.allocateFrom(JAVA_INT, number).address());
            attribute.set(JAVA_LONG, 16, value.address());
            return bpf(errno, command, attribute, 32);
        }
    }

    /** Makes a map of one value, which a program can address directly. */
    public static int createValueMap(Errno errno, int valueBytes) {
        return createMap(errno, MAP_TYPE_ARRAY, valueBytes, 1, 0);
    }

    /** The same, with a value that mmap(2) can map; all of it is resident from the start. */
    static int createMappedValue(Errno errno, int valueBytes) {
        return createMap(errno, MAP_TYPE_ARRAY, valueBytes, 1, MAP_CAN_BE_MAPPED);
    }

    private static int createMap(Errno errno, int type, int valueBytes, int entries, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
            attribute.set(JAVA_INT, 0, type);
            attribute.set(JAVA_INT, 4, Integer.BYTES);
            attribute.set(JAVA_INT, 8, valueBytes);
            attribute.set(JAVA_INT, 12, entries);
            attribute.set(JAVA_INT, 16, flags);
            return bpf(errno, MAP_CREATE, attribute, 72);
        }
    }

    /** Reads such a map's value. */
    public static int readValue(Errno errno, int mapFd, MemorySegment value) {
        return element(errno, MAP_LOOKUP_ELEM, mapFd, 0, value);
    }

    /** Writes such a map's value. */
    public static int writeValue(Errno errno, int mapFd, MemorySegment value) {
        return element(errno, MAP_UPDATE_ELEM, mapFd, 0, value);
    }

    /**
     * Runs an XDP program on copies of a frame, and the kernel carries out its verdicts (Linux
     * 5.18: Documentation/bpf/bpf_prog_run). It can redirect to interfaces of the calling thread's
     * namespace. A run allocates nothing.
     */
    public static final class LiveRun {
        private static final int REPEAT_OFFSET = 32;
        private static final int BYTES = 80;
        private final MemorySegment attribute;
        private final long address;

        /**
         * @param batch frames that are sent together, at most 256
         * @param arena arena of the frame; must stay open as long as this is used
         */
        public LiveRun(int programFd, MemorySegment frame, int batch, Arena arena) {
            attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
            attribute.set(JAVA_INT, 0, programFd);
            attribute.set(JAVA_INT, 8, (int) frame.byteSize());
            attribute.set(JAVA_LONG, 16, frame.address());
            attribute.set(JAVA_INT, 64, TEST_XDP_LIVE_FRAMES);
            attribute.set(JAVA_INT, 72, batch);
            address = attribute.address();
        }

        /**
         * Runs the program, or fails after some of the runs; the caller must find out after how
         * many.
         *
         * @param runs how often
         * @param reason receives the errno; null: the reason is not needed, and nothing is
         *     allocated
         * @return zero or more, or a negated errno, which is always -1 if {@code reason} is null
         */
        public int run(int runs, @Nullable Errno reason) {
            attribute.set(JAVA_INT, REPEAT_OFFSET, runs);
            return (int)
                    (reason == null
                            ? Files.syscall(SYS_BPF, PROG_TEST_RUN, address, BYTES)
                            : Files.syscall(reason, SYS_BPF, PROG_TEST_RUN, address, BYTES, 0, 0));
        }
    }

    /** Loads an XDP program; the kernel verifies it. */
    public static int loadXdp(Errno errno, long[] instructions) {
        return load(errno, PROG_TYPE_XDP, ATTACH_TYPE_XDP, instructions);
    }

    /** Loads a program that reads frames of a socket or a TAP; the kernel verifies it. */
    public static int loadFilter(Errno errno, long[] instructions) {
        return load(errno, PROG_TYPE_SOCKET_FILTER, 0, instructions);
    }

    /** Loads a program for a tracepoint, with its arguments; the kernel verifies it. */
    public static int loadTracepoint(Errno errno, long[] instructions) {
        return load(errno, PROG_TYPE_RAW_TRACEPOINT, 0, instructions);
    }

    /** Attaches such a program to a tracepoint as long as the returned descriptor is open. */
    public static int openTracepoint(Errno errno, String tracepoint, int programFd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
            attribute.set(JAVA_LONG, 0, arena.allocateFrom(tracepoint).address());
            attribute.set(JAVA_INT, 8, programFd);
            return bpf(errno, RAW_TRACEPOINT_OPEN, attribute, 16);
        }
    }

    private static int load(Errno errno, int type, int attachType, long[] instructions) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
            attribute.set(JAVA_INT, 0, type);
            attribute.set(JAVA_INT, 4, instructions.length);
            attribute.set(JAVA_LONG, 8, arena.allocateFrom(JAVA_LONG, instructions).address());
            attribute.set(JAVA_LONG, 16, arena.allocateFrom("Apache-2.0").address());
            byte[] name = "headgate".getBytes(StandardCharsets.US_ASCII);
            MemorySegment.copy(name, 0, attribute, JAVA_BYTE, 48, name.length);
            attribute.set(JAVA_INT, 68, attachType);
            return bpf(errno, PROG_LOAD, attribute, 72);
        }
    }

    /**
     * Attaches a program to an interface of the calling thread's namespace as long as the returned
     * link is open: closing it, or the end of the process, detaches the program.
     *
     * @param flags {@link #XDP_FLAGS_DRV_MODE} or {@link #XDP_FLAGS_SKB_MODE}
     */
    public static int attachXdp(Errno errno, int programFd, int interfaceIndex, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
            attribute.set(JAVA_INT, 0, programFd);
            attribute.set(JAVA_INT, 4, interfaceIndex);
            attribute.set(JAVA_INT, 8, ATTACH_TYPE_XDP);
            attribute.set(JAVA_INT, 12, flags);
            return bpf(errno, LINK_CREATE, attribute, 32);
        }
    }

    private static int bpf(Errno errno, int command, MemorySegment attribute, int lengthBytes) {
        return (int) Files.syscall(errno, SYS_BPF, command, attribute.address(), lengthBytes, 0, 0);
    }
}
