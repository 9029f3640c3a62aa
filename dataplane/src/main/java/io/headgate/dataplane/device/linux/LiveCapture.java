package io.headgate.dataplane.device.linux;

import static io.headgate.dataplane.device.linux.Linkage.INT;
import static io.headgate.dataplane.device.linux.Linkage.LONG;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.pcap4j.core.PcapHandle;

/**
 * A live capture that pcap4j opens and closes, read and written through libpcap's own functions.
 * Each read of pcap4j creates objects that only a cleaner frees: ten thousand idle polls a second
 * kept 45 MB a second alive, and the collector stopped every port for up to 1.4 s to find them.
 * pcap4j also does not publish the descriptor to sleep on. Used by one thread; allocates nothing
 * once it is built.
 */
public final class LiveCapture {
    /** {@code struct pcap_pkthdr}: the time, then bytes captured and bytes on the wire. */
    private static final int CAPTURED_OFFSET = 16;

    private static final int LENGTH_OFFSET = 20;

    /**
     * {@code struct pcap_stat}: received, dropped because the buffer was full, dropped by the
     * interface.
     */
    private static final int STATISTICS_BYTES = 12;

    private static final int DROPPED_OFFSET = 4;

    /** The library that pcap4j has loaded: another copy could lay its handles out otherwise. */
    private static final NativeLibrary LIBRARY = NativeLibrary.getInstance("pcap");

    private static final MethodHandle NEXT = function("pcap_next_ex", INT, LONG, LONG, LONG);
    private static final MethodHandle SEND = function("pcap_sendpacket", INT, LONG, LONG, INT);
    private static final MethodHandle STATISTICS = function("pcap_stats", INT, LONG, LONG);
    private static final MethodHandle DESCRIPTOR = function("pcap_get_selectable_fd", INT, LONG);
    private static final MethodHandle HANDLE = handle();

    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final long capture;
    private final MemorySegment results =
            Arena.ofAuto().allocate(2 * ValueLayout.ADDRESS.byteSize(), 8);
    private final long headerResult = results.address();
    private final long bytesResult = headerResult + ValueLayout.ADDRESS.byteSize();
    private final MemorySegment statistics = Arena.ofAuto().allocate(STATISTICS_BYTES, 4);
    private final long statisticsAddress = statistics.address();
    private long dropped;

    /**
     * @param opened its owner closes it, after the last call of this object
     */
    public LiveCapture(PcapHandle opened) {
        try {
            capture = Pointer.nativeValue((Pointer) HANDLE.invokeExact(opened));
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    private static MethodHandle function(
            String name, MemoryLayout result, MemoryLayout... arguments) {
        long address = Pointer.nativeValue(LIBRARY.getFunction(name));
        return Linkage.callWithoutErrno(MemorySegment.ofAddress(address), result, arguments);
    }

    /** What libpcap calls {@code pcap_t *}, which pcap4j has no accessor for. */
    private static MethodHandle handle() {
        try {
            return MethodHandles.privateLookupIn(PcapHandle.class, MethodHandles.lookup())
                    .findGetter(PcapHandle.class, "handle", Pointer.class);
        } catch (ReflectiveOperationException otherVersion) {
            throw new LinkageError("pcap4j has no PcapHandle.handle", otherVersion);
        }
    }

    /** Descriptor that becomes readable when a frame arrives, or -1 if this capture has none. */
    public int fd() {
        try {
            return (int) DESCRIPTOR.invokeExact(capture);
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /**
     * Moves to the next frame; its bytes stay in place until the next call.
     *
     * @return whether there is one
     */
    public boolean next() {
        try {
            return (int) NEXT.invokeExact(capture, headerResult, bytesResult) == 1;
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** Address of the frame's first byte. */
    public long address() {
        return results.get(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS.byteSize());
    }

    /** Number of captured bytes of the frame. */
    public int capturedBytes() {
        return header(CAPTURED_OFFSET);
    }

    /** Original length of the frame, in bytes. */
    public int lengthBytes() {
        return header(LENGTH_OFFSET);
    }

    private int header(int offset) {
        return MEMORY.get(ValueLayout.JAVA_INT, results.get(ValueLayout.JAVA_LONG, 0) + offset);
    }

    /** Sends a frame; returns whether libpcap took it. */
    public boolean send(long address, int lengthBytes) {
        try {
            return (int) SEND.invokeExact(capture, address, lengthBytes) == 0;
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
    }

    /** Frames lost because libpcap's buffer was full; the last known value if it cannot be read. */
    public long dropped() {
        try {
            if ((int) STATISTICS.invokeExact(capture, statisticsAddress) == 0) {
                dropped = statistics.get(ValueLayout.JAVA_INT, DROPPED_OFFSET) & 0xFFFF_FFFFL;
            }
        } catch (Throwable thrown) {
            throw Linkage.impossible(thrown);
        }
        return dropped;
    }
}
