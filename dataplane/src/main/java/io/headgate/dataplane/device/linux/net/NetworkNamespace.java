package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Threads;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs work inside a network namespace, named as by {@code ip netns}: the calling thread moves
 * there and comes back, so that sockets opened meanwhile belong to the namespace. Needs
 * CAP_SYS_ADMIN (setns(2)).
 */
public final class NetworkNamespace {
    private static final Path DIRECTORY = Path.of("/run/netns");
    private static final Pattern PROCESS_FILE = Pattern.compile("/proc/[0-9]+/ns/net");

    private NetworkNamespace() {}

    /** Work to do inside a namespace. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        T run() throws DeviceException;
    }

    /**
     * Runs work with the calling thread inside a namespace, and returns it.
     *
     * @param name a name that {@code ip netns list} shows; null or empty: stay where we are
     * @throws DeviceException if no namespace has that name, or permission is missing
     */
    public static <T extends @Nullable Object> T call(@Nullable String name, Work<T> work)
            throws DeviceException {
        if (name == null || name.isEmpty()) {
            return work.run();
        }
        Errno errno = new Errno();
        int home = enter(errno, name);
        try {
            return work.run();
        } finally {
            leave(errno, home, name);
        }
    }

    /** Number of the loopback interface in every namespace. */
    public static final int LOOPBACK = 1;

    /**
     * Makes a namespace without a name, which has only a loopback that is down, and runs work
     * inside.
     *
     * @param kept receives a descriptor; the namespace exists as long as that is open
     */
    public static <T extends @Nullable Object> T callInNew(IntConsumer kept, Work<T> work)
            throws DeviceException {
        Errno errno = new Errno();
        int home = openCurrent(errno, "");
        int made = Threads.unshare(errno, Threads.CLONE_NEWNET);
        if (made < 0) {
            Files.close(errno, home);
            throw new DeviceException("cannot make a network namespace: " + Errno.describe(made));
        }
        try {
            kept.accept(openCurrent(errno, ""));
            return work.run();
        } finally {
            leave(errno, home, "");
        }
    }

    private static int openCurrent(Errno errno, String name) throws DeviceException {
        int fd = Files.open(errno, "/proc/thread-self/ns/net", Files.O_RDONLY);
        if (fd < 0) {
            throw refused(name, fd);
        }
        return fd;
    }

    /** Value of {@link #identity} if no namespace has the name. */
    public static final long NONE = -1;

    /** Value of {@link #identity} if that cannot be found out. */
    public static final long UNKNOWN = -2;

    /**
     * A number that identifies the namespace that has a name now; the name may later be given to
     * another namespace. No other namespace has the number while a socket of ours keeps this one
     * alive, which it does even if the name is gone.
     *
     * @param name null or empty: our own, which does not change
     */
    public static long identity(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            return 0;
        }
        try {
            return (long) java.nio.file.Files.getAttribute(path(name), "unix:ino");
        } catch (NoSuchFileException gone) {
            return NONE;
        } catch (IOException | DeviceException unseen) {
            return UNKNOWN;
        }
    }

    /** Names of the namespaces that {@code ip netns} knows, sorted. */
    public static List<String> names() {
        String[] names = DIRECTORY.toFile().list();
        if (names == null) {
            return List.of();
        }
        Arrays.sort(names);
        return List.of(names);
    }

    /**
     * Namespaces of the processes that we can see, one file each, such as {@code /proc/123/ns/net},
     * which can be used as a name here.
     */
    static List<String> ofProcesses() {
        String[] entries = Path.of("/proc").toFile().list();
        Map<String, String> fileByNamespace = new TreeMap<>();
        for (String entry : entries == null ? new String[0] : entries) {
            String file = "/proc/" + entry + "/ns/net";
            if (PROCESS_FILE.matcher(file).matches()) {
                try {
                    String inode = java.nio.file.Files.readSymbolicLink(Path.of(file)).toString();
                    fileByNamespace.putIfAbsent(inode, file);
                } catch (IOException goneOrNotOurs) {
                    // Then it says nothing.
                }
            }
        }
        return List.copyOf(fileByNamespace.values());
    }

    /** The prefix that runs a command inside the namespace, with a space at the end. */
    public static String commandPrefix(String name) {
        if (name.isEmpty()) {
            return "";
        }
        boolean ofProcess = PROCESS_FILE.matcher(name).matches();
        return (ofProcess ? "nsenter --net=" + name : "ip netns exec " + name) + " ";
    }

    /** Where a namespace of this name is bound. */
    static Path path(String name) throws DeviceException {
        if (PROCESS_FILE.matcher(name).matches()) {
            return Path.of(name);
        }
        if (name.isEmpty() || name.contains("/") || name.equals(".") || name.equals("..")) {
            throw new DeviceException(
                    ("'%s' cannot be the name of a network namespace; allowed: a name that 'ip"
                                    + " netns list' shows, without '/'")
                            .formatted(name));
        }
        return DIRECTORY.resolve(name);
    }

    /** Returns the thread's previous namespace. */
    private static int enter(Errno errno, String name) throws DeviceException {
        int fd = Files.open(errno, path(name).toString(), Files.O_RDONLY);
        if (fd == -Errno.ENOENT) {
            throw new DeviceException(
                    "there is no network namespace '%s'; create it with 'ip netns add %s'%s"
                            .formatted(name, name, known()));
        }
        if (fd < 0) {
            throw refused(name, fd);
        }
        try {
            int home = openCurrent(errno, name);
            int entered = Threads.setns(errno, fd, Threads.CLONE_NEWNET);
            if (entered < 0) {
                Files.close(errno, home);
                throw refused(name, entered);
            }
            return home;
        } finally {
            Files.close(errno, fd);
        }
    }

    private static String known() {
        List<String> names = names();
        return names.isEmpty() ? "" : " (there are: " + String.join(", ", names) + ")";
    }

    private static DeviceException refused(String name, int result) {
        if (result == -Errno.EPERM || result == -Errno.EACCES) {
            return new DeviceException(
                    ("no permission to enter network namespace '%s': it needs CAP_SYS_ADMIN; run as"
                                    + " root")
                            .formatted(name));
        }
        return new DeviceException(
                ("cannot enter network namespace '%s': %s; 'ip netns del %s' removes its remains")
                        .formatted(name, Errno.describe(result), name));
    }

    private static void leave(Errno errno, int home, String name) {
        int left = Threads.setns(errno, home, Threads.CLONE_NEWNET);
        Files.close(errno, home);
        if (left < 0) {
            // Going on would open every later socket in the wrong namespace.
            throw new IllegalStateException(
                    "cannot leave namespace '" + name + "': " + Errno.describe(left));
        }
    }
}
