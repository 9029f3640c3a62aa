package io.headgate.dataplane.device;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A pcapng file (draft-ietf-opsawg-pcapng) with any number of sections, each in its own byte order,
 * and interfaces, each with its own time resolution and FCS length. Frames of interfaces that are
 * not Ethernet are left out; other kinds of blocks are skipped.
 *
 * <pre>
 *   type | bytes of the block | its content, options last | bytes of the block
 * </pre>
 */
final class PcapngFileInput extends CaptureFileInput {
    private static final int SECTION = 0x0A0D0D0A;
    private static final int INTERFACE = 1;
    private static final int OLD_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER = 0x1A2B3C4D;
    private static final int BLOCK_OVERHEAD_BYTES = 12;
    private static final int SECTION_BYTES = 28;
    private static final int INTERFACE_BYTES = 20;
    private static final int PACKET_BYTES = 32;
    private static final int PACKET_OFFSET = 28;
    private static final int SIMPLE_PACKET_BYTES = 16;
    private static final int SIMPLE_PACKET_OFFSET = 12;

    private static final int FLAGS = 2;
    private static final int RESOLUTION = 9;
    private static final int FCS = 13;
    private static final int TIME_OFFSET = 14;

    private static final int MICROSECONDS = 6;
    private static final int BINARY_BIT = 0x80;
    private static final int MOST_DECIMALS = 18;
    private static final int MOST_BINARY_DIGITS = 63;
    private static final int MOST_INTERFACES = 4096;
    private static final int FCS_FLAGS_SHIFT = 5;
    private static final int FCS_FLAGS_MASK = 0xF;
    private static final int FCS_BITS = 32;

    /**
     * An interface of a section.
     *
     * @param snapBytes maximum number of bytes captured per frame; 0: all
     * @param unitsPerS of its times
     * @param isBinary whether that is a power of two
     */
    private record Interface(
            int linkType,
            long snapBytes,
            int fcsBytes,
            long unitsPerS,
            boolean isBinary,
            long offsetS) {}

    private final List<Interface> interfaces = new ArrayList<>();
    private boolean hasEthernet;
    private volatile int leftOutType = NONE;

    PcapngFileInput(Path file, FileWindow window) {
        super(file, window);
    }

    /**
     * Whether a file begins with a section; the type of that block is the same in both byte orders.
     */
    static boolean begins(FileWindow window) {
        return window.i32(0) == SECTION;
    }

    @Override
    boolean find() throws IOException {
        while (window.has(BLOCK_OVERHEAD_BYTES)) {
            if (window.i32(0) == SECTION) {
                beginSection();
            }
            long blockBytes = window.u32(4);
            if (blockBytes < BLOCK_OVERHEAD_BYTES || blockBytes % 4 != 0) {
                throw new IOException(
                        "a block of " + blockBytes + " bytes; the file is damaged there");
            }
            if (shows(window.i32(0), blockBytes)) {
                return true;
            }
            if (!window.skip(blockBytes)) {
                throw cutOff();
            }
        }
        return end();
    }

    /** Whether a block is a frame, which is then shown. */
    private boolean shows(int type, long blockBytes) throws IOException {
        boolean isPacket = type == ENHANCED_PACKET || type == OLD_PACKET || type == SIMPLE_PACKET;
        if (!isPacket && type != INTERFACE) {
            return false;
        }
        if (blockBytes > FileWindow.MOST_BYTES) {
            throw tooLong(blockBytes);
        }
        int bytes = (int) blockBytes;
        if (!window.has(bytes)) {
            throw cutOff();
        }
        return switch (type) {
            case INTERFACE -> {
                addInterface(bytes);
                yield false;
            }
            case SIMPLE_PACKET -> simplePacket(bytes);
            default -> packet(type == OLD_PACKET, bytes);
        };
    }

    private void beginSection() throws IOException {
        if (!window.has(SECTION_BYTES)) {
            throw cutOff();
        }
        window.order(ByteOrder.LITTLE_ENDIAN);
        if (window.i32(8) != BYTE_ORDER) {
            window.order(ByteOrder.BIG_ENDIAN);
        }
        if (window.i32(8) != BYTE_ORDER) {
            throw new IOException("a section without a byte order; the file is damaged there");
        }
        if (window.u16(12) != 1) {
            throw new IOException(
                    "a section of pcapng's version " + window.u16(12) + "; only 1 is known");
        }
        interfaces.clear();
    }

