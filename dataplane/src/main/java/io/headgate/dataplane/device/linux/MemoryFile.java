package io.headgate.dataplane.device.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A file in no directory (memfd_create(2)), for libraries that read nothing but files: no directory
 * has to be writable, and nothing is left behind however the process ends.
 */
public final class MemoryFile implements AutoCloseable {
    private static final int MFD_CLOEXEC = 1;

    private final Errno errno = new Errno();
    private final int fd;

    /**
     * Makes a file.
     *
     * @param name a name for people who inspect this process
     * @throws IOException if the kernel has no such files, or not enough memory
     */
    public MemoryFile(String name, byte[] content) throws IOException {
        fd = Files.memfdCreate(errno, name, MFD_CLOEXEC);
        if (fd < 0) {
            throw new IOException("no file in memory: " + Errno.describe(fd));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, content);
            for (long at = 0; at < content.length; ) {
                long written = Files.write(errno, fd, bytes.address() + at, content.length - at);
                if (written <= 0) {
                    close();
                    throw new IOException(
                            "a file in memory cannot be written: " + Errno.describe(written));
                }
                at += written;
            }
        }
    }

    /** Where this process, and no other, opens it. */
    public Path path() {
        return Path.of("/proc/self/fd", Integer.toString(fd));
    }

    /** Gives its memory back, once no process has it open. */
    @Override
    public void close() {
        Files.close(errno, fd);
    }
}
