package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.memory.DropReason;

/**
 * Counts frames that an interface lost before they reached a packet socket on it. The kernel's
 * counter also includes frames that it has delivered to all sockets but that none of its own
 * protocols takes: those with a tag of no interface here, and behind it a type that it does not
 * know, such as a second tag. The socket receives these frames, so their number is known and can be
 * subtracted. Used by one thread; nothing is allocated.
 */
public final class InterfaceLosses implements AutoCloseable {
    private static final int VLAN_ID_MASK = 0xFFF;

    private final InterfaceDrops drops;
    private final long ringFrames;
    private long looked;
    private long unknown;
    private boolean isRead;
    private long settledAt;
    private long lost;
    private long unhandled;

    /**
     * Starts with zero losses.
     *
     * @param link an interface of the calling thread's namespace
     * @param ringFrames maximum number of frames waiting in the socket's ring
     */
    public InterfaceLosses(LinuxInterface link, long ringFrames) throws DeviceException {
        this.drops = InterfaceDrops.ofReceiving(link);
        this.ringFrames = ringFrames;
    }

    /** Notes a frame with a tag, taken from the ring, and the type behind the tag. */
    public void tagged(int tci, int type) {
        boolean isKnown =
                type == EtherType.IPV4
                        || type == EtherType.IPV6
                        || type == EtherType.ARP
                        // Behind a priority tag the kernel looks at the next one.
                        || ((type == EtherType.VLAN || type == EtherType.SERVICE_VLAN)
                                && (tci & VLAN_ID_MASK) == 0);
        unknown += isKnown ? 0 : 1;
    }

    /**
     * Notes frames taken from the ring.
     *
     * @param isEmpty whether none was left
     */
    public void taken(int frames, boolean isEmpty) {
        looked += frames;
        // A frame is in the ring before it is counted: what was counted then has been looked at.
        if (isRead && (isEmpty || looked - settledAt >= 0)) {
            settle();
        }
    }

    /** Reads the interface's counters; they are evaluated once the ring has been emptied. */
    public void read() {
        drops.read();
        isRead = true;
        settledAt = looked + ringFrames;
    }

    /** Reads the counters for the last time: frames that are in the ring now are lost. */
    public void readLast() {
        drops.read();
        settle();
    }

    private void settle() {
        isRead = false;
        // Frames may have been looked at that are not counted yet: the largest difference holds.
        lost = Math.max(lost, drops.count() - unknown);
        unhandled = Math.max(unhandled, Math.min(unknown, drops.count() - lost));
    }

    /** Adds the known losses. */
    public void addTo(DropTotals totals) {
        totals.add(DropReason.KERNEL_RX_INTERFACE, lost);
        totals.addUnhandled(unhandled);
    }

    @Override
    public void close() {
        drops.close();
    }
}
