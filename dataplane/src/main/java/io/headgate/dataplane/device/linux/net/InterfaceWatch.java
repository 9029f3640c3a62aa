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
    private final InterfaceDrops drops;
    private int socketFd;
    private int state = LinkState.UP;

    private InterfaceWatch(LinuxInterface watched) throws DeviceException {
        drops = InterfaceDrops.ofReceiving(watched);
        socketFd =
                Sockets.socket(
                        errno, Sockets.AF_INET, Sockets.SOCK_DGRAM | Sockets.SOCK_CLOEXEC, 0);
        if (socketFd < 0) {
            drops.close();
            throw new DeviceException(
                    "cannot watch " + watched.where() + ": " + Errno.describe(socketFd));
        }
        link = new LinkState(errno, socketFd, watched.index(), watched.mtuBytes());
        look();
    }

    /** Begins to watch; drops count from now on. */
    public static InterfaceWatch open(LinuxInterface watched) throws DeviceException {
        return NetworkNamespace.call(watched.netns(), () -> new InterfaceWatch(watched));
    }

    /** Looks at the link. An interface that is gone stays so, whatever comes under its name. */
    public void look() {
        if (state != LinkState.GONE && socketFd >= 0) {
            state = link.look();
        }
    }

    /** Whether the link was up when last looked at. */
    public boolean isUp() {
        return state == LinkState.UP;
    }

    /** Whether the interface was gone for good when last looked at. */
    public boolean isGone() {
        return state == LinkState.GONE;
    }

    /** Reads the interface's drop counters. */
    public void readDrops() {
        if (state != LinkState.GONE) {
            drops.read();
        }
    }

    /** Frames that the interface dropped on receiving, as last read. */
    public long receiveDrops() {
        return drops.count();
    }

    @Override
    public void close() {
        if (socketFd >= 0) {
            Files.close(errno, socketFd);
            socketFd = -1;
            drops.close();
        }
    }
}
