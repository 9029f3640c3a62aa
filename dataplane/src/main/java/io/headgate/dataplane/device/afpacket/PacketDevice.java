package io.headgate.dataplane.device.afpacket;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.linux.net.DeviceClaim;
import io.headgate.dataplane.device.linux.net.InterfaceChanges;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;

/**
 * A Linux interface through two AF_PACKET sockets, one per direction. The ingress half owns the
 * receive side, the egress half the transmit side; they share only the link state, one word that
 * the receive side writes.
 */
abstract class PacketDevice implements PortDevice {
    /** The transmit side, owned by the egress half's thread. */
    interface Transmitter extends AutoCloseable {
        int transmit(Frame[] batch, int from, int count);

        TransmitStatus status();

        void readDrops(DropTotals totals);

        @Override
        void close();
    }

    /** Opens one side, in the interface's namespace. */
    @FunctionalInterface
    interface Opening<T, R> {
        R open(T of) throws DeviceException;
    }

    /** Both sides of an open device, with its interface and the claim on it. */
    record Sides<R extends PacketReceiver, T extends Transmitter>(
            LinuxInterface link, DeviceClaim claim, R receiver, T transmitter) {

        /** Claims an interface, and opens both sides or none. */
        static <R extends PacketReceiver, T extends Transmitter> Sides<R, T> open(
                LinuxInterface link, Opening<LinuxInterface, R> receiving, Opening<R, T> sending)
                throws DeviceException {
            return NetworkNamespace.call(
                    link.netns(),
                    () -> {
                        DeviceClaim claim = DeviceClaim.take(link.index(), link.where());
                        R receiver = null;
                        try {
                            receiver = receiving.open(link);
                            return new Sides<>(link, claim, receiver, sending.open(receiver));
                        } catch (DeviceException failure) {
                            if (receiver != null) {
                                receiver.close();
                            }
                            claim.close();
                            throw failure;
                        }
                    });
        }
    }

    private final LinuxInterface opened;
    private final InterfaceChanges changes;
    private final DeviceInfo info;
    private final DeviceClaim claim;
    private final PacketReceiver receiver;
    private final Transmitter transmitter;

    /**
     * @param how how frames are received and sent, in a few words
     */
    PacketDevice(Sides<?, ?> sides, String how) {
        opened = sides.link();
        changes = new InterfaceChanges(opened);
        info =
                new DeviceInfo(
                        "afpacket",
                        opened.shown(),
                        opened.mac(),
                        AfPacketDevice.maxFrameBytes(opened.mtuBytes()),
                        how,
                        false);
        claim = sides.claim();
        receiver = sides.receiver();
        transmitter = sides.transmitter();
    }

    /** Checks the settings that the interface must have now and while the device is open. */
    abstract void check(LinuxInterface now) throws DeviceException;

    @Override
    public final DeviceInfo info() {
        return info;
    }

    @Override
    public final int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        return receiver.receive(nowNs, free, batch, limit);
    }

    @Override
    public final int transmit(Frame[] batch, int from, int count) {
        return transmitter.transmit(batch, from, count);
    }

    @Override
    public final TransmitStatus transmitStatus() {
        return transmitter.status();
    }

    @Override
    public final boolean isUp() {
        return receiver.link.isUp();
    }

    @Override
    public final boolean isGone() {
        return receiver.link.isGone();
    }

    /** Reports settings that others have changed, here or at the other end of a veth. */
    @Override
    public final String trouble() {
        if (isGone()) {
            return "";
        }
        try {
            LinuxInterface now = LinuxInterface.read(opened.netns(), opened.name());
            check(now);
            return changes.in(now);
        } catch (DeviceException e) {
            return isGone() ? "" : Reason.of(e);
        }
    }

    @Override
    public final void readReceiveDrops(DropTotals totals) {
        receiver.readDrops(totals);
    }

    @Override
    public final void readTransmitDrops(DropTotals totals) {
        transmitter.readDrops(totals);
    }

    @Override
    public final int receiveFd() {
        return receiver.fd();
    }

    @Override
    public final long deadlineNs() {
        return receiver.link.deadlineNs();
    }

    @Override
    public final void close() {
        receiver.close();
        transmitter.close();
        claim.close();
    }
}
