package io.headgate.dataplane.device;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A classic capture file (draft-ietf-opsawg-pcap), with times in microseconds or nanoseconds.
 *
 * <pre>
 *   magic | version | 0 (8) | snap length | FCS (4 bits) | has FCS | link type (16 bits)
 *   then of each frame: seconds | fraction | captured bytes | bytes | what was captured
 * </pre>
 */
final class PcapFileInput extends CaptureFileInput {
    private static final int MAGIC_US = 0xA1B2C3D4;
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int HEADER_BYTES = 24;
    private static final int LINK_TYPE_OFFSET = 20;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final int HAS_FCS_BIT = 1 << 26;
    private static final int FCS_SHIFT = 28;

    private final long nsPerFraction;
    private final int fcsBytes;

    PcapFileInput(Path file, FileWindow window) throws IOException, DeviceException {
        super(file, window);
        if (!window.has(HEADER_BYTES)) {
            throw new DeviceException("capture file " + file + " ends within its header");
        }
        nsPerFraction = window.i32(0) == MAGIC_NS ? 1 : 1000;
        int word = window.i32(LINK_TYPE_OFFSET);
        if ((word & 0xFFFF) != ETHERNET) {
            throw notEthernet(word & 0xFFFF);
        }
        // In half-words, and of some writers in bytes: on Ethernet it is one and the same FCS.
        int declared = (word & HAS_FCS_BIT) == 0 ? 0 : word >>> FCS_SHIFT;
        if (declared != 0 && declared != FCS_BYTES / Short.BYTES && declared != FCS_BYTES) {
            throw new DeviceException(
                    ("capture file %s says that its frames end with an FCS of %s half-words, but"
                                    + " the FCS of Ethernet has 2")
                            .formatted(file, declared));
        }
        fcsBytes = declared == 0 ? 0 : FCS_BYTES;
        window.skip(HEADER_BYTES);
    }

    /**
     * Whether a file begins as a classic capture in this byte order; if so, sets the window to it.
     */
    static boolean begins(FileWindow window, ByteOrder order) {
        window.order(order);
        int magic = window.i32(0);
        return magic == MAGIC_US || magic == MAGIC_NS;
    }

    @Override
    boolean find() throws IOException {
        if (!window.has(RECORD_HEADER_BYTES)) {
            return end();
        }
        long captured = window.u32(8);
        if (captured > MOST_FRAME_BYTES) {
            throw tooLong(captured);
        }
        int recordBytes = RECORD_HEADER_BYTES + (int) captured;
        if (!window.has(recordBytes)) {
            throw cutOff();
        }
        time(window.u32(0), window.u32(4) * nsPerFraction);
        int length = (int) Math.min(window.u32(12), Integer.MAX_VALUE);
        show(RECORD_HEADER_BYTES, (int) captured, length, fcsBytes, recordBytes);
        return true;
    }
}
