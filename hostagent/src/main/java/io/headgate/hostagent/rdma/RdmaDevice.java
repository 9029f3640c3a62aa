package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.InternalDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.hostagent.rate.NotifiedFlows;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The application side of the card of a host that speaks only RoCEv2: {@code receive} makes the
 * frames that are due, answers before data, connections in turn; {@code transmit} takes the frames
 * that have arrived. Frames that are malformed, have a wrong ICRC or have another destination are
 * counted and ignored.
 *
 * <p>Owned by the card's worker; any thread may call {@link #report}. Only a few frames are in the
 * card at a time, so that a change of a connection's rate takes effect soon.
 */
public final class RdmaDevice implements InternalDevice, NotifiedFlows {
    /**
     * Maximum number of data frames in the card at a time, and the time that they take on the line.
     */
    private static final int MOST_IN_CARD = 64;

    private static final long MOST_IN_CARD_NS = 1_000_000;
    private static final int LEAST_IN_CARD = 2;

    private static final double NS_PER_S = 1e9;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final RdmaSetup setup;
    private final int mostInCard;
    private final String name;
    private final LongSupplier clockNs;
    private final Accounts accounts;
    private final Doorbell doorbell;
    private final CounterBlock counters;
    private final Neighbors neighbors;
    private final HostConnections connections;

    private int turn;
    private boolean starved;

    /** Whether a packet that reports marks was in the card at the last check. */
    private boolean notifying;

    private long deadlineNs;

    /**
     * A device of a host with these ends.
     *
     * @param ends the ends, all with the card's MAC address, IPv4 address, line rate and path MTU;
     *     at most one client may lack the MAC address of its peer
     * @param clockNs the card's time, in ns
     */
    public RdmaDevice(
            String name,
            List<RdmaSetup.End> ends,
            LongSupplier clockNs,
            Accounts accounts,
            Doorbell doorbell,
            CounterBlock counters) {
        this.name = name;
        this.setup = ends.getFirst().setup();
        this.mostInCard = mostInCard(setup.lineRateBps(), setup.mtuBytes());
        this.clockNs = clockNs;
        this.accounts = accounts;
        this.doorbell = doorbell;
        this.counters = counters;
        this.connections = new HostConnections(ends, counters);
        int gateway = 0;
        for (RdmaSetup.End end : ends) {
            if (end.role() instanceof RdmaSetup.Client client
                    && client.mac() == Neighbors.UNKNOWN) {
                if (gateway != 0) {
                    throw new IllegalArgumentException("two peers with unknown MAC addresses");
                }
                gateway = client.gateway();
            }
        }
        this.neighbors = new Neighbors(setup.mac(), setup.ipv4(), gateway, Neighbors.UNKNOWN);
    }

    /**
     * Maximum number of data frames in the card. They leave at the previous rate, so on a slow line
     * 64 frames would take half of the time of a control's first reaction to congestion.
     */
    static int mostInCard(long lineRateBps, int mtuBytes) {
        int wireBytes = WireFormat.ETHERNET.wireBytes(QueuePair.largestFrameBytes(mtuBytes));
        double frames = (double) lineRateBps * MOST_IN_CARD_NS / NS_PER_S / Byte.SIZE / wireBytes;
        return (int) Math.clamp(frames, LEAST_IN_CARD, MOST_IN_CARD);
    }

    /**
     * The result of an end, by its number from 0, once it has nothing left to do; null before. Any
     * thread.
     */
    public @Nullable RdmaReport report(int end) {
        return connections.report(end);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        noticeDepartures();
        connections.tick(nowNs, neighbors.mac());
        int count = control(nowNs, free, batch, limit);
        count = answers(free, batch, count, limit);
        count = data(nowNs, free, batch, count, limit);
        setDeadline(nowNs, count == limit);
        return count;
    }

    private void noticeDepartures() {
        List<QueuePair> pairs = connections.pairs();
        notifying = false;
        for (int i = 0; i < pairs.size(); i++) {
            pairs.get(i).noticeDeparture(clockNs);
            notifying |= pairs.get(i).isNotifying();
        }
    }

    private int control(long nowNs, FreeList free, Frame[] batch, int limit) {
        int count = 0;
        while (count < limit && free.size() > 0) {
            boolean asks = neighbors.deadlineNs() <= nowNs;
            Connection owing = asks ? null : connections.owing(nowNs);
            if (!asks && owing == null) {
                break;
            }
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            if (owing == null) {
                neighbors.write(frame, nowNs);
            } else {
                connections.write(owing, frame, nowNs);
            }
            batch[count++] = frame;
        }
        return count;
    }

    private int answers(FreeList free, Frame[] batch, int from, int limit) {
        int count = from;
        List<QueuePair> pairs = connections.pairs();
        for (int i = 0; i < pairs.size() && count < limit; i++) {
            QueuePair pair = pairs.get(i);
            boolean notifies = pair.hasNotification();
            if (notifies || pair.hasAnswer()) {
                Frame frame = free.take();
                if (frame == null) {
                    break;
                }
                if (notifies) {
                    // An answer follows with the next batch.
                    pair.notificationInto(frame);
                    notifying = true;
                } else {
                    pair.answerInto(frame);
                }
                batch[count++] = frame;
            }
        }
        return count;
    }

