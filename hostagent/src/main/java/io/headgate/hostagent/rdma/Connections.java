package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rate.RateControls;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a host's end: {@link ClientConnections} or {@link ServerConnections}. Owned by
 * the card's worker. There are at most {@link #MOST}, and their messages share memory that is
 * allocated at the start.
 */
abstract sealed class Connections permits ClientConnections, ServerConnections {
    /** Maximum number of connections of an end, including ended ones. */
    static final int MOST = 256;

    static final long NEVER = Long.MAX_VALUE;

    /** A service that the two ends have agreed on (InfiniBand architecture, annex A3). */
    static final long LOCAL_SERVICES = 0x1000_0000_0000_0000L;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private static final int FIRST_QUEUE_PAIR = 0x11;

    // Numbers per place and end: one is used again only after all others of its place; all fit into
    // 24 bits.
    private static final int GENERATIONS = 0xFF_0000 / MOST / RdmaSetup.MOST_ENDS;

    /**
     * The place of an end among the ends of its host.
     *
     * @param number number of the end, from 0
     * @param pairs queue pairs of all ends that may send and receive
     */
    record Place(int number, List<QueuePair> pairs) {}

    final RdmaSetup setup;
    private final Place at;
    final CounterBlock counters;
    final MessageMemory memory;

    // By queue pair; ended ones stay until their place is needed.
    final @Nullable Connection[] places = new Connection[MOST];
    final List<Connection> all = new ArrayList<>();
    private final List<QueuePair> pairs = new ArrayList<>();
    @Nullable String failure;
    boolean over;

    // What became of it, for other threads; null before its end.
    private volatile @Nullable RdmaReport result;

    private int made;

    /**
     * @param memoryBytes memory for the messages of all connections
     */
    Connections(RdmaSetup setup, Place at, long memoryBytes, CounterBlock counters) {
        this.setup = setup;
        this.at = at;
        this.counters = counters;
        this.memory = new MessageMemory(memoryBytes);
    }

    // ---- what the two ends do differently

    /** The test that is measured. */
    abstract PerfPlan.Test test();

    /** MAC address of the peer, or of the router; {@link Neighbors#UNKNOWN}: ARP must find it. */
    abstract long peerMac();

    /** Whether it waits for connections to a service. */
    abstract boolean serves(long service);

    /**
     * Checks whether an open connection is over; it is broken if either end refused, or stopped
     * answering.
     */
    abstract void look(Connection one, QueuePair pair, boolean isBroken, long nowNs);

    /** Checks the state of all connections together. */
    abstract void conclude(long nowNs, long peerMac);

    /** The time of its next work of its own, in ns; or {@link #NEVER}. */
    abstract long ownDeadlineNs();

    /** The same for an open connection. */
    abstract long deadlineNs(Connection one, long nowNs);

    /** A host without a connection has sent a request for one. */
    abstract void requested(
            long nowNs, long body, ConnectionMessage.Ids ids, int fromIp, long fromMac);

    /** The other end has answered a request. */
    abstract void answered(
            Connection one, int attribute, ConnectionMessage.Ids ids, long nowNs, long body);

    /** The other end has ended a connection. */
    abstract void endedByPeer(Connection one, long nowNs);

    // ---- time

    /** Whether none may send or receive. */
    boolean isQuiet() {
        return pairs.isEmpty();
    }

    void remove(@Nullable QueuePair pair) {
        pairs.remove(pair);
        at.pairs.remove(pair);
    }

    /** Does the work that is due; returns whether there was any. */
    boolean tick(long nowNs, long peerMac) {
        boolean did = false;
        for (int i = 0; i < all.size(); i++) {
            Connection one = all.get(i);
            QueuePair pair = one.pair;
            if (pair != null && one.state == Connection.State.OPEN) {
                did |= pair.tick(nowNs);
                look(one, pair, nowNs);
            } else if (one.state == Connection.State.ENDING && one.isUnanswered()) {
                one.state = Connection.State.ENDED;
                one.answered();
            }
        }
        conclude(nowNs, peerMac);
        if (over && result == null) {
            result = report();
        }
        return did;
    }

