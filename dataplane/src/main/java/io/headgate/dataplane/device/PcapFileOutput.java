package io.headgate.dataplane.device;

import io.headgate.config.Reason;
import io.headgate.dataplane.memory.Frame;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes frames to a classic pcap file with times in ns (draft-ietf-opsawg-pcap, magic 0xA1B23C4D).
 * Buffered; writing a frame allocates nothing. When the disk is full, the file is cut back to its
 * last whole buffer and nothing more is written. Used by one thread.
 */
final class PcapFileOutput implements AutoCloseable {
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int LINKTYPE_ETHERNET = 1;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final int SNAP_BYTES = 1 << 18;
    private static final int BUFFER_BYTES = 1 << 17;
    private static final long NS_PER_S = 1_000_000_000L;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment bufferSegment = MemorySegment.ofBuffer(buffer);
    private long wholeBytes;
    private volatile String problem = "";

    private PcapFileOutput(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static PcapFileOutput open(Path file) throws DeviceException {
        PcapFileOutput output;
        try {
            output =
                    new PcapFileOutput(
                            file,
                            FileChannel.open(
                                    file,
                                    StandardOpenOption.WRITE,
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.TRUNCATE_EXISTING));
        } catch (NoSuchFileException missing) {
            throw new DeviceException(
                    "cannot create capture file %s: there is no directory %s"
                            .formatted(file, file.toAbsolutePath().getParent()),
                    missing);
        } catch (IOException failure) {
            throw new DeviceException(
                    "capture file " + file + " cannot be written: " + Reason.of(failure), failure);
        }
        output.buffer.putInt(MAGIC_NS).putShort((short) 2).putShort((short) 4);
        output.buffer.putInt(0).putInt(0).putInt(SNAP_BYTES).putInt(LINKTYPE_ETHERNET);
        return output;
    }

    /**
     * Writes a frame; elided payload is not filled with zeros.
     *
     * @param timeNs since 1970-01-01 UTC, before 2106
     * @return whether it was taken
     */
    boolean write(MemorySegment segment, Frame frame, long timeNs) {
        int stored = Math.min(frame.storedBytes, frame.lengthBytes);
        if (buffer.remaining() < RECORD_HEADER_BYTES + stored) {
            flush();
        }
        if (!problem.isEmpty()) {
            return false;
        }
        buffer.putInt((int) (timeNs / NS_PER_S)).putInt((int) (timeNs % NS_PER_S));
        buffer.putInt(stored).putInt(frame.lengthBytes);
        int at = buffer.position();
        MemorySegment.copy(segment, frame.dataOffset, bufferSegment, at, stored);
        buffer.position(at + stored);
        return true;
    }

    void flush() {
        if (!problem.isEmpty() || buffer.position() == 0) {
            return;
        }
        buffer.flip();
        int length = buffer.limit();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            wholeBytes += length;
        } catch (IOException failure) {
            problem = "output to " + file + " stopped: " + Reason.of(failure);
            cutBack();
        } finally {
            buffer.clear();
        }
    }

    private void cutBack() {
        try {
            channel.truncate(wholeBytes);
        } catch (IOException noRegularFile) {
            // A pipe cannot be cut back; the problem is reported either way.
        }
    }

    /** Why writing has stopped, in one sentence; empty if it has not. For any thread. */
    String problem() {
        return problem;
    }

    @Override
    public void close() {
        if (!channel.isOpen()) {
            return;
        }
        flush();
        try {
            channel.close();
        } catch (IOException failure) {
            if (problem.isEmpty()) {
                problem = "output to " + file + " may be cut short: " + Reason.of(failure);
            }
        }
    }
}
