package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Looks now and then whether an interface is up, down, or gone, and at its MTU: three ioctls that
 * take no lock of the kernel's, so that a worker may ask (rtnetlink would wait behind any process
 * that makes interfaces). The interface is known by its index, which no other interface gets while
 * it exists: one that was deleted and made again under the same name is gone. The kernel itself may
 * take up to a second to notice that a carrier has come (its link watch). One thread looks, any
 * reads what was seen.
 */
public final class LinkState {
    /** How often a worker looks, in ns. */
    public static final long INTERVAL_NS = 50_000_000;

    private static final int UP = 1;
    private static final int DOWN = 0;
    private static final int GONE = -1;

    private static final int IFF_UP = 0x1;
    private static final int IFF_RUNNING = 0x40;

    private final Errno errno;
    private final int socketFd;
    private final int interfaceIndex;
    private final MemorySegment ifreq = Arena.ofAuto().allocate(Structs.IFREQ_BYTES, 8);
    private long nextNs;
    private volatile int state = DOWN;
    private volatile int mtuBytes;

    /**
     * Looks for the first time.
     *
     * @param socketFd any socket of the interface's namespace
     */
    public LinkState(Errno errno, int socketFd, LinuxInterface watched) {
        this.errno = errno;
        this.socketFd = socketFd;
        this.interfaceIndex = watched.index();
        this.mtuBytes = watched.mtuBytes();
        look();
    }

    /** Looks if it is time to; answers whether it was. */
    public boolean lookIfDue(long nowNs) {
        if (nowNs - nextNs < 0) {
            return false;
        }
        nextNs = nowNs + INTERVAL_NS;
        look();
        return true;
    }

    /** Looks now. */
    public void look() {
        if (state != GONE) {
            state = asked();
        }
    }

    private int asked() {
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

    /** Looks now, and when it is asked next. */
    public void lookAgain() {
        nextNs = 0;
        look();
    }

    /** Any thread: a call was refused because the interface is down or gone. */
    public void lost() {
        if (state != GONE) {
            state = DOWN;
        }
    }

    /** Any thread: it is gone for good, or no longer of interest. */
    public void end() {
        state = GONE;
    }

    /** Any thread: whether frames flow. */
    public boolean isUp() {
        return state == UP;
    }

    /** Any thread: whether they never will again. */
    public boolean isGone() {
        return state == GONE;
    }

    /** When it is time to look; MAX_VALUE if it is gone. */
    public long deadlineNs() {
        return state == GONE ? Long.MAX_VALUE : nextNs;
    }

    /** Any thread: the MTU. */
    public int mtuBytes() {
        return mtuBytes;
    }
}
