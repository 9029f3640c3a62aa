package io.headgate.dataplane.device.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Sets the nice value of all threads of this process (nice(2)), that is, their share of a contended
 * core. It must be all threads: a worker that waits for a garbage collector without a core waits as
 * long as if it had no core itself. Threads and programs that are started later inherit the value.
 */
public final class ProcessPriority {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final int ESRCH = 3;

    private ProcessPriority() {}

    /**
     * Sets the nice value of every thread of this process.
     *
     * @param nice from -20 (largest share) to 19; below 0 needs CAP_SYS_NICE
     * @return whether the kernel did so for all of them
     */
    public static boolean set(int nice) {
        Errno errno = new Errno();
        boolean all = true;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
            for (Path thread : threads) {
                int number = Integer.parseInt(String.valueOf(thread.getFileName()));
                int result = Threads.setPriority(errno, number, nice);
                // A thread that has ended meanwhile needs no priority.
                all &= result == 0 || result == -ESRCH;
            }
        } catch (IOException e) {
            return false;
        }
        return all;
    }
}