    private void look(Connection one, QueuePair pair, long nowNs) {
        boolean isBroken = pair.requester().hasFailed() || pair.responder().hasFailed();
        if (isBroken) {
            fail(
                    pair.responder().hasFailed()
                            ? "the peer sent data that is not part of any message of the test"
                            : "the peer stopped answering, or rejected a packet; is it still"
                                    + " running, and does the path carry frames of this length?");
        }
        look(one, pair, isBroken, nowNs);
    }

    void fail(String sentence) {
        if (failure == null) {
            failure = sentence;
        }
    }

    /** The time of the next call of {@link #tick}, or of the next message, in ns. */
    long deadlineNs(long nowNs) {
        // Once over, no timer is set: an endpoint that has ended would otherwise be called all the
        // time.
        long nextNs = over ? NEVER : ownDeadlineNs();
        for (int i = 0; i < all.size(); i++) {
            Connection one = all.get(i);
            nextNs = Math.min(nextNs, one.oweNs());
            QueuePair pair = one.pair;
            if (pair != null && one.state == Connection.State.OPEN) {
                nextNs = Math.min(nextNs, Math.min(pair.tickNs(), deadlineNs(one, nowNs)));
            }
        }
        return nextNs;
    }

    /** The result, once there is nothing left to do; null before. Any thread. */
    @Nullable RdmaReport result() {
        return result;
    }

    /** The result so far. */
    RdmaReport report() {
        List<RdmaReport.Connection> reports = new ArrayList<>();
        for (Connection one : all) {
            QueuePair pair = one.pair;
            if (pair != null) {
                reports.add(one.run.report(pair));
            }
        }
        return new RdmaReport(reports, failure);
    }

    // ---- messages

