package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.frame.MacAddress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * The kernel's files of one interface, below {@code class/net}. A sysfs shows the network namespace
 * in which it was mounted, and the one at /sys usually shows another namespace than the calling
 * thread's. So one is mounted without a path (fsmount(2)), and disappears when the last of its
 * files is closed. A process that may not do that cannot have changed its namespace either, so that
 * /sys is its own, which is checked.
 */
public final class Sysfs implements AutoCloseable {
    // The same numbers on every architecture.
    private static final long SYS_FSOPEN = 430;
    private static final long SYS_FSCONFIG = 431;
    private static final long SYS_FSMOUNT = 432;

    private static final long FSOPEN_CLOEXEC = 1;
    private static final long FSMOUNT_CLOEXEC = 1;
    private static final long CREATE = 6;
    private static final int FILE_BYTES = 64;

    private final Errno errno;
    private final LinuxInterface link;
    private final int rootFd;

    private Sysfs(Errno errno, LinuxInterface link, int rootFd) {
        this.errno = errno;
        this.link = link;
        this.rootFd = rootFd;
    }

    /**
     * Opens the files of an interface of the calling thread's namespace.
     *
     * @throws DeviceException if no sysfs that shows it is available
     */
    static Sysfs of(LinuxInterface link) throws DeviceException {
        Errno errno = new Errno();
        int mounted = mount(errno);
        if (mounted >= 0) {
            return new Sysfs(errno, link, mounted);
        }
        Sysfs there = new Sysfs(errno, link, Files.open(errno, "/sys", Files.O_RDONLY));
        if (there.shows()) {
            return there;
        }
        there.close();
        throw new DeviceException(
                ("cannot read the counters of %s: /sys is that of another network namespace,"
                                + " and mounting one of its own failed (%s); run as root, or mount a sysfs at"
                                + " /sys in this namespace")
                        .formatted(link.where(), Errno.describe(mounted)));
    }

    private static int mount(Errno errno) {
        int context;
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom("sysfs").address();
            context = (int) Files.syscall(errno, SYS_FSOPEN, name, FSOPEN_CLOEXEC, 0, 0, 0);
        }
        if (context < 0) {
            return context;
        }
        int made = (int) Files.syscall(errno, SYS_FSCONFIG, context, CREATE, 0, 0, 0);
        if (made >= 0) {
            made = (int) Files.syscall(errno, SYS_FSMOUNT, context, FSMOUNT_CLOEXEC, 0, 0, 0);
        }
        Files.close(errno, context);
        return made;
    }

    /** Whether it is this interface that has its name here. */
    private boolean shows() {
        return rootFd >= 0
                && read("ifindex").equals(Integer.toString(link.index()))
                && read("address").equals(MacAddress.format(link.mac()));
    }

    private String read(String file) {
        int fd = openAt(file);
        if (fd < 0) {
            return "";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(FILE_BYTES);
            long length = Files.read(errno, fd, text.address(), FILE_BYTES);
            byte[] bytes = text.asSlice(0, Math.max(0, length)).toArray(ValueLayout.JAVA_BYTE);
            return new String(bytes, StandardCharsets.US_ASCII).strip();
        } finally {
            Files.close(errno, fd);
        }
    }

    /** Opens a file of the interface for reading; -1 if it is gone. */
    int open(String file) {
        return Math.max(-1, openAt(file));
    }

    private int openAt(String file) {
        String path = "class/net/" + link.name() + "/" + file;
        return Files.openat(errno, rootFd, path, Files.O_RDONLY);
    }

    @Override
    public void close() {
        if (rootFd >= 0) {
            Files.close(errno, rootFd);
        }
    }
}
