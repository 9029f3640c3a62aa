package io.headgate.testbed.scenario.trace;

import io.headgate.config.Reason;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a recording from its beginning, one record at a time. One thread. */
public final class TraceReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int MAX_LINKS = 10_000_000;
    private static final int MAX_TEXT_BYTES = 1 << 20;

    private final Path file;
    private final DataInputStream in;
    private final TraceHeader header;
    private long lastPs;
    private long number;
    private long digest;
    private boolean ended;
    private boolean cutShort;

    /**
     * Opens a recording.
     *
     * @throws ScenarioException if the file does not exist, or is not a recording
     */
    public TraceReader(Path file) throws ScenarioException {
        this.file = file;
        try {
            in =
                    new DataInputStream(
                            new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
        } catch (NoSuchFileException e) {
            throw new ScenarioException("there is no recording " + file, e);
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot read the recording " + file + ": " + Reason.of(e), e);
        }
        try {
            header = readHeader();
        } catch (IOException | ScenarioException e) {
            try {
                in.close();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e instanceof ScenarioException already
                    ? already
                    : new ScenarioException(
                            file + " is a recording that is truncated in its header", e);
        }
    }

    private TraceHeader readHeader() throws IOException, ScenarioException {
        byte[] magic = in.readNBytes(TraceWriter.MAGIC.length);
        if (!Arrays.equals(magic, TraceWriter.MAGIC)) {
            throw new ScenarioException(
                    file
                            + " is not a recording of this version: it does not begin with "
                            + new String(TraceWriter.MAGIC, StandardCharsets.US_ASCII));
        }
        int count = count("links", MAX_LINKS);
        List<String> links = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            links.add(text());
        }
        Map<String, String> details = new LinkedHashMap<>();
        int pairs = count("details", MAX_LINKS);
        for (int i = 0; i < pairs; i++) {
            details.put(text(), text());
        }
        return new TraceHeader(links, details);
    }

    private int count(String what, int max) throws IOException, ScenarioException {
        int count = Integer.reverseBytes(in.readInt());
        if (count < 0 || count > max) {
            throw new ScenarioException(
                    "%s is damaged: %s %s in its header, at most %s are allowed"
                            .formatted(file, count, what, max));
        }
        return count;
    }

    private String text() throws IOException, ScenarioException {
        byte[] bytes = in.readNBytes(count("bytes of a text", MAX_TEXT_BYTES));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public TraceHeader header() {
        return header;
    }

    /** Whether the recording has no end because its run was cut short; known at its last record. */
    public boolean isCutShort() {
        return cutShort;
    }

    /**
     * The digest at the end of a recording, without reading the rest; any number if the file is cut
     * short, or is not a recording.
     *
     * @throws ScenarioException if it cannot be read
     */
    public static long digestOf(Path file) throws ScenarioException {
        ByteBuffer end = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.read(end, Math.max(0, channel.size() - Long.BYTES));
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot read the recording " + file + ": " + Reason.of(e), e);
        }
        return end.getLong(0);
    }

    /** Digest of the run; known after {@link #next} has returned null, unless cut short. */
    public long digest() {
        return digest;
    }

    /**
     * The next record; null at the end.
     *
     * @throws ScenarioException if the recording is damaged here
     */
    public @Nullable TraceRecord next() throws ScenarioException {
        if (ended) {
            return null;
        }
        try {
            long link = variable();
            long links = header.links().size();
            if (link == links) {
                requireCount(Long.reverseBytes(in.readLong()));
                digest = Long.reverseBytes(in.readLong());
                ended = true;
                return null;
            }
            long since = variable();
            long startPs =
                    Math.addExact(lastPs, (since & 1) == 0 ? since >>> 1 : -(since >>> 1) - 1);
            long transit = variable();
            long arrivePs = transit == 0 ? TraceRecord.LOST : Math.addExact(startPs, transit - 1);
            long length = variable();
            if (link > links || length > Integer.MAX_VALUE) {
                throw damaged();
            }
            long hash = Long.reverseBytes(in.readLong());
            lastPs = startPs;
            return new TraceRecord(number++, (int) link, startPs, arrivePs, (int) length, hash);
        } catch (EOFException e) {
            ended = true;
            cutShort = true;
            return null;
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot read the recording " + file + ": " + Reason.of(e), e);
        } catch (ArithmeticException e) {
            throw damaged();
        }
    }

    private void requireCount(long written) throws ScenarioException {
        if (written != number) {
            throw new ScenarioException(
                    file + " is damaged: its end has " + written + " records, it has " + number);
        }
    }

    private ScenarioException damaged() {
        return new ScenarioException(file + " is damaged at record " + number);
    }

    private long variable() throws IOException, ScenarioException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int next = in.readUnsignedByte();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw damaged();
    }

    @Override
    public void close() throws ScenarioException {
        try {
            in.close();
        } catch (IOException e) {
            throw new ScenarioException("cannot close the recording " + file, e);
        }
    }
}