    /** The next connection with a message to send; null: there is none. */
    @Nullable Connection owing(long nowNs) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).oweNs() <= nowNs) {
                return all.get(i);
            }
        }
        return null;
    }

    /** Writes the message of a connection. */
    void write(Connection one, Frame frame, long nowNs) {
        ConnectionMessage.Ids ids = one.ids();
        int sequence = one.localId;
        switch (one.owed()) {
            case ConnectionMessage.REQUEST ->
                    ConnectionMessage.request(
                            frame,
                            one.path,
                            ids,
                            sequence,
                            LOCAL_SERVICES | setup.service(),
                            one.own,
                            setup.mtuBytes(),
                            test(),
                            setup.reordering() != 0);
            case ConnectionMessage.REPLY ->
                    ConnectionMessage.reply(frame, one.path, ids, sequence, one.own);
            default -> {
                QueuePair pair = one.pair;
                int peer = pair == null ? 0 : pair.peerNumber();
                ConnectionMessage.plain(frame, one.path, one.owed(), ids, sequence, peer);
            }
        }
        one.sent(nowNs);
    }

    void place(int place, Connection one) {
        places[place] = one;
        all.add(one);
    }

    Connection connection(
            Connection.State state,
            int place,
            long transaction,
            int remoteId,
            long peerMac,
            int peerIp,
            PerfRun run) {
        int generation = made++ % GENERATIONS * RdmaSetup.MOST_ENDS + at.number;
        int number = FIRST_QUEUE_PAIR + place + MOST * generation;
        // Any number will do; not the same for all, so that a mix-up is seen.
        int firstPsn = Psn.of((setup.ipv4() + number) * 0x9E37_79B9L);
        QueuePair.Peer own =
                new QueuePair.Peer(
                        number,
                        firstPsn,
                        QueuePair.firstAddress(),
                        number << 8,
                        run.plan().messageBytes());
        Path path =
                new Path(
                        setup.mac(),
                        peerMac,
                        setup.ipv4(),
                        peerIp,
                        Path.sourcePort(number),
                        setup.dscp());
        return new Connection(state, transaction, number, remoteId, path, own, run);
    }

    /** The end to which a queue pair number may belong, from 0; negative: to no end. */
    static int end(int number) {
        return number < FIRST_QUEUE_PAIR
                ? -1
                : (number - FIRST_QUEUE_PAIR) / MOST % RdmaSetup.MOST_ENDS;
    }

    void message(long nowNs, long body, int fromIp, long fromMac) {
        int attribute = ConnectionMessage.attribute(body);
        ConnectionMessage.Ids ids = ConnectionMessage.ids(body);
        Connection known = find(attribute, ids, fromIp);
        if (attribute == ConnectionMessage.REQUEST) {
            if (known == null) {
                requested(nowNs, body, ids, fromIp, fromMac);
            } else {
                known.owe(ConnectionMessage.REPLY);
            }
        } else if (known == null) {
            counters.add(RdmaCounter.QP_UNKNOWN, 1);
        } else {
            heard(known, attribute, ids, nowNs, body);
        }
    }

    private @Nullable Connection find(int attribute, ConnectionMessage.Ids ids, int fromIp) {
        for (int i = 0; i < all.size(); i++) {
            Connection one = all.get(i);
            boolean isOurs =
                    attribute == ConnectionMessage.REQUEST
                            ? one.remoteId == ids.sender()
                            : one.localId == ids.receiver();
            if (isOurs && one.path.peerIp() == fromIp && one.transaction == ids.transaction()) {
                return one;
            }
        }
        return null;
    }

    private void heard(
            Connection one, int attribute, ConnectionMessage.Ids ids, long nowNs, long body) {
        switch (attribute) {
            case ConnectionMessage.REPLY, ConnectionMessage.REJECT ->
                    answered(one, attribute, ids, nowNs, body);
            case ConnectionMessage.END -> {
                one.owe(ConnectionMessage.ENDED);
                endedByPeer(one, nowNs);
            }
            case ConnectionMessage.ENDED -> {
                if (one.state == Connection.State.ENDING) {
                    one.state = Connection.State.ENDED;
                    one.answered();
                }
            }
            default -> {
                // That the client is ready is known as soon as it sends; there is nothing to do.
            }
        }
    }

    void open(
            Connection one, long nowNs, QueuePair.Peer peer, int mtuBytes, MemorySegment messages) {
        int repairWindow = setup.repairBytes() / mtuBytes;
        Requester requester =
                new Requester(
                        new Requester.Settings(
                                mtuBytes,
                                one.own.firstPsn(),
                                setup.ackEvery(),
                                setup.timeoutNs(),
                                setup.retries()),
                        one.run::sent,
                        repairWindow,
                        setup.reordering());
        RateControls<?> rates = setup.rates();
        Responder responder =
                new Responder(
                        mtuBytes,
                        peer.firstPsn(),
                        one.run::received,
                        rates == null ? null : rates.hopEcho(),
                        repairWindow);
        QueuePair pair =
                new QueuePair(
                        nowNs,
                        one.path,
                        one.own,
                        peer,
                        requester,
                        responder,
                        messages,
                        rates,
                        setup.lineRateBps(),
                        mtuBytes,
                        counters);
        one.pair = pair;
        pairs.add(pair);
        at.pairs.add(pair);
        one.heard(nowNs);
        one.run.begin(nowNs, requester);
    }

    // ---- packets of connections

    /** The queue pair with this number that belongs to that host, or null. */
    @Nullable QueuePair pair(int number, int peerIp) {
        Connection one = number < FIRST_QUEUE_PAIR ? null : places[place(number)];
        QueuePair pair = one == null ? null : one.pair;
        return pair != null && pair.number() == number && pair.path().peerIp() == peerIp
                ? pair
                : null;
    }

    static int place(int number) {
        return (number - FIRST_QUEUE_PAIR) % MOST;
    }

    /** Gives a notice to the connection whose packet it quotes. */
    NoticeCounter notified(long nowNs, long packet, int bytes, int kind, long origin, long value) {
        long bth = packet + RocePacket.IP_TO_BTH_BYTES;
        if (RocePacket.IP_TO_BTH_BYTES + Bth.HEADER_BYTES > bytes
                || Ipv4.source(MEMORY, packet) != setup.ipv4()
                || Ipv4.headerBytes(MEMORY, packet) != Ipv4.MIN_HEADER_BYTES
                || Ipv4.protocol(MEMORY, packet) != IpProtocol.UDP
                || Udp.destinationPort(MEMORY, packet + Ipv4.MIN_HEADER_BYTES) != Bth.UDP_PORT) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        int to = Ipv4.destination(MEMORY, packet);
        int number = Bth.destinationQp(MEMORY, bth);
        for (QueuePair pair : pairs) {
            if (pair.hasSent(to, number)) {
                return pair.notified(nowNs, kind, origin, value);
            }
        }
        return NoticeCounter.UNKNOWN_FLOW;
    }
}
