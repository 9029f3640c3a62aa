package io.headgate.testbed.scenario.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lock file that only one run at a time can hold; that run removes it. The operating system keeps
 * the lock: it is free as soon as its process has ended, so the file of a killed process blocks no
 * other run.
 */
final class DirectoryLock implements AutoCloseable {
    /**
     * Files that runs of this process have. The system's locks are a process's, and free as soon as
     * it closes the file, whichever of its runs had opened it: none may open what another one has.
     */
    private static final Set<Path> HELD = new HashSet<>();

    private static final int HOLDER_BYTES = 200;

    private final Path file;
    private final FileChannel channel;

    static final class TakenException extends Exception {
        private static final long serialVersionUID = 1L;

        /**
         * @param holder such as {@code process 4711, since 14:05:07}
         */
        TakenException(String holder) {
            super(holder);
        }
    }

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @param file absolute path of the lock file, the same for all processes that want this lock
     * @throws TakenException if another run has it
     */
    static DirectoryLock take(Path file) throws IOException, TakenException {
        String holder =
                "process "
                        + ProcessHandle.current().pid()
                        + ", since "
                        + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
        synchronized (HELD) {
            if (HELD.contains(file)) {
                throw new TakenException("this process");
            }
            while (true) {
                Object before = identity(file);
                FileChannel channel = open(file);
                // Another run may have ended, and removed the file that was opened.
                if (before != null && before.equals(identity(file))) {
                    channel.truncate(0);
                    channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
                    HELD.add(file);
                    return new DirectoryLock(file, channel);
                }
                channel.close();
            }
        }
    }

    /** Identity of the file of this name; null if it does not exist. */
    private static @Nullable Object identity(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static FileChannel open(Path file) throws IOException, TakenException {
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
            ByteBuffer text = ByteBuffer.allocate(HOLDER_BYTES);
            channel.read(text, 0);
            throw new TakenException(
                    new String(text.array(), 0, text.position(), StandardCharsets.UTF_8));
        } catch (IOException | TakenException e) {
            channel.close();
            throw e;
        }
    }

    /** Removes the file, then frees the lock. */
    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            try (channel) {
                Files.deleteIfExists(file);
            } finally {
                HELD.remove(file);
            }
        }
    }
}
