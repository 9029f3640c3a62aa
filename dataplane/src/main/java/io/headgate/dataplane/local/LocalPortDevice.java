package io.headgate.dataplane.local;

import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.DropWitness;
import io.headgate.dataplane.device.InternalDevice;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.forwarding.RouteTable;
import io.headgate.dataplane.forwarding.Router;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The device of a switch's local port, which represents the switch itself. Frames transmitted to it
 * are copied into its buffers. The next call of receive handles them, and returns the switch's
 * answers and requests like frames from a wire. Both halves of the port and the timers of its
 * neighbours run on one worker.
 *
 * <p>{@code local.received = answered + consumed + forwarded + dropped + held}.
 */
public final class LocalPortDevice implements InternalDevice, LocalSender {
    private final MemorySegment region;
    private final LocalBuffers buffers;
    private final MemorySegment own;
    private final FrameList arrived = new FrameList();
    private final int[] arrivedByPort;
    private final SwitchAddresses addresses;
    private final CounterBlock counters;
    private final Runnable doorbell;
    private final AddressResponder responder;
    private final IcmpErrors errors;
    private final @Nullable RouterSlowPath slowPath;
    private final @Nullable Neighbours neighbours;
    private final @Nullable Router router;
    private @Nullable NoticeWriter notices;
    private @Nullable NoticeShares noticeShares;
    private @Nullable LocalListener listener;
    private final DropTotals drops = new DropTotals();

    private long deadlineNs = Long.MAX_VALUE;
    private @Nullable DropWitness witness;
    private long lastNowNs;

    /**
     * The local port of a switch.
     *
     * @param region the memory of the frames that the port handles
     * @param doorbell rings the local port's ingress half
     * @param tables null in a bridge
     */
    public LocalPortDevice(
            FrameRegion region,
            SwitchAddresses addresses,
            CounterBlock counters,
            Runnable doorbell,
            @Nullable RouterTables tables) {
        this.region = region.segment();
        this.buffers = new LocalBuffers(region.slotBytes(), counters);
        this.own = buffers.segment();
        this.arrivedByPort = new int[addresses.ports()];
        this.addresses = addresses;
        this.counters = counters;
        this.doorbell = doorbell;
        this.errors = new IcmpErrors(buffers, addresses);
        this.router = tables == null ? null : tables.router;
        if (tables == null) {
            slowPath = null;
            neighbours = null;
        } else {
            slowPath =
                    new RouterSlowPath(
                            buffers, tables.router, errors, addresses.ports(), this::drop);
            neighbours =
                    new Neighbours(
                            tables.neighbours,
                            addresses,
                            buffers,
                            counters,
                            tables.neighbourTimeoutNs,
                            slowPath);
            neighbours.nextHops(tables.routes);
        }
        this.responder = new AddressResponder(buffers, addresses, neighbours);
    }

    /**
     * The tables of a router's local port.
     *
     * @param router the local port's own instance
     * @param neighbourTimeoutNs time without a sign of a neighbour after which its address is
     *     requested again
     */
    public record RouterTables(
            Router router, RouteTable routes, NeighbourTable neighbours, long neighbourTimeoutNs) {}

    /**
     * Sends the notices of these rings; called before the device is used.
     *
     * @param portRatesBps rates of all ports, which limit the notices
     */
    public void sendNotices(long[] portRatesBps, NoticeRing... rings) {
        noticeShares = new NoticeShares(portRatesBps);
        notices = new NoticeWriter(rings, buffers, addresses, noticeShares, router, neighbours);
    }

    /** Owner only: changes the rates of the ports. */
    public void portRates(long... portRatesBps) {
        if (noticeShares != null) {
            noticeShares.rates(portRatesBps);
        }
    }

    /**
     * Sets the listener for frames that are neither ARP nor IP; called before the device is used.
     */
    public void listen(LocalListener whoever) {
        listener = whoever;
    }

    @Override
    public DeviceInfo info() {
        return new DeviceInfo(
                "local",
                "the switch itself",
                addresses.mac(0),
                buffers.maxFrameBytes(),
                LocalBuffers.COUNT + " buffers",
                true);
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        counters.add(ForwardingCounter.LOCAL_RECEIVED, count);
        for (int i = from; i < from + count; i++) {
            take(batch[i]);
        }
        doorbell.run();
        return count;
    }

