package io.headgate.perf.allocation;

import io.headgate.control.cli.bench.BenchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An endless capture file: a named pipe, into which a thread writes. */
final class EndlessCapture implements AutoCloseable {
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int SNAP_BYTES = 1 << 16;
    private static final int ETHERNET = 1;
    private static final int FRAMES_PER_WRITE = 500;
    private static final int HEADERS_BYTES = 24 + 16 * FRAMES_PER_WRITE;
    private static final long END_MS = 10_000;

    private final Path directory;
    private final Path file;
    private final byte[] frame;
    private final Thread writer = new Thread(this::write, "endless-capture");
    private volatile boolean isEnding;

    EndlessCapture(byte[] frame) throws BenchException {
        this.frame = frame;
        try {
            directory = Files.createTempDirectory("headgate-capture");
            file = directory.resolve("endless.pcap");
            Process made = new ProcessBuilder("mkfifo", file.toString()).inheritIO().start();
            if (made.waitFor() != 0) {
                throw new BenchException("mkfifo " + file + " failed");
            }
        } catch (IOException failure) {
            throw new BenchException(failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted");
        }
        writer.setDaemon(true);
        writer.start();
    }

    Path file() {
        return file;
    }

    private void write() {
        ByteBuffer out =
                ByteBuffer.allocateDirect(HEADERS_BYTES + FRAMES_PER_WRITE * frame.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(MAGIC_NS).putShort((short) 2).putShort((short) 4).putLong(0);
        out.putInt(SNAP_BYTES).putInt(ETHERNET);
        try (FileChannel pipe = FileChannel.open(file, StandardOpenOption.WRITE)) {
            while (!isEnding) {
                for (int i = 0; i < FRAMES_PER_WRITE; i++) {
                    out.putLong(0).putInt(frame.length).putInt(frame.length).put(frame);
                }
                out.flip();
                while (out.hasRemaining()) {
                    pipe.write(out);
                }
                out.clear();
            }
        } catch (IOException readerHasGone) {
            // As it does at the end of a measurement that failed.
        }
    }

    void end() throws BenchException {
        isEnding = true;
        try {
            writer.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted");
        }
    }

    @Override
    public void close() {
        isEnding = true;
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        } catch (IOException left) {
            // A pipe in the temporary directory takes no room.
        }
    }
}
