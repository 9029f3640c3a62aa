package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;

/**
 * A port's end of a {@link VirtualLink}: receives from one direction and transmits into the other.
 */
public final class LinkEnd implements PortDevice {
    private final String link;
    private final LinkPort at;
    private final LinkDirection in;
    private final LinkDirection out;
    private final int slotFrameBytes;
    private final long mac;

    LinkEnd(String link, LinkPort at, LinkDirection in, LinkDirection out) {
        this.link = link;
        this.at = at;
        this.in = in;
        this.out = out;
        this.slotFrameBytes = at.region().maxFrameBytes();
        // Source address of frames that the port makes for its own link, such as pauses.
        this.mac = SwitchAddresses.mac(at.nodeName(), at.port());
    }

    /** The port that this is the end of. */
    public LinkPort at() {
        return at;
    }

    /** The number in the run of the node. */
    public int node() {
        return at.node();
    }

    public String nodeName() {
        return at.nodeName();
    }

    public int port() {
        return at.port();
    }

    @Override
    public DeviceInfo info() {
        // Only stored bytes take room: a long frame with elided payload fits a small slot.
        return new DeviceInfo("virtual", link, mac, Integer.MAX_VALUE, "virtual link", true);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        return in.receive(free, batch, limit, slotFrameBytes);
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        int taken = 0;
        while (taken < count && out.transmit(batch[from + taken])) {
            taken++;
        }
        return taken;
    }

    @Override
    public boolean transmitCopies() {
        return !out.holdsSlots();
    }

    @Override
    public int completed(Frame[] into, int limit) {
        return out.completed(into, limit);
    }

    @Override
    public boolean isUp() {
        // A host's card keeps what it has until its link is up again; a switch's port drops it.
        return at.keepsFrames() || out.isUp();
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        in.readReceiveDrops(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        // A frame lost on the way is not a drop of a port: the link counts it.
    }

    @Override
    public boolean armReceive() {
        return in.hasArrived();
    }

    @Override
    public long deadlineNs() {
        return in.isReceiverDue() ? 0 : Long.MAX_VALUE;
    }

    @Override
    public boolean awaitsReturns() {
        return in.awaitsReturns();
    }

    @Override
    public void close() {
        // Links last as long as their run.
    }

    @Override
    public String toString() {
        return at.toString();
    }
}
