package io.headgate.dataplane.device.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Real-time scheduling (SCHED_FIFO, sched(7)): such a thread runs before all others, so that other
 * work on the machine delays it no longer than the kernel itself does. The kernel limits its share
 * of a core below the whole (sched_rt_runtime_us).
 */
public final class RealTimePriority {
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_FIFO = 1;
    private static final int LOWEST = 1;

    /**
     * For threads that move frames: others wait for them. A thread of the same priority would not:
     * it keeps its core until it sleeps.
     */
    private static final int AHEAD = 2;

    private static final int CALLER = 0;
    private static final Path TASKS = Path.of("/proc/self/task");

    /**
     * As the kernel has their names. Threads with real-time priority wait for the collector; and
     * while they keep the compilers from the cores they run code that is not compiled, which takes
     * ten times as long.
     */
    private static final List<String> OF_JVM = List.of("C1 Compiler", "C2 Compiler", "VM Thread");

    private RealTimePriority() {}

    /**
     * Gives the calling thread real-time priority; threads that it starts later inherit it.
     *
     * @return whether the kernel allows it, which needs CAP_SYS_NICE
     */
    public static boolean take() {
        return schedule(CALLER, SCHED_FIFO, LOWEST) >= 0;
    }

    /**
     * Raises the calling thread above those that {@link #take} real-time priority, if it has it
     * too.
     */
    public static void goAhead() {
        if (isTaken()) {
            schedule(CALLER, SCHED_FIFO, AHEAD);
        }
    }

    /**
     * Gives other threads of this process, and the JVM's threads that they depend on, a real-time
     * priority above that of threads that {@link #take} it.
     *
     * @param prefix prefix of their names, at most 15 characters
     */
    public static void give(String prefix) {
        schedule(prefix, SCHED_FIFO, AHEAD);
    }

    /** Takes it from them. */
    public static void takeBack(String prefix) {
        schedule(prefix, SCHED_OTHER, 0);
    }

    /**
     * Gives real-time priority only to the JVM's threads that all others depend on: for threads
     * that {@link #take} it. If those are busy on every core, the compilers would otherwise wait,
     * and the threads would run slow, uncompiled code.
     */
    public static void giveToJvm() {
        schedule(null, SCHED_FIFO, AHEAD);
    }

    /** Takes it from them. */
    public static void takeBackFromJvm() {
        schedule(null, SCHED_OTHER, 0);
    }

    private static void schedule(@Nullable String prefix, int policy, int priority) {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                String name = name(task);
                if ((prefix != null && name.startsWith(prefix))
                        || OF_JVM.stream().anyMatch(name::startsWith)) {
                    // One that has ended meanwhile needs nothing.
                    schedule(Integer.parseInt(task.getFileName().toString()), policy, priority);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // There is no /proc, or it cannot be read: priorities stay.
        }
    }

    /** The name of a thread; empty if it has ended. */
    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm"));
        } catch (IOException ended) {
            return "";
        }
    }

    /** Takes it from the calling thread; threads that inherited it keep it. */
    public static void giveBack() {
        int result = schedule(CALLER, SCHED_OTHER, 0);
        if (result < 0) {
            throw new IllegalStateException("sched_setscheduler: " + Errno.describe(result));
        }
    }

    /** Whether the calling thread has it. */
    public static boolean isTaken() {
        return Threads.scheduler() == SCHED_FIFO;
    }

    private static int schedule(int thread, int policy, int priority) {
        Errno errno = new Errno();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parameters = arena.allocate(ValueLayout.JAVA_INT);
            parameters.set(ValueLayout.JAVA_INT, 0, priority);
            return Threads.setScheduler(errno, thread, policy, parameters);
        }
    }
}