    private void take(Frame frame) {
        long destination = Ethernet.destination(region, frame.dataOffset);
        if (!MacAddress.isGroup(destination) && destination != addresses.mac(frame.ingressPort)) {
            buffers.count(ForwardingCounter.LOCAL_CONSUMED);
            return;
        }
        if (frame.segmentBytes != 0 || frame.lengthBytes > buffers.maxFrameBytes()) {
            countDrop(frame, DropReason.LOCAL_UNHANDLED);
            return;
        }
        // As many as are left: a flood by one port leaves room for what comes by the next.
        int from = frame.ingressPort;
        Frame buffer = arrivedByPort[from] < buffers.free() ? buffers.take() : null;
        if (buffer == null) {
            countDrop(frame, DropReason.LOCAL_INBOX_FULL);
            return;
        }
        int stored = Math.min(frame.storedBytes, frame.lengthBytes);
        MemorySegment.copy(region, frame.dataOffset, own, buffer.dataOffset, stored);
        if (stored < frame.lengthBytes) {
            own.asSlice(buffer.dataOffset + stored, frame.lengthBytes - stored).fill((byte) 0);
        }
        buffer.lengthBytes = frame.lengthBytes;
        buffer.storedBytes = frame.lengthBytes;
        buffer.ingressPort = from;
        buffer.packetId = frame.packetId;
        arrivedByPort[from]++;
        arrived.add(buffer);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        lastNowNs = nowNs;
        for (int i = 0; i < limit; i++) {
            Frame frame = arrived.poll();
            if (frame == null) {
                break;
            }
            arrivedByPort[frame.ingressPort]--;
            handle(nowNs, frame);
        }
        boolean noticesWait = notices != null && notices.make(nowNs);
        int count = 0;
        FrameList leaving = buffers.leaving();
        while (count < limit && !leaving.isEmpty()) {
            Frame slot = free.take();
            Frame frame = slot == null ? null : leaving.poll();
            if (slot == null || frame == null) {
                break;
            }
            slot.dataOffset = slot.slotOffset + FrameRegion.HEADROOM_BYTES;
            slot.lengthBytes = frame.lengthBytes;
            slot.storedBytes = frame.storedBytes;
            slot.egressPort = frame.egressPort;
            MemorySegment.copy(own, frame.dataOffset, region, slot.dataOffset, frame.storedBytes);
            buffers.release(frame);
            batch[count++] = slot;
        }
        // What waits for a slot goes on when one has come home, which rings of itself.
        boolean more =
                !arrived.isEmpty()
                        || (count == limit && !leaving.isEmpty())
                        || (count > 0 && noticesWait);
        deadlineNs = more ? nowNs : Long.MAX_VALUE;
        return count;
    }

    private void handle(long nowNs, Frame frame) {
        if (HeaderParser.parse(own, frame) != null || frame.tagged) {
            drop(frame, DropReason.LOCAL_UNHANDLED);
            return;
        }
        switch (frame.etherType) {
            case EtherType.ARP -> conclude(frame, responder.arp(nowNs, frame));
            case EtherType.IPV4, EtherType.IPV6 -> ip(nowNs, frame);
            default -> other(nowNs, frame);
        }
    }

    private void other(long nowNs, Frame frame) {
        boolean isHeard =
                listener != null
                        && listener.heard(
                                nowNs,
                                frame.ingressPort,
                                frame.etherType,
                                own,
                                frame.dataOffset,
                                frame.lengthBytes);
        if (isHeard) {
            conclude(frame, AddressResponder.Outcome.CONSUMED);
        } else {
            unknown(frame);
        }
    }

    private void ip(long nowNs, Frame frame) {
        if (frame.ipOffset == Frame.ABSENT) {
            unknown(frame);
        } else if (isForUs(frame)) {
            AddressResponder.Outcome outcome = responder.ip(nowNs, frame);
            if (outcome == AddressResponder.Outcome.UNHANDLED) {
                refuse(nowNs, frame);
            }
            conclude(frame, outcome);
        } else if (slowPath != null
                && neighbours != null
                && !MacAddress.isGroup(Ethernet.destination(own, frame.dataOffset))) {
            slowPath.take(nowNs, frame, neighbours);
        } else {
            unknown(frame);
        }
    }

