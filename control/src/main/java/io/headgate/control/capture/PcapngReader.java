package io.headgate.control.capture;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames as they arrive, from the pcapng that a switch writes: little-endian, times in
 * nanoseconds. Skips blocks of other kinds. Used by one thread.
 */
public final class PcapngReader {
    private static final int BLOCK_OVERHEAD_BYTES = 12;
    private static final int MOST_BLOCK_BYTES = 1 << 20;
    private static final int DIRECTION_MASK = 3;
    private static final int INTERFACE_OPTIONS = 8;
    private static final int PACKET_HEADER_BYTES = 20;

    /**
     * A frame.
     *
     * @param timeNs since 1970-01-01 UTC
     * @param direction {@code in}, {@code out} or empty
     * @param comment such as why it was dropped; empty if it has no comment
     */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared
    public record Packet(
            String at,
            long timeNs,
            byte[] data,
            int lengthBytes,
            String direction,
            String comment) {}

    private final InputStream in;
    private final List<String> interfaces = new ArrayList<>();

    public PcapngReader(InputStream in) {
        this.in = in;
    }

    /**
     * The next frame; null at the end.
     *
     * @throws IOException if the file cannot be read, or is not in pcapng format
     */
    public @Nullable Packet next() throws IOException {
        while (true) {
            ByteBuffer head = read(Long.BYTES);
            if (head == null) {
                return null;
            }
            int type = head.getInt();
            int length = head.getInt();
            if (length < BLOCK_OVERHEAD_BYTES || length > MOST_BLOCK_BYTES || length % 4 != 0) {
                throw new IOException("a block of " + length + " bytes: this is not pcapng");
            }
            ByteBuffer body = read(length - Long.BYTES);
            if (body == null) {
                throw new EOFException("the capture ends within a block");
            }
            body.limit(body.limit() - Integer.BYTES);
            if (type == PcapngWriter.INTERFACE_DESCRIPTION) {
                body.position(INTERFACE_OPTIONS);
                interfaces.add(text(body, PcapngWriter.IF_NAME));
            } else if (type == PcapngWriter.ENHANCED_PACKET) {
                return packet(body);
            }
        }
    }

    private Packet packet(ByteBuffer body) throws IOException {
        int number = body.getInt();
        long timeNs =
                ((body.getInt() & 0xFFFF_FFFFL) << Integer.SIZE) | (body.getInt() & 0xFFFF_FFFFL);
        int captured = body.getInt();
        int length = body.getInt();
        if (number < 0
                || number >= interfaces.size()
                || captured < 0
                || captured > body.remaining()) {
            throw new IOException(
                    "a frame that is truncated, or of an interface that is not in the file");
        }
        byte[] data = new byte[captured];
        body.get(data);
        body.position(Math.min(body.limit(), PACKET_HEADER_BYTES + (captured + 3) / 4 * 4));
        ByteBuffer options = body.slice().order(ByteOrder.LITTLE_ENDIAN);
        int flags = number(options);
        String direction =
                switch (flags & DIRECTION_MASK) {
                    case 1 -> "in";
                    case 2 -> "out";
                    default -> "";
                };
        return new Packet(
                interfaces.get(number),
                timeNs,
                data,
                length,
                direction,
                text(options.rewind(), PcapngWriter.OPTION_COMMENT));
    }

    private static int number(ByteBuffer options) {
        ByteBuffer found = option(options, PcapngWriter.EPB_FLAGS);
        return found == null || found.remaining() < Integer.BYTES ? 0 : found.getInt();
    }

    private static String text(ByteBuffer options, int code) {
        ByteBuffer found = option(options, code);
        return found == null ? "" : StandardCharsets.UTF_8.decode(found).toString();
    }

    private static @Nullable ByteBuffer option(ByteBuffer options, int wanted) {
        while (options.remaining() >= Integer.BYTES) {
            int code = options.getShort() & 0xFFFF;
            int length = options.getShort() & 0xFFFF;
            if (code == 0 || length > options.remaining()) {
                return null;
            }
            if (code == wanted) {
                return options.slice(options.position(), length).order(ByteOrder.LITTLE_ENDIAN);
            }
            options.position(Math.min(options.limit(), options.position() + (length + 3) / 4 * 4));
        }
        return null;
    }

    /** Reads this number of bytes; null at the end. */
    private @Nullable ByteBuffer read(int bytes) throws IOException {
        byte[] all = in.readNBytes(bytes);
        if (all.length == 0 && bytes != 0) {
            return null;
        }
        if (all.length < bytes) {
            throw new EOFException("the capture ends within a block");
        }
        return ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    }
}
