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
 * Writes a file that the page can play: the lines that viewers get, in gzip; the last line is
 * {@code {"end":true}}. The lines can be read at once, from a temporary file next to it that gets
 * the name at the end; an existing recording stays until then. Used by one thread.
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
     * Begins a recording; at its end it replaces an existing file.
     *
     * @param isLive whether lines may wait for a fifth of a second before they are in the file;
     *     otherwise each is in it at once, and the bytes depend only on the lines, so that a
     *     repeated run gives the same file
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

    /** The path of a recording until its end. */
    public static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + PART);
    }

    /** The final path of a recording that is being written; the file itself if it is finished. */
    static Path finished(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(PART)
                ? file.resolveSibling(name.substring(0, name.length() - PART.length()))
                : file;
    }

    /**
     * Refuses to replace a file of another kind, so that a mistyped name does not destroy it.
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
                            + ": the existing file is not a recording; allowed is a new name, or an"
                            + " existing recording, which is replaced");
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
     * Whether a file can be played; a recording that has just begun may still be empty.
     *
     * @throws DaemonException if it cannot be read
     */
    public static boolean isRecording(Path file) throws DaemonException {
        byte[] start = start(file);
        return Arrays.equals(start, Arrays.copyOf(GZIP, start.length));
    }

    /**
     * Makes a page play this run from now on, not an earlier one; without an end, the recording is
     * deleted with this process.
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
     * Says in words where a recording is, how large it is, and how to see it.
     *
     * @throws IOException if it does not exist
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
