package io.headgate.testbed.swarm;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.testbed.virtual.VirtualNode;

/** A device that does what another does, but for the defect that a test plants in it. */
abstract class MeddlingDevice implements PortDevice {
    private final PortDevice inner;

    MeddlingDevice(PortDevice inner) {
        this.inner = inner;
    }

    /** Puts it in the place of a port's device. */
    final void takeOver(VirtualNode node, int port) {
        node.engine().ingress(port).detach();
        node.engine().egress(port).detach(0);
        node.engine().ingress(port).attach(this);
        node.engine().egress(port).attach(this);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        return inner.receive(nowNs, free, batch, limit);
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return inner.transmit(batch, from, count);
    }

    @Override
    public boolean transmitCopies() {
        return inner.transmitCopies();
    }

    @Override
    public int completed(Frame[] into, int limit) {
        return inner.completed(into, limit);
    }

    @Override
    public TransmitStatus transmitStatus() {
        return inner.transmitStatus();
    }

    @Override
    public DeviceInfo info() {
        return inner.info();
    }

    @Override
    public boolean isUp() {
        return inner.isUp();
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        inner.readReceiveDrops(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        inner.readTransmitDrops(totals);
    }

    @Override
    public int receiveFd() {
        return inner.receiveFd();
    }

    @Override
    public boolean armReceive() {
        return inner.armReceive();
    }

    @Override
    public long deadlineNs() {
        return inner.deadlineNs();
    }

    @Override
    public void close() {
        inner.close();
    }
}
