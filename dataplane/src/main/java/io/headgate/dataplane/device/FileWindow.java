package io.headgate.dataplane.device;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * Read-ahead buffer of a file or a pipe; offsets count from the current read position. Allocates
 * nothing once built. Used by one thread.
 */
final class FileWindow implements AutoCloseable {
    /** Maximum number of bytes in the window. */
    static final int MOST_BYTES = 1 << 19;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MOST_BYTES).limit(0);
    private final MemorySegment bytes = MemorySegment.ofBuffer(buffer.duplicate().clear());

    FileWindow(FileChannel channel) {
        this.channel = channel;
    }

    /** Whether the file has {@code count} more bytes; if so, they can be read. */
    boolean has(int count) throws IOException {
        if (buffer.remaining() >= count) {
            return true;
        }
        buffer.compact();
        int read = 0;
        while (buffer.position() < count && read >= 0) {
            read = channel.read(buffer);
        }
        buffer.flip();
        return buffer.remaining() >= count;
    }

    /** Moves forward by {@code count} bytes; returns whether the file has them. */
    boolean skip(long count) throws IOException {
        long left = count;
        while (left > buffer.remaining()) {
            left -= buffer.remaining();
            buffer.position(buffer.limit());
            if (!has(1)) {
                return false;
            }
        }
        buffer.position(buffer.position() + (int) left);
        return true;
    }

    boolean isAtEnd() throws IOException {
        return !has(1);
    }

    void order(ByteOrder order) {
        buffer.order(order);
    }

    int u8(int offset) {
        return buffer.get(buffer.position() + offset) & 0xFF;
    }

    int u16(int offset) {
        return buffer.getShort(buffer.position() + offset) & 0xFFFF;
    }

    int i32(int offset) {
        return buffer.getInt(buffer.position() + offset);
    }

    long u32(int offset) {
        return i32(offset) & 0xFFFF_FFFFL;
    }

    long i64(int offset) {
        return buffer.getLong(buffer.position() + offset);
    }

    void copy(int offset, int lengthBytes, MemorySegment to, long toOffset) {
        MemorySegment.copy(bytes, buffer.position() + offset, to, toOffset, lengthBytes);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
