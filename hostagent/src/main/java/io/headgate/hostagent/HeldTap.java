package io.headgate.hostagent;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;

/**
 * The TAP of a host, whose senders are held back when the card has enough of what they send. A TAP
 * that is not read loses frames without a word to their senders, so it is always read, and the
 * senders are stopped before it: by its queueing discipline, whose rate a {@link HoldSwitch} turns.
 */
final class HeldTap implements PortDevice {
    /** Turns senders down, or lets them go. */
    interface HoldSwitch extends AutoCloseable {
        /** Called by the receiving side; must not wait. */
        void hold(boolean held);

        /** Gives up what holds them; called by whoever closes the TAP. */
        @Override
        void close();
    }

    private final PortDevice tap;
    private final Accounts accounts;
    private final SenderHold hold;
    private final HoldSwitch holdSwitch;
    private final CounterBlock counters;
    private boolean held;
    private long heldSinceNs;

    /**
     * @param accounts of the half that receives from the TAP
     * @param counters what the host counts
     */
    HeldTap(
            PortDevice tap,
            Accounts accounts,
            SenderHold hold,
            HoldSwitch holdSwitch,
            CounterBlock counters) {
        this.tap = tap;
        this.accounts = accounts;
        this.hold = hold;
        this.holdSwitch = holdSwitch;
        this.counters = counters;
        counters.set(HostCounter.HELD, 0);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        // What came with the last batch has been charged, and what has left is back.
        boolean now = hold.update(accounts);
        if (now != held) {
            turn(now, nowNs);
        }
        return tap.receive(nowNs, free, batch, limit);
    }

    private void turn(boolean now, long nowNs) {
        held = now;
        holdSwitch.hold(now);
        counters.set(HostCounter.HELD, now ? 1 : 0);
        if (now) {
            heldSinceNs = nowNs;
            counters.add(HostCounter.HOLDS, 1);
        } else {
            counters.add(HostCounter.HELD_NS, nowNs - heldSinceNs);
        }
    }

    @Override
    public DeviceInfo info() {
        return tap.info();
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return tap.transmit(batch, from, count);
    }

    @Override
    public boolean transmitCopies() {
        return tap.transmitCopies();
    }

    @Override
    public int completed(Frame[] into, int limit) {
        return tap.completed(into, limit);
    }

    @Override
    public TransmitStatus transmitStatus() {
        return tap.transmitStatus();
    }

    @Override
    public boolean isUp() {
        return tap.isUp();
    }

    @Override
    public boolean isGone() {
        return tap.isGone();
    }

    @Override
    public String trouble() {
        return tap.trouble();
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        tap.readReceiveDrops(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        tap.readTransmitDrops(totals);
    }

    @Override
    public int receiveFd() {
        return tap.receiveFd();
    }

    @Override
    public boolean armReceive() {
        return tap.armReceive();
    }

    @Override
    public long deadlineNs() {
        return tap.deadlineNs();
    }

    @Override
    public void close() {
        // It, too, has a socket in the TAP's namespace.
        holdSwitch.close();
        tap.close();
    }
}
