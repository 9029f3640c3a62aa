package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Polls whether an interface is up, down, or gone, and its MTU. It uses three ioctls that take no
 * kernel lock, so that a worker may call it (rtnetlink would wait for any process that creates
 * interfaces). The interface is identified by its index, which no other interface gets while it
 * exists: one that was deleted and created again under the same name is gone. The kernel itself may
 * need up to a second to notice a new carrier (its link watch). One thread polls; any thread reads
 * the result.
 */
public final class LinkState {
    /** Interval at which a worker polls, in ns. */
    public static final long INTERVAL_NS = 50_000_000;

    private static final int UP = 1;
    private static final int DOWN = 0;
    private static final int GONE = -1;

    // For changes by several threads, none of which takes GONE back.
    private static final AtomicIntegerFieldUpdater<LinkState> STATE =
            AtomicIntegerFieldUpdater.newUpdater(LinkState.class, "state");

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
     * Polls for the first time.
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

    /** Polls if it is due; returns whether it was. */
    public boolean lookIfDue(long nowNs) {
        if (nowNs - nextNs < 0) {
            return false;
        }
        nextNs = nowNs + INTERVAL_NS;
        look();
        return true;
    }

    /** Polls now. */
    public void look() {
        int before = state;
        if (before != GONE) {
            // What another thread has found meanwhile is newer.
            boolean _ = STATE.compareAndSet(this, before, asked());
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

    /** Polls now, and again at the next {@link #lookIfDue}. */
    public void lookAgain() {
        nextNs = 0;
        look();
    }

    /** Any thread: a call was refused because the interface is down or gone. */
    public void lost() {
        boolean _ = STATE.compareAndSet(this, UP, DOWN);
    }

    /** Any thread: the interface is gone, or no longer of interest. This is never taken back. */
    public void end() {
        state = GONE;
    }

    /** Any thread: whether frames can flow. */
    public boolean isUp() {
        return state == UP;
    }

    /** Any thread: whether they never will again. */
    public boolean isGone() {
        return state == GONE;
    }

    /** When the next poll is due; MAX_VALUE if the interface is gone. */
    public long deadlineNs() {
        return state == GONE ? Long.MAX_VALUE : nextNs;
    }

    /** Any thread: the MTU. */
    public int mtuBytes() {
        return mtuBytes;
    }
}
