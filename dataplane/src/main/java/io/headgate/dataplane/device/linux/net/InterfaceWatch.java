package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;

/**
 * Watches an interface for a device that is not itself a socket of ours: whether its link is up, or
 * it is gone, and what it drops. Looking takes a few system calls, none of which waits. One
 * thread's.
 */
public final class InterfaceWatch implements AutoCloseable {
    private final Errno errno = new Errno();
    private final LinkState link;
    private final InterfaceLosses losses;
    private final int socketFd;

    private InterfaceWatch(LinuxInterface watched, long ringFrames) throws DeviceException {
        losses = new InterfaceLosses(watched, ringFrames);
        socketFd =
                Sockets.socket(
                        errno, Sockets.AF_INET, Sockets.SOCK_DGRAM | Sockets.SOCK_CLOEXEC, 0);
        if (socketFd < 0) {
            losses.close();
            throw new DeviceException(
                    "cannot watch " + watched.where() + ": " + Errno.describe(socketFd));
        }
        link = new LinkState(errno, socketFd, watched);
    }

    /**
     * Begins to watch; losses count from now on.
     *
     * @param ringFrames most frames that wait before they are received
     */
    public static InterfaceWatch open(LinuxInterface watched, long ringFrames)
            throws DeviceException {
        return NetworkNamespace.call(
                watched.netns(), () -> new InterfaceWatch(watched, ringFrames));
    }

    /** Whether it is up. */
    public LinkState link() {
        return link;
    }

    /** Reads what the interface counts as dropped. */
    public void readLosses() {
        if (!link.isGone()) {
            losses.read();
        }
    }

    /** Frames lost on receiving; it must be notified of all frames received. */
    public InterfaceLosses losses() {
        return losses;
    }

    @Override
    public void close() {
        link.end();
        Files.close(errno, socketFd);
        losses.close();
    }
}