    /** Whether a packet is for one of our addresses, or for the solicited-node group of one. */
    private boolean isForUs(Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        if (frame.etherType == EtherType.IPV4) {
            return addresses.isOwn(0, IpAddress.ofIpv4(Ipv4.destination(own, ip)));
        }
        long high = Ipv6.destinationHigh(own, ip);
        long low = Ipv6.destinationLow(own, ip);
        return addresses.isOwn(high, low)
                || addresses.isAt(frame.ingressPort, high, low)
                || (high == IpAddress.SOLICITED_NODE_HIGH
                        && low == IpAddress.solicitedNodeLow(low));
    }

    /** Tells the sender of a packet to one of our addresses that nothing here takes it. */
    private void refuse(long nowNs, Frame frame) {
        if (frame.transportOffset == Frame.ABSENT) {
            return;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        int protocol = isIpv4 ? Ipv4.protocol(own, ip) : Ipv6.nextHeader(own, ip);
        boolean isFragment = isIpv4 ? Ipv4.isFragment(own, ip) : protocol == IpProtocol.FRAGMENT;
        boolean isIcmp = protocol == (isIpv4 ? IpProtocol.ICMP : IpProtocol.ICMPV6);
        if (protocol == IpProtocol.UDP) {
            errors.send(nowNs, frame, IcmpErrors.Kind.PORT_UNREACHABLE, 0);
        } else if (isFragment) {
            errors.send(nowNs, frame, IcmpErrors.Kind.NOT_REASSEMBLED, 0);
        } else if (!isIcmp && frame.transportOffset == frame.ipOffset + headerBytes(ip, isIpv4)) {
            errors.send(nowNs, frame, IcmpErrors.Kind.PROTOCOL_UNREACHABLE, 0);
        }
    }

    private int headerBytes(long ip, boolean isIpv4) {
        return isIpv4 ? Ipv4.headerBytes(own, ip) : Ipv6.HEADER_BYTES;
    }

    private void conclude(Frame frame, AddressResponder.Outcome outcome) {
        switch (outcome) {
            case ANSWERED -> {}
            case CONSUMED -> {
                buffers.count(ForwardingCounter.LOCAL_CONSUMED);
                buffers.release(frame);
            }
            case UNHANDLED -> unknown(frame);
        }
    }

    /** A frame to a group was never for us alone; one to our own address was, and is dropped. */
    private void unknown(Frame frame) {
        if (MacAddress.isGroup(Ethernet.destination(own, frame.dataOffset))) {
            conclude(frame, AddressResponder.Outcome.CONSUMED);
        } else {
            drop(frame, DropReason.LOCAL_UNHANDLED);
        }
    }

    private void drop(Frame frame, DropReason reason) {
        countDrop(frame, reason);
        buffers.release(frame);
    }

    private void countDrop(Frame frame, DropReason reason) {
        drops.add(reason, 1);
        if (witness != null) {
            witness.dropped(reason, frame, lastNowNs);
        }
    }

    @Override
    public void showDrops(@Nullable DropWitness newWitness) {
        witness = newWitness;
    }

    @Override
    public boolean send(MemorySegment segment, long offset, int lengthBytes, int egressPort) {
        if (lengthBytes > buffers.maxFrameBytes()) {
            buffers.count(ForwardingCounter.LOCAL_REFUSED);
            return false;
        }
        Frame frame = buffers.originate();
        if (frame == null) {
            return false;
        }
        MemorySegment.copy(segment, offset, own, frame.dataOffset, lengthBytes);
        buffers.leave(frame, lengthBytes, egressPort);
        doorbell.run();
        return true;
    }

    /** A router's neighbours; the caller must drive their timers. Null in a bridge. */
    public @Nullable Neighbours neighbours() {
        return neighbours;
    }

    /** Frames held until their neighbour is known. */
    public int heldFrames() {
        return slowPath == null ? 0 : slowPath.heldFrames();
    }

    /** Buffers in use; at rest, only those of held frames. */
    public int usedBuffers() {
        return buffers.used();
    }

    /** Whether frames wait to be received. */
    public boolean hasLeaving() {
        return !buffers.leaving().isEmpty();
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        totals.add(drops);
    }

    @Override
    public int receiveFd() {
        return FED_FROM_WITHIN;
    }

    @Override
    public boolean armReceive() {
        return !arrived.isEmpty();
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public void close() {
        // Nothing outside this process belongs to it.
    }
}
