package io.headgate.control.capture;

import io.headgate.config.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a pcapng file of Ethernet frames (draft-ietf-opsawg-pcapng): little endian, times in ns.
 * Blocks are collected in a buffer and written when it is full or on {@link #flush}. Used by one
 * thread.
 *
 * <p>A full disk or a closed pipe throws no exception: the called method returns false, {@link
 * #problem} says why in one sentence, and nothing more is written. A regular file is cut back to
 * its last whole block, so that its content stays readable.
 */
public final class PcapngWriter implements AutoCloseable {
    /** Direction of a frame, as in the flags option. */
    public enum Direction {
        UNKNOWN,
        IN,
        OUT
    }

    public static final int NO_QUEUE = -1;

    public static final long NO_PACKET_ID = 0;

    private static final int SECTION_HEADER = 0x0A0D0D0A;
    private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    static final int INTERFACE_DESCRIPTION = 1;
    private static final int INTERFACE_STATISTICS = 5;
    static final int ENHANCED_PACKET = 6;
    private static final int LINKTYPE_ETHERNET = 1;

    private static final int OPTION_END = 0;
    static final int OPTION_COMMENT = 1;
    private static final int SHB_OS = 3;
    private static final int SHB_APPLICATION = 4;
    static final int IF_NAME = 2;
    private static final int IF_DESCRIPTION = 3;
    private static final int IF_MAC = 6;
    private static final int IF_SPEED = 8;
    private static final int IF_TSRESOL = 9;
    static final int EPB_FLAGS = 2;
    private static final int EPB_DROP_COUNT = 4;
    private static final int EPB_PACKET_ID = 5;
    private static final int EPB_QUEUE = 6;
    private static final int ISB_START = 2;
    private static final int ISB_END = 3;
    private static final int ISB_RECEIVED = 4;
    private static final int ISB_DROPPED = 5;

    private static final int BUFFER_BYTES = 1 << 18;
    private static final int MAX_TEXT_BYTES = 1024;
    private static final int MAX_PACKET_BYTES = 1 << 17;

    private final WritableByteChannel channel;
    private final String where;

    // On the heap: memory outside it would stay after the last capture until a collection.
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    // What has been written: bytes of whole blocks, and frames in them. Then what is buffered.
    private long wholeBytes;
    private long wholeFrames;
    private int bufferedFrames;
    private int blockStart;
    private int interfaces;
    private @Nullable String problem;

    private PcapngWriter(WritableByteChannel channel, String where) {
        this.channel = channel;
        this.where = where;
    }

    /**
     * Makes a file, or replaces one.
     *
     * @param comment about the whole capture, or null
     * @throws CaptureException if the file cannot be made
     */
    public static PcapngWriter open(Path file, String application, @Nullable String comment)
            throws CaptureException {
        FileChannel channel;
        try {
            channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING);
        } catch (NoSuchFileException missing) {
            throw new CaptureException(
                    "cannot create capture file %s: there is no directory %s"
                            .formatted(file, file.toAbsolutePath().getParent()),
                    missing);
        } catch (AccessDeniedException denied) {
            throw new CaptureException(
                    "capture file " + file + " cannot be written: permission denied", denied);
        } catch (IOException failure) {
            throw new CaptureException(
                    "capture file " + file + " cannot be written: " + Reason.of(failure), failure);
        }
        return on(channel, file.toString(), application, comment);
    }

    /** Writes to a channel in blocking mode, such as a pipe, which {@link #close} closes. */
    public static PcapngWriter on(
            WritableByteChannel channel,
            String where,
            String application,
            @Nullable String comment) {
        PcapngWriter writer = new PcapngWriter(channel, where);
        writer.begin(SECTION_HEADER);
        writer.buffer.putInt(BYTE_ORDER_MAGIC).putShort((short) 1).putShort((short) 0).putLong(-1);
        writer.text(OPTION_COMMENT, comment);
        writer.text(SHB_OS, System.getProperty("os.name") + " " + System.getProperty("os.version"));
        writer.text(SHB_APPLICATION, application);
        writer.endOptions();
        writer.end();
        return writer;
    }

    /**
     * Describes an interface; it must be described before its first frame.
     *
     * @param mac in the low 48 bits; 0 for none
     * @param speedBps in bits per second; 0 for none
     * @param snapBytes most bytes kept of a frame; 0 for no limit
     * @return its number, from 0
     */
    public int addInterface(
            String name, @Nullable String description, long mac, long speedBps, int snapBytes) {
        begin(INTERFACE_DESCRIPTION);
        buffer.putShort((short) LINKTYPE_ETHERNET).putShort((short) 0).putInt(snapBytes);
        text(IF_NAME, name);
        text(IF_DESCRIPTION, description);
        if (mac != 0) {
            option(IF_MAC, 6);
            for (int shift = 40; shift >= 0; shift -= 8) {
                buffer.put((byte) (mac >>> shift));
            }
            pad();
        }
        if (speedBps != 0) {
            option(IF_SPEED, 8);
            buffer.putLong(speedBps);
        }
        option(IF_TSRESOL, 1);
        buffer.put((byte) 9);
        pad();
        endOptions();
        end();
        return interfaces++;
    }

    /**
     * Writes a frame. Callers must write frames in the order of their times.
     *
     * @param interfaceId as {@link #addInterface} answered
     * @param timeNs since 1970-01-01 UTC
     * @param capturedBytes how much of {@code data} to write, at most 128 KiB
     * @param lengthBytes the frame's whole length without FCS
     * @param packetId the same wherever the frame was captured, or {@link #NO_PACKET_ID}
     * @param queue egress queue, or {@link #NO_QUEUE}
     * @param leftOut frames not captured since the one before on this interface
     * @param comment for people, or null
     * @return whether it is written or buffered; see {@link #problem}
     */
    public boolean frame(
            int interfaceId,
            long timeNs,
            byte[] data,
            int capturedBytes,
            int lengthBytes,
            Direction direction,
            long packetId,
            int queue,
            long leftOut,
            @Nullable String comment) {
        if (interfaceId < 0 || interfaceId >= interfaces || capturedBytes > MAX_PACKET_BYTES) {
            throw new IllegalArgumentException(
                    "interface " + interfaceId + " of " + interfaces + ", " + capturedBytes + " B");
        }
        begin(ENHANCED_PACKET);
        buffer.putInt(interfaceId).putInt((int) (timeNs >>> 32)).putInt((int) timeNs);
        buffer.putInt(capturedBytes).putInt(lengthBytes);
        buffer.put(data, 0, capturedBytes);
        pad();
        text(OPTION_COMMENT, comment);
        if (direction != Direction.UNKNOWN) {
            option(EPB_FLAGS, 4);
            buffer.putInt(direction == Direction.IN ? 1 : 2);
        }
        if (leftOut != 0) {
            option(EPB_DROP_COUNT, 8);
            buffer.putLong(leftOut);
        }
        if (packetId != NO_PACKET_ID) {
            option(EPB_PACKET_ID, 8);
            buffer.putLong(packetId);
        }
        if (queue != NO_QUEUE) {
            option(EPB_QUEUE, 4);
            buffer.putInt(queue);
        }
        endOptions();
        if (!end()) {
            return false;
        }
        bufferedFrames++;
        return true;
    }

    /**
     * Writes the statistics of a capture on an interface; must follow its last frame.
     *
     * @param startNs when it began, since 1970-01-01 UTC; {@code endNs}: when it ended
     * @param leftOut frames that the capture had to leave out
     */
    public boolean statistics(
            int interfaceId, long startNs, long endNs, long received, long leftOut) {
        begin(INTERFACE_STATISTICS);
        buffer.putInt(interfaceId).putInt((int) (endNs >>> 32)).putInt((int) endNs);
        time(ISB_START, startNs);
        time(ISB_END, endNs);
        option(ISB_RECEIVED, 8);
        buffer.putLong(received);
        option(ISB_DROPPED, 8);
        buffer.putLong(leftOut);
        endOptions();
        return end();
    }

    public boolean flush() {
        if (problem != null) {
            return false;
        }
        buffer.flip();
        int length = buffer.limit();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            wholeBytes += length;
            wholeFrames += bufferedFrames;
            return true;
        } catch (IOException failure) {
            noteWholeBlocks(buffer.position());
            problem =
                    "capture to %s stopped after %s bytes: %s"
                            .formatted(where, wholeBytes, Reason.of(failure));
            cutBack();
            return false;
        } finally {
            buffer.clear();
            bufferedFrames = 0;
        }
    }

    /** Frames that are written or buffered; once there is a problem, those that are in the file. */
    public long frames() {
        return wholeFrames + bufferedFrames;
    }

    /** Why nothing is written any more, in one sentence; null if there is no problem. */
    public @Nullable String problem() {
        return problem;
    }

    /** Flushes and closes; {@link #problem} then tells whether all of it was written. */
    @Override
    public void close() {
        if (!channel.isOpen()) {
            return;
        }
        flush();
        try {
            channel.close();
        } catch (IOException failure) {
            if (problem == null) {
                problem = "capture to " + where + " may be cut short: " + Reason.of(failure);
            }
        }
    }

    /**
     * Called when {@code written} bytes of the buffer are in the file: counts the blocks that are
     * complete there.
     */
    private void noteWholeBlocks(int written) {
        int at = 0;
        while (at + 8 <= written) {
            int length = buffer.getInt(at + 4);
            if (at + length > written) {
                break;
            }
            wholeFrames += buffer.getInt(at) == ENHANCED_PACKET ? 1 : 0;
            at += length;
        }
        wholeBytes += at;
    }

    private void cutBack() {
        if (channel instanceof FileChannel file) {
            try {
                file.truncate(wholeBytes);
            } catch (IOException notARegularFile) {
                // A device or a pipe has no end to cut back to; the sentence is there already.
            }
        }
    }

    private void begin(int type) {
        int most = MAX_PACKET_BYTES + 4 * MAX_TEXT_BYTES;
        if (buffer.remaining() < most) {
            flush();
        }
        if (problem != null) {
            buffer.clear();
        }
        blockStart = buffer.position();
        buffer.putInt(type).putInt(0);
    }

    private boolean end() {
        int length = buffer.position() - blockStart + 4;
        buffer.putInt(length);
        buffer.putInt(blockStart + 4, length);
        return problem == null;
    }

    private void option(int code, int length) {
        buffer.putShort((short) code).putShort((short) length);
    }

    private void text(int code, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_TEXT_BYTES) {
            // Cut at the start of a character, so that what is left is still UTF-8.
            int end = MAX_TEXT_BYTES;
            while ((bytes[end] & 0xC0) == 0x80) {
                end--;
            }
            bytes = Arrays.copyOf(bytes, end);
        }
        option(code, bytes.length);
        buffer.put(bytes);
        pad();
    }

    private void time(int code, long timeNs) {
        option(code, 8);
        buffer.putInt((int) (timeNs >>> 32)).putInt((int) timeNs);
    }

    private void endOptions() {
        option(OPTION_END, 0);
    }

    /** Zeros up to a multiple of 4; every block starts at one. */
    private void pad() {
        while ((buffer.position() & 3) != 0) {
            buffer.put((byte) 0);
        }
    }
}