    private void addInterface(int blockBytes) throws IOException {
        if (blockBytes < INTERFACE_BYTES || interfaces.size() == MOST_INTERFACES) {
            throw new IOException(
                    blockBytes < INTERFACE_BYTES
                            ? "an interface of " + blockBytes + " bytes"
                            : "more than " + MOST_INTERFACES + " interfaces");
        }
        int end = blockBytes - Integer.BYTES;
        int at = option(RESOLUTION, 1, 16, end);
        int resolution = at == NONE ? MICROSECONDS : window.u8(at);
        boolean isBinary = (resolution & BINARY_BIT) != 0;
        int digits = resolution & ~BINARY_BIT;
        if (digits > (isBinary ? MOST_BINARY_DIGITS : MOST_DECIMALS)) {
            throw new IOException("an interface with a time resolution that is too fine");
        }
        int fcsAt = option(FCS, 1, 16, end);
        int fcs = fcsAt == NONE ? 0 : window.u8(fcsAt);
        int linkType = window.u16(8);
        // In bits, and of many writers in bytes: on Ethernet it is one and the same FCS.
        if (linkType == ETHERNET && fcs != 0 && fcs != FCS_BYTES && fcs != FCS_BITS) {
            throw new IOException(
                    "an interface with an FCS of " + fcs + " bits, but the FCS of Ethernet has 32");
        }
        hasEthernet |= linkType == ETHERNET;
        int offsetAt = option(TIME_OFFSET, Long.BYTES, 16, end);
        interfaces.add(
                new Interface(
                        linkType,
                        window.u32(12),
                        fcs == 0 ? 0 : FCS_BYTES,
                        isBinary ? 1L << digits : powerOfTen(digits),
                        isBinary,
                        offsetAt == NONE ? 0 : window.i64(offsetAt)));
    }

    private static long powerOfTen(int digits) {
        long power = 1;
        for (int i = 0; i < digits; i++) {
            power *= 10;
        }
        return power;
    }

    private boolean packet(boolean isOld, int blockBytes) throws IOException {
        if (blockBytes < PACKET_BYTES) {
            throw new IOException("a packet block of " + blockBytes + " bytes");
        }
        long number = isOld ? window.u16(8) : window.u32(8);
        if (number >= interfaces.size()) {
            throw new IOException(
                    ("a packet of interface %s, but the file has declared only %s; it is damaged"
                                    + " there")
                            .formatted(number, interfaces.size()));
        }
        Interface from = interfaces.get((int) number);
        long captured = window.u32(20);
        if (captured > blockBytes - PACKET_BYTES) {
            throw tooLong(captured);
        }
        time(from, (window.u32(12) << Integer.SIZE) | window.u32(16));
        int end = blockBytes - Integer.BYTES;
        int options = PACKET_OFFSET + ((int) captured + 3) / 4 * 4;
        int flagsAt = option(FLAGS, Integer.BYTES, options, end);
        int fcs = flagsAt == NONE ? 0 : (window.i32(flagsAt) >>> FCS_FLAGS_SHIFT) & FCS_FLAGS_MASK;
        return showOf(from, PACKET_OFFSET, (int) captured, window.u32(24), fcs > 0, blockBytes);
    }

    /** A packet of the first interface, without a time: it has that of the one before. */
    private boolean simplePacket(int blockBytes) throws IOException {
        if (blockBytes < SIMPLE_PACKET_BYTES || interfaces.isEmpty()) {
            throw new IOException("a packet of an interface that the file has not declared");
        }
        Interface from = interfaces.getFirst();
        long length = window.u32(8);
        long captured = from.snapBytes == 0 ? length : Math.min(length, from.snapBytes);
        if (captured > blockBytes - SIMPLE_PACKET_BYTES) {
            throw tooLong(captured);
        }
        return showOf(from, SIMPLE_PACKET_OFFSET, (int) captured, length, false, blockBytes);
    }

    private boolean showOf(
            Interface from, int at, int captured, long length, boolean hasFcs, int blockBytes)
            throws IOException {
        if (from.linkType != ETHERNET) {
            leftOutType = from.linkType;
            if (!hasEthernet) {
                throw new IOException("its frames are not Ethernet frames");
            }
            return false;
        }
        int whole = (int) Math.min(length, Integer.MAX_VALUE);
        show(at, captured, whole, hasFcs ? FCS_BYTES : from.fcsBytes, blockBytes);
        return true;
    }

    private void time(Interface of, long units) {
        if (of.isBinary) {
            int digits = Long.numberOfTrailingZeros(of.unitsPerS);
            long fraction = units & (of.unitsPerS - 1);
            // What is finer than 30 bits is finer than a nanosecond.
            int finer = Math.max(0, digits - 30);
            time(
                    (units >>> digits) + of.offsetS,
                    ((fraction >>> finer) * NS_PER_S) >>> (digits - finer));
            return;
        }
        long fraction = Long.remainderUnsigned(units, of.unitsPerS);
        time(
                Long.divideUnsigned(units, of.unitsPerS) + of.offsetS,
                of.unitsPerS <= NS_PER_S
                        ? fraction * (NS_PER_S / of.unitsPerS)
                        : fraction / (of.unitsPerS / NS_PER_S));
    }

    /**
     * Offset of the value of an option with at least {@code leastBytes} bytes, or {@link #NONE}.
     */
    private int option(int wanted, int leastBytes, int from, int end) {
        int at = from;
        while (at + Integer.BYTES <= end) {
            int code = window.u16(at);
            int length = window.u16(at + Short.BYTES);
            int value = at + Integer.BYTES;
            if (code == 0 || value + length > end) {
                return NONE;
            }
            if (code == wanted && length >= leastBytes) {
                return value;
            }
            at = value + (length + 3) / 4 * 4;
        }
        return NONE;
    }

    @Override
    int leftOutType() {
        return leftOutType;
    }
}
