package io.headgate.control.web;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/**
 * A file that the page plays, as it is written: the lines that viewers get, in gzip; the last line
 * is {@code {"end":true}}. What is written can be read at once, in a file next to it, which gets
 * its name at the end: a recording that is there stays until then. One thread.
 */
public final class RecordingFile implements AutoCloseable {
    private static final byte[] GZIP = {0x1F, (byte) 0x8B};
    private static final String PART = ".part";
    private static final int BUFFER_BYTES = 65_536;
    private static final long FLUSH_NS = 200_000_000;

    private final Path file;
    private final boolean isLive;
    private final BufferedWriter out;
    private long flushedNs = System.nanoTime();

    /**
     * Begins a recording; a file that is there is replaced at its end.
     *
     * @param isLive whether lines may wait for a fifth of a second before they are in the file;
     *     otherwise each is there at once, and the bytes follow from the lines alone, so that a run
     *     made twice is the same file
     * @throws IOException if the file cannot be written
     */
    RecordingFile(Path file, boolean isLive) throws IOException {
        this.file = file;
        this.isLive = isLive;
        this.out =
                new BufferedWriter(
                        new OutputStreamWriter(
                                new GZIPOutputStream(
                                        Files.newOutputStream(unfinished(file)),
                                        BUFFER_BYTES,
                                        true),
                                StandardCharsets.UTF_8));
    }

    /** Where a recording is until its end. */
    public static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + PART);
    }

    /** Where what is being written to a file will be; the file itself if it is at its place. */
    static Path finished(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(PART)
                ? file.resolveSibling(name.substring(0, name.length() - PART.length()))
                : file;
    }

    /**
     * A name that was mistyped must not cost a file that is something else.
     *
     * @throws DaemonException if a recording must not be written there, in a sentence
     */
    public static void requireReplaceable(Path file) throws DaemonException {
        if (!Files.exists(file)) {
            return;
        }
        if (!Arrays.equals(start(file), GZIP)) {
            throw new DaemonException(
                    "--record "
                            + file
                            + ": what is there is no recording; allowed is a new name, or a"
                            + " recording to be replaced");
        }
    }

    private static byte[] start(Path file) throws DaemonException {
        if (!Files.isRegularFile(file)) {
            return new byte[0];
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(GZIP.length);
        } catch (IOException e) {
            throw new DaemonException("cannot read " + file + ": " + Reason.of(e));
        }
    }

    /**
     * Whether a file can be played; of a recording that has just begun nothing may be there yet.
     *
     * @throws DaemonException if it cannot be read
     */
    public static boolean isRecording(Path file) throws DaemonException {
        byte[] start = start(file);
        return Arrays.equals(start, Arrays.copyOf(GZIP, start.length));
    }

    /**
     * What a page plays from now on is this run, not an earlier one; without an end it goes with
     * this process.
     *
     * @throws DaemonException if it cannot be written there
     */
    public static void begin(Path file) throws DaemonException {
        Path unfinished = unfinished(file);
        try {
            Files.write(unfinished, new byte[0]);
            unfinished.toFile().deleteOnExit();
        } catch (IOException e) {
            throw refused(file, e);
        }
    }

    static DaemonException refused(Path file, Exception e) {
        return new DaemonException("cannot write the recording " + file + ": " + Reason.of(e));
    }

    /**
     * In words: where a recording is, how large, and how to see it.
     *
     * @throws IOException if it is not there
     */
    public static String describe(Path file) throws IOException {
        return "recording: %s, %.1f kB; headgate web --play %s shows it"
                .formatted(file, Files.size(file) / 1e3, file);
    }

    /**
     * Adds a line.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    void write(String line) {
        try {
            out.write(line);
            out.write('\n');
            if (!isLive || System.nanoTime() - flushedNs > FLUSH_NS) {
                out.flush();
                flushedNs = System.nanoTime();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (out) {
            out.write("{\"end\":true}\n");
        }
        Files.move(unfinished(file), file, StandardCopyOption.ATOMIC_MOVE);
    }
}
