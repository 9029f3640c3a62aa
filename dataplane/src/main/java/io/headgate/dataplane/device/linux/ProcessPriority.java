package io.headgate.dataplane.device.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much of a contended core the threads of this process get (nice(2)). All of them: a worker
 * that waits for a garbage collector which has no core waits as long as one that has none itself.
 * Threads that are made later are as nice as those that make them; so are programs.
 */
public final class ProcessPriority {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final int ESRCH = 3;

    private ProcessPriority() {}

    /**
     * Makes every thread of this process so nice.
     *
     * @param nice from -20, which takes most, to 19; below 0 needs CAP_SYS_NICE
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
