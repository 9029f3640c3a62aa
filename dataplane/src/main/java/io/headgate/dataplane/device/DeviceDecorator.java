package io.headgate.dataplane.device;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import org.jspecify.annotations.Nullable;

/**
 * A device that passes all calls to another one. A subclass overrides only the calls that it
 * changes (to inject faults, to hold senders back), and can wrap any device.
 */
public abstract class DeviceDecorator implements PortDevice {
    private final PortDevice inner;

    /**
     * @param inner closed with this one
     */
    protected DeviceDecorator(PortDevice inner) {
        this.inner = inner;
    }

    @Override
    public DeviceInfo info() {
        return inner.info();
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        return inner.receive(nowNs, free, batch, limit);
    }

    @Override
    public boolean showAges(long @Nullable [] agesNs) {
        return inner.showAges(agesNs);
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return inner.transmit(batch, from, count);
    }

    @Override
    public void showDrops(@Nullable DropWitness witness) {
        inner.showDrops(witness);
    }

    @Override
    public boolean collects() {
        return inner.collects();
    }

    @Override
    public void flush(long nowNs, long cycle) {
        inner.flush(nowNs, cycle);
    }

    @Override
    public boolean takesSegments() {
        return inner.takesSegments();
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
    public void change(PortConfig port) {
        inner.change(port);
    }

    @Override
    public boolean isUp() {
        return inner.isUp();
    }

    @Override
    public boolean isGone() {
        return inner.isGone();
    }

    @Override
    public String trouble() {
        return inner.trouble();
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
    public boolean awaitsReturns() {
        return inner.awaitsReturns();
    }

    @Override
    public void close() {
        inner.close();
    }
}
