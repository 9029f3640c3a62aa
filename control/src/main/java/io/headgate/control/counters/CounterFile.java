package io.headgate.control.counters;

import io.headgate.dataplane.counter.CounterReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The file that holds a switch's counters, mapped into the switch and into each of its readers. */
public final class CounterFile {
    private CounterFile() {}

    /**
     * Makes the file and maps it for writing. It stays mapped for as long as the memory is in use.
     *
     * @throws UncheckedIOException if it cannot be made
     */
    public static MemorySegment create(Path file, long lengthBytes) {
        try {
            Files.deleteIfExists(file);
            try (FileChannel channel =
                    FileChannel.open(
                            file,
                            Set.of(
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.READ,
                                    StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-r--r--")))) {
                return channel.map(MapMode.READ_WRITE, 0, lengthBytes, Arena.ofAuto());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Maps a switch's file for reading.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException with one sentence, if it does not hold counters
     */
    public static CounterReader open(Path file) throws IOException {
        return new CounterReader(map(file));
    }

    /**
     * Maps any file of this kind for reading.
     *
     * @throws IOException if it cannot be read
     */
    public static MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
        }
    }
}
