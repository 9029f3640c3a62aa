package io.headgate.testbed.scenario.trace;

import io.headgate.config.Reason;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Writes a recording: 15 to 20 bytes for each frame that is put on a link.
 *
 * <pre>
 *   "HGTRACE2"                                   8 bytes
 *   number of links, then their names            int, each a text
 *   number of details, then names and values     int, each two texts
 *   records:  link                               variable-length
 *             start since that of the record
 *             before, in ps                      variable-length, signed
 *             arrival since the start, in ps,
 *             and 1; 0: lost on the way          variable-length
 *             length in bytes                    variable-length
 *             hash of the stored bytes           8 bytes
 *   end:      number of links                    variable-length
 *             number of records                  8 bytes
 *             digest of the run                  8 bytes
 * </pre>
 *
 * Integers are little-endian; a text is an int of its length and UTF-8. A variable-length number
 * has seven bits in a byte, the lowest first, and at most nine bytes, with the highest bit set
 * where another follows; a signed one has its sign in the lowest bit. A recording without its end
 * belongs to a run that was cut short.
 */
public final class TraceWriter implements AutoCloseable {
    static final byte[] MAGIC = "HGTRACE2".getBytes(StandardCharsets.US_ASCII);

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int LONGEST_RECORD_BYTES = 64;

    private final Path file;
    private final FileChannel channel;
    private final int links;
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long lastPs;
    private long records;

    /**
     * Begins a recording; replaces an existing file.
     *
     * @throws ScenarioException if the file cannot be written
     */
    public TraceWriter(Path file, TraceHeader header) throws ScenarioException {
        this.file = file;
        this.links = header.links().size();
        try {
            channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
            buffer.put(MAGIC);
            buffer.putInt(header.links().size());
            for (String link : header.links()) {
                text(link);
            }
            buffer.putInt(header.details().size());
            for (Map.Entry<String, String> detail : header.details().entrySet()) {
                text(detail.getKey());
                text(detail.getValue());
            }
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot write the recording " + file + ": " + Reason.of(e), e);
        }
    }

    private void text(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (buffer.remaining() < bytes.length + Integer.BYTES) {
            flush();
        }
        buffer.putInt(bytes.length).put(bytes);
    }

    /**
     * Records a frame.
     *
     * @param arrivePs when it arrives at the far end; {@link TraceRecord#LOST} if never
     * @throws UncheckedIOException if the file cannot be written
     */
    public void record(int link, long startPs, long arrivePs, int lengthBytes, long storedHash) {
        if (buffer.remaining() < LONGEST_RECORD_BYTES) {
            try {
                flush();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write the recording " + file, e);
            }
        }
        variable(link);
        // A link may start a frame later within the nanosecond than the next one starts its own.
        long sinceLastPs = startPs - lastPs;
        variable(sinceLastPs < 0 ? -2 * sinceLastPs - 1 : 2 * sinceLastPs);
        variable(arrivePs == TraceRecord.LOST ? 0 : arrivePs - startPs + 1);
        variable(lengthBytes);
        buffer.putLong(storedHash);
        lastPs = startPs;
        records++;
    }

    private void variable(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative: " + value);
        }
        long rest = value;
        while (rest > 0x7f) {
            buffer.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
    }

    private void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /**
     * Ends the recording of a run that has come to its end.
     *
     * @param digest digest of the run, which identifies the recording as its own
     */
    public void end(long digest) throws ScenarioException {
        try {
            if (buffer.remaining() < LONGEST_RECORD_BYTES) {
                flush();
            }
            variable(links);
            buffer.putLong(records);
            buffer.putLong(digest);
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot write the recording " + file + ": " + Reason.of(e), e);
        }
    }

    /** Writes the rest and closes the file. Idempotent. */
    @Override
    public void close() throws ScenarioException {
        if (!channel.isOpen()) {
            return;
        }
        try (channel) {
            flush();
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot write the recording " + file + ": " + Reason.of(e), e);
        }
    }
}
