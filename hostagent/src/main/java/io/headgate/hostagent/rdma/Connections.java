package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a host: a client makes them, measures, and ends them; a server takes those
 * that come, until all have ended. Owned by the card's worker. Memory is taken when a connection is
 * made, of at most {@link #MOST}.
 */
final class Connections {
    /** Connections of a host, those at their end among them. */
    static final int MOST = 256;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    /** A service that the two ends have agreed on (InfiniBand architecture, annex A3). */
    private static final long LOCAL_SERVICES = 0x1000_0000_0000_0000L;

    private static final int FIRST_QUEUE_PAIR = 0x11;
    private static final int MEMORY_ALIGNMENT = 64;

    /** A server that has nothing left to do answers for so long, if its last answer was lost. */
    private static final long LINGER_NS = 500_000_000;

    private static final long NO_END = Long.MAX_VALUE;

    private final RdmaSetup setup;
    private final RdmaSetup.@Nullable Client client;
    private final RdmaSetup.@Nullable Server server;
    private final CounterBlock counters;
    private final List<Connection> all = new ArrayList<>();
    private final List<QueuePair> pairs = new ArrayList<>();

    private boolean begun;
    private long patientNs = NO_END;
    private long endNs = NO_END;
    private @Nullable String failure;
    private boolean over;

    Connections(
            RdmaSetup setup,
            RdmaSetup.@Nullable Client client,
            RdmaSetup.@Nullable Server server,
            CounterBlock counters) {
        this.setup = setup;
        this.client = client;
        this.server = server;
        this.counters = counters;
    }

    /** Those that may send and receive. */
    List<QueuePair> pairs() {
        return pairs;
    }

    /** Does what is due; answers whether that was something. */
    boolean tick(long nowNs, long peerMac) {
        boolean did = false;
        RdmaSetup.Client by = client;
        if (by != null && !begun) {
            if (patientNs == NO_END) {
                patientNs = nowNs + by.patienceNs();
            }
            if (peerMac != Neighbors.UNKNOWN) {
                begun = true;
                request(by, nowNs, peerMac);
                did = true;
            }
        }
        for (Connection one : all) {
            QueuePair pair = one.pair;
            if (pair != null && one.state == Connection.State.OPEN) {
                did |= pair.tick(nowNs);
                end(by, one, pair, nowNs);
            } else if (one.state == Connection.State.ENDING && one.isUnanswered()) {
                one.state = Connection.State.ENDED;
                one.answered();
            }
        }
        conclude(nowNs, peerMac);
        return did;
    }

    private void end(RdmaSetup.@Nullable Client by, Connection one, QueuePair pair, long nowNs) {
        if (pair.requester().hasFailed() || pair.responder().hasFailed()) {
            fail(
                    pair.responder().hasFailed()
                            ? "the other end sent what no message of the test has"
                            : "the other end answers no more, or refused what was sent; is it still"
                                    + " running, and does the way there carry frames of this"
                                    + " length?");
        }
        if (by != null && (one.run.isOver(nowNs) || failure != null)) {
            one.state = Connection.State.ENDING;
            one.owe(ConnectionMessage.END);
        }
    }

    private void conclude(long nowNs, long peerMac) {
        if (client != null) {
            boolean waits =
                    !begun || all.stream().anyMatch(c -> c.state == Connection.State.REQUESTING);
            if (!waits) {
                patientNs = NO_END;
            }
            if (waits && nowNs >= patientNs) {
                fail(
                        peerMac == Neighbors.UNKNOWN
                                ? "nobody says that it has the server's address, or the gateway's;"
                                        + " is the link up, and the address right?"
                                : "no server answers; start one with the same test and --service"
                                        + " first");
                over = true;
            }
            over |=
                    begun
                            && all.stream()
                                    .allMatch(one ->
                                            one.state == Connection.State.ENDED
                                                    || one.state == Connection.State.REJECTED);
        } else {
            over = nowNs >= endNs;
        }
    }

    private void fail(String sentence) {
        if (failure == null) {
            failure = sentence;
        }
    }

    /** When {@link #tick} is to be called next, or a message sent, in ns. */
    long deadlineNs(long nowNs) {
        long nextNs = Math.min(client != null ? patientNs : NO_END, endNs);
        for (Connection one : all) {
            nextNs = Math.min(nextNs, one.oweNs());
            QueuePair pair = one.pair;
            if (pair != null && one.state == Connection.State.OPEN) {
                nextNs = Math.min(nextNs, pair.tickNs());
                nextNs = Math.min(nextNs, one.run.deadlineNs(nowNs));
            }
        }
        return nextNs;
    }

    /** Whether there is nothing left to do. */
    boolean isOver() {
        return over;
    }

    /** What became of it so far. */
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

    /** The next connection that has to say something; null: none has. */
    @Nullable Connection owing(long nowNs) {
        for (Connection one : all) {
            if (one.oweNs() <= nowNs) {
                return one;
            }
        }
        return null;
    }

    /** Writes what a connection has to say. */
    void write(Connection one, Frame frame, long nowNs) {
        ConnectionMessage.Ids ids = one.ids();
        int sequence = one.localId;
        switch (one.owed()) {
            case ConnectionMessage.REQUEST -> {
                RdmaSetup.Client by = client;
                if (by == null) {
                    throw new IllegalStateException("a server asks for no connection");
                }
                ConnectionMessage.request(
                        frame,
                        one.path,
                        ids,
                        sequence,
                        LOCAL_SERVICES | setup.service(),
                        one.own,
                        setup.mtuBytes(),
                        by.plan().test());
            }
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

    private void request(RdmaSetup.Client by, long nowNs, long peerMac) {
        for (int i = 0; i < by.queuePairs(); i++) {
            PerfRun run = new PerfRun(by.plan(), true, counters);
            Connection made =
                    connection(
                            Connection.State.REQUESTING,
                            (nowNs << 8) + i,
                            0,
                            peerMac,
                            by.ipv4(),
                            by.plan().messageBytes(),
                            run);
            made.owe(ConnectionMessage.REQUEST);
            all.add(made);
        }
    }

    private Connection connection(
            Connection.State state,
            long transaction,
            int remoteId,
            long peerMac,
            int peerIp,
            long bytes,
            PerfRun run) {
        int number = FIRST_QUEUE_PAIR + all.size();
        // Any number will do; not the same for all, so that a mix-up is seen.
        int firstPsn = Psn.of((setup.ipv4() + number) * 0x9E37_79B9L);
        QueuePair.Peer own =
                new QueuePair.Peer(number, firstPsn, QueuePair.firstAddress(), number << 8, bytes);
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

    /** A packet to queue pair 1 came. */
    void message(long nowNs, int opcode, long body, int bodyBytes, int fromIp, long fromMac) {
        if (opcode != RcOpcode.UD_SEND_ONLY || !ConnectionMessage.isValid(body, bodyBytes)) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        int attribute = ConnectionMessage.attribute(body);
        ConnectionMessage.Ids ids = ConnectionMessage.ids(body);
        Connection known = find(attribute, ids, fromIp);
        if (attribute == ConnectionMessage.REQUEST) {
            if (known != null) {
                known.owe(
                        known.state == Connection.State.REJECTED
                                ? ConnectionMessage.REJECT
                                : ConnectionMessage.REPLY);
            } else if (server != null) {
                accept(server, nowNs, body, ids, fromIp, fromMac);
            } else {
                counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
            }
        } else if (known == null) {
            counters.add(RdmaCounter.QP_UNKNOWN, 1);
        } else {
            heard(known, attribute, ids, nowNs, body);
        }
    }

    private @Nullable Connection find(int attribute, ConnectionMessage.Ids ids, int fromIp) {
        for (Connection one : all) {
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
            case ConnectionMessage.REPLY -> replied(one, ids, nowNs, body);
            case ConnectionMessage.REJECT -> {
                if (one.state == Connection.State.REQUESTING) {
                    one.state = Connection.State.REJECTED;
                    one.answered();
                    fail(
                            "the server refuses: it serves another test, has no room for messages"
                                    + " of that size, a smaller --mtu, or too many connections");
                }
            }
            case ConnectionMessage.END -> {
                one.state = Connection.State.ENDED;
                one.owe(ConnectionMessage.ENDED);
                if (client != null) {
                    fail("the server has ended the connection");
                } else {
                    serverMayEnd(nowNs);
                }
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

    private void replied(Connection one, ConnectionMessage.Ids ids, long nowNs, long body) {
        if (client == null || !ConnectionMessage.isOurs(body)) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        if (one.state == Connection.State.REQUESTING) {
            one.remoteId = ids.sender();
            one.state = Connection.State.OPEN;
            open(one, nowNs, ConnectionMessage.replier(body), setup.mtuBytes());
        }
        if (one.state == Connection.State.OPEN) {
            one.owe(ConnectionMessage.READY);
        }
    }

    private void accept(
            RdmaSetup.Server by,
            long nowNs,
            long body,
            ConnectionMessage.Ids ids,
            int fromIp,
            long fromMac) {
        int mtuBytes = ConnectionMessage.mtuBytes(body);
        QueuePair.Peer peer = ConnectionMessage.requester(body);
        if (all.size() >= MOST || !ConnectionMessage.isOurs(body)) {
            counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
            return;
        }
        boolean fits =
                ConnectionMessage.service(body) == (LOCAL_SERVICES | setup.service())
                        && ConnectionMessage.test(body) == by.test().ordinal()
                        && mtuBytes != 0
                        && mtuBytes <= setup.mtuBytes()
                        && peer.bytes() >= 1
                        && peer.bytes() <= by.mostBytes();
        PerfPlan plan = new PerfPlan(by.test(), fits ? (int) peer.bytes() : 1, 0, 0, 1);
        Connection made =
                connection(
                        fits ? Connection.State.OPEN : Connection.State.REJECTED,
                        ids.transaction(),
                        ids.sender(),
                        fromMac,
                        fromIp,
                        plan.messageBytes(),
                        new PerfRun(plan, false, counters));
        all.add(made);
        if (fits) {
            endNs = NO_END;
            open(made, nowNs, peer, mtuBytes);
            made.owe(ConnectionMessage.REPLY);
        } else {
            counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
            made.owe(ConnectionMessage.REJECT);
        }
    }

    private void open(Connection one, long nowNs, QueuePair.Peer peer, int mtuBytes) {
        Requester requester =
                new Requester(
                        new Requester.Settings(
                                mtuBytes,
                                one.own.firstPsn(),
                                setup.ackEvery(),
                                setup.timeoutNs(),
                                setup.retries()),
                        one.run::sent);
        Responder responder = new Responder(mtuBytes, peer.firstPsn(), one.run::received);
        QueuePair pair =
                new QueuePair(
                        nowNs,
                        one.path,
                        one.own,
                        peer,
                        requester,
                        responder,
                        Arena.ofAuto().allocate(one.own.bytes(), MEMORY_ALIGNMENT),
                        setup.rates(),
                        setup.lineRateBps(),
                        QueuePair.largestFrameBytes(mtuBytes),
                        counters);
        one.pair = pair;
        pairs.add(pair);
        fill(pair.memory());
        one.run.begin(nowNs, requester);
    }

    /** What is sent is not all the same, so that what comes to the wrong place is seen. */
    private static void fill(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) ((at * 31) >>> 3));
        }
    }

    private void serverMayEnd(long nowNs) {
        RdmaSetup.Server by = server;
        boolean allEnded =
                all.stream()
                        .allMatch(one ->
                                one.state == Connection.State.ENDED
                                        || one.state == Connection.State.REJECTED);
        long clients =
                all.stream()
                        .filter(one -> one.pair != null)
                        .mapToInt(one -> one.path.peerIp())
                        .distinct()
                        .count();
        if (by != null && allEnded && clients >= by.clients()) {
            endNs = nowNs + LINGER_NS;
        }
    }

    // ---- packets of connections

    /** The queue pair of a number that belongs to that host; null: there is none. */
    @Nullable QueuePair pair(int number, int peerIp) {
        int at = number - FIRST_QUEUE_PAIR;
        QueuePair pair = at >= 0 && at < all.size() ? all.get(at).pair : null;
        return pair != null && pair.path().peerIp() == peerIp ? pair : null;
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
