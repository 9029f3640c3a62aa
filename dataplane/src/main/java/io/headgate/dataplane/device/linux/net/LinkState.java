package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Looks whether an interface is up, down, or gone, and at its MTU: three ioctls that take no lock
 * of the kernel's, so that a worker may ask (rtnetlink would wait behind any process that makes
 * interfaces). The interface is known by its index, which no other interface gets while it exists:
 * one that was deleted and made again under the same name is gone. The kernel itself may take up to
 * a second to notice that a carrier has come (its link watch). One thread's.
 */
public final class LinkState {
    public static final int UP = 1;
    static final int DOWN = 0;
    public static final int GONE = -1;

    private static final int IFF_UP = 0x1;
    private static final int IFF_RUNNING = 0x40;

    private final Errno errno;
    private final int socketFd;
    private final int interfaceIndex;
    private final MemorySegment ifreq = Arena.ofAuto().allocate(Structs.IFREQ_BYTES, 8);
    private int mtuBytes;

    /**
     * @param socketFd any socket of the interface's namespace
     */
    public LinkState(Errno errno, int socketFd, int interfaceIndex, int mtuBytes) {
        this.errno = errno;
        this.socketFd = socketFd;
        this.interfaceIndex = interfaceIndex;
        this.mtuBytes = mtuBytes;
    }

    /** Answers {@link #UP}: frames flow; {@link #DOWN}: not now; {@link #GONE}: never again. */
    public int look() {
        ifreq.set(ValueLayout.JAVA_INT, Structs.IFREQ_UNION_OFFSET, interfaceIndex);
        int named = Files.ioctl(errno, socketFd, Structs.SIOCGIFNAME, ifreq);
        if (named < 0) {
            return named == -Errno.ENODEV ? GONE : DOWN;
        }
        if (Files.ioctl(errno, socketFd, Structs.SIOCGIFMTU, ifreq) == 0) {
            mtuBytes = ifreq.get(ValueLayout.JAVA_INT, Structs.IFREQ_UNION_OFFSET);
        }
        if (Files.ioctl(errno, socketFd, Structs.SIOCGIFFLAGS, ifreq) < 0) {
            return DOWN;
        }
        int flags = ifreq.get(ValueLayout.JAVA_SHORT, Structs.IFREQ_UNION_OFFSET);
        // RUNNING is the carrier: a veth loses it when its peer goes down.
        return (flags & (IFF_UP | IFF_RUNNING)) == (IFF_UP | IFF_RUNNING) ? UP : DOWN;
    }

    /** The MTU as last seen. */
    public int mtuBytes() {
        return mtuBytes;
    }
}
