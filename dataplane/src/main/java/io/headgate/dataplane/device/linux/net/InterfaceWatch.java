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
    private int socketFd;
    private int state = LinkState.UP;

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
        link = new LinkState(errno, socketFd, watched.index(), watched.mtuBytes());
        look();
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

    /** Reads what the interface counts as dropped. */
    public void readLosses() {
        if (state != LinkState.GONE) {
            losses.read();
        }
    }

    /** Frames lost on receiving; it must be notified of all frames received. */
    public InterfaceLosses losses() {
        return losses;
    }

    @Override
    public void close() {
        if (socketFd >= 0) {
            Files.close(errno, socketFd);
            socketFd = -1;
            losses.close();
        }
    }
}