    private int data(long nowNs, FreeList free, Frame[] batch, int from, int limit) {
        int count = from;
        int room = mostInCard - accounts.totalSlots() + from;
        starved = false;
        while (count < limit) {
            QueuePair pair = next(nowNs);
            if (pair == null) {
                return count;
            }
            Frame frame = count < room ? free.take() : null;
            if (frame == null) {
                starved = true;
                return count;
            }
            pair.sendInto(frame, nowNs);
            batch[count++] = frame;
        }
        return count;
    }

    /** The next queue pair in turn that may send; null: none may. */
    private @Nullable QueuePair next(long nowNs) {
        List<QueuePair> pairs = connections.pairs();
        int size = pairs.size();
        for (int i = 1; i <= size; i++) {
            int at = (turn + i) % size;
            if (pairs.get(at).maySend(nowNs)) {
                turn = at;
                return pairs.get(at);
            }
        }
        return null;
    }

    private void setDeadline(long nowNs, boolean full) {
        long nextNs = Math.min(connections.deadlineNs(nowNs), neighbors.deadlineNs());
        List<QueuePair> pairs = connections.pairs();
        for (int i = 0; i < pairs.size(); i++) {
            QueuePair pair = pairs.get(i);
            if (pair.hasAnswer() || pair.hasNotification()) {
                nextNs = nowNs;
            }
            // What waits for slots has no deadline: they ring when they come home.
            nextNs = starved ? nextNs : Math.min(nextNs, pair.dueNs());
        }
        deadlineNs = full ? nowNs : Math.max(nextNs, nowNs);
    }

    /** The queue pairs of the open connections. */
    List<QueuePair> pairs() {
        return connections.pairs();
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        long nowNs = clockNs.getAsLong();
        for (int i = from; i < from + count; i++) {
            arrive(nowNs, batch[i]);
        }
        doorbell.ring(Doorbell.DEVICE);
        return count;
    }

    private void arrive(long nowNs, Frame frame) {
        if (frame.etherType == EtherType.ARP) {
            int at = frame.etherTypeOffset + Short.BYTES;
            neighbors.arrived(frame.dataOffset + at, frame.storedBytes - at);
            return;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        if (frame.etherType != EtherType.IPV4
                || frame.transportOffset == Frame.ABSENT
                || Ipv4.protocol(MEMORY, ip) != IpProtocol.UDP
                || Ipv4.destination(MEMORY, ip) != setup.ipv4()
                || Udp.destinationPort(MEMORY, frame.dataOffset + frame.transportOffset)
                        != Bth.UDP_PORT) {
            counters.add(RdmaCounter.FOREIGN, 1);
            return;
        }
        int icrc = Icrc.locate(MEMORY, ip, frame.storedBytes - frame.ipOffset);
        if (icrc == Icrc.ABSENT || !Ipv4.isChecksumRight(MEMORY, ip)) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        if (Icrc.read(MEMORY, ip, icrc) != Icrc.compute(MEMORY, ip, icrc)) {
            counters.add(RdmaCounter.ICRC_WRONG, 1);
            return;
        }
        long bth = ip + RocePacket.IP_TO_BTH_BYTES;
        int bodyBytes =
                icrc - RocePacket.IP_TO_BTH_BYTES - Bth.HEADER_BYTES - Bth.padBytes(MEMORY, bth);
        if (Bth.version(MEMORY, bth) != 0
                || Bth.partitionKey(MEMORY, bth) != RocePacket.PARTITION_KEY) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        int fromIp = Ipv4.source(MEMORY, ip);
        int number = Bth.destinationQp(MEMORY, bth);
        if (number == ConnectionMessage.QUEUE_PAIR) {
            long body = bth + Bth.HEADER_BYTES;
            long fromMac = Ethernet.source(MEMORY, frame.dataOffset);
            connections.message(nowNs, Bth.opcode(MEMORY, bth), body, bodyBytes, fromIp, fromMac);
            return;
        }
        QueuePair pair = connections.pair(number, fromIp);
        if (pair == null) {
            counters.add(RdmaCounter.QP_UNKNOWN, 1);
        } else {
            pair.arrived(
                    nowNs,
                    bth,
                    bodyBytes,
                    Ipv4.ecn(MEMORY, ip),
                    WireFormat.ETHERNET.wireBytes(frame.lengthBytes),
                    frame.hops);
        }
    }

    @Override
    public NoticeCounter notified(
            long nowNs, int etherType, long packet, int bytes, int kind, long origin, long value) {
        return etherType == EtherType.IPV4
                ? connections.notified(nowNs, packet, bytes, kind, origin, value)
                : NoticeCounter.UNKNOWN_FLOW;
    }

    @Override
    public NoticeCounter congested(
            long nowNs, int etherType, long packet, int queuePair, long origin, long value) {
        QueuePair pair =
                etherType == EtherType.IPV4
                        ? connections.pair(queuePair, Ipv4.source(MEMORY, packet))
                        : null;
        return pair == null ? NoticeCounter.UNKNOWN_FLOW : pair.congested(nowNs, origin, value);
    }

    @Override
    public boolean awaitsReturns() {
        return starved || notifying;
    }

    @Override
    public DeviceInfo info() {
        return new DeviceInfo(
                "rdma",
                name,
                setup.mac(),
                QueuePair.largestFrameBytes(setup.mtuBytes()),
                "RoCEv2 endpoints",
                true);
    }

    @Override
    public int receiveFd() {
        return FED_FROM_WITHIN;
    }

    @Override
    public boolean armReceive() {
        return deadlineNs == 0;
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public void close() {
        // Holds nothing but memory.
    }
}
