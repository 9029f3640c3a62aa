package io.headgate.testbed.virtual;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;

/** A port's end of a {@link VirtualLink}: receives from one direction and transmits into other. */
public final class LinkEnd implements PortDevice {
    private final VirtualLink link;
    private final VirtualNode node;
    private final int port;
    private final LinkDirection in;
    private final LinkDirection out;
    private final int slotFrameBytes;
    private final long mac;
    private final boolean keepsFrames;

    LinkEnd(VirtualLink link, VirtualNode node, int port, LinkDirection in, LinkDirection out) {
        this.link = link;
        this.node = node;
        this.port = port;
        this.in = in;
        this.out = out;
        this.slotFrameBytes = node.region().maxFrameBytes();
        // Of what the port makes for its own link, such as pauses.
        this.mac = SwitchAddresses.mac(node.name(), port);
        this.keepsFrames = node instanceof HostNode;
    }

    public VirtualNode node() {
        return node;
    }

    public int port() {
        return port;
    }

    @Override
    public DeviceInfo info() {
        // Only stored bytes take room: a long frame with elided payload fits a small slot.
        return new DeviceInfo("virtual", link.name(), mac, Integer.MAX_VALUE, "virtual link", true);
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
        return keepsFrames || link.isUp();
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        in.readReceiveDrops(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        // What is lost on the way is no drop of a port's: the link counts it.
    }

    @Override
    public int receiveFd() {
        return POLLED;
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
        return node.name() + ":" + port;
    }
}
