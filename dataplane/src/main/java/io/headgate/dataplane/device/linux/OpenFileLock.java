package io.headgate.dataplane.device.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file lock that belongs to one opening of the file (open file description locks, fcntl(2)): it
 * is held until that is closed; the kernel frees it when the process ends. Java's own locks belong
 * to the process, which loses them as soon as it closes the same file anywhere else, even if it
 * opened it only to test the lock. Each kind also excludes the other.
 */
public final class OpenFileLock implements AutoCloseable {
    private static final int F_OFD_SETLK = 37;
    private static final int F_OFD_SETLKW = 38;
    private static final short F_WRLCK = 1;

    /** {@code struct flock}: type, whence, start, length (0: all of the file), process (0). */
    private static final int FLOCK_BYTES = 32;

    private final Errno errno = new Errno();
    private int fd;

    private OpenFileLock(int fd) {
        this.fd = fd;
    }

    /**
     * Takes the lock, and waits while another has it.
     *
     * @param file created if it does not exist
     */
    public static OpenFileLock await(Path file) throws IOException {
        OpenFileLock taken = take(file, F_OFD_SETLKW);
        if (taken == null) {
            throw new FileSystemException(file.toString(), null, "its lock cannot be had");
        }
        return taken;
    }

    /**
     * Takes the lock if it is free.
     *
     * @param file made if it does not exist
     * @return null if it is taken, in this process or in another one
     */
    public static @Nullable OpenFileLock tryTake(Path file) throws IOException {
        return take(file, F_OFD_SETLK);
    }

    private static @Nullable OpenFileLock take(Path file, int command) throws IOException {
        Errno errno = new Errno();
        int fd = open(errno, file);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flock = arena.allocate(FLOCK_BYTES, Long.BYTES);
            flock.set(ValueLayout.JAVA_SHORT, 0, F_WRLCK);
            int result;
            do {
                result = Files.fcntl(errno, fd, command, flock);
            } while (result == -Errno.EINTR);
            if (result == 0) {
                return new OpenFileLock(fd);
            }
            Files.close(errno, fd);
            if (result == -Errno.EAGAIN || result == -Errno.EACCES) {
                return null;
            }
            throw failed(file, result);
        }
    }

    private static int open(Errno errno, Path file) throws IOException {
        while (true) {
            try {
                java.nio.file.Files.createFile(file);
            } catch (FileAlreadyExistsException e) {
                // The usual case.
            }
            int fd = Files.open(errno, file.toAbsolutePath().toString(), Files.O_RDWR);
            if (fd >= 0) {
                return fd;
            }
            if (fd != -Errno.ENOENT) {
                throw failed(file, fd);
            }
            // Removed in between.
        }
    }

    private static IOException failed(Path file, int result) {
        return new FileSystemException(file.toString(), null, file + ": " + Errno.describe(result));
    }

    /** Frees the lock. Idempotent. */
    @Override
    public void close() {
        if (fd >= 0) {
            Files.close(errno, fd);
            fd = -1;
        }
    }
}
