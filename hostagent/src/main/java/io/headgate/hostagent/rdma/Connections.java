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
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a host: a client makes them, measures, and ends them; a server takes those
 * that come, until all have ended. Owned by the card's worker. There are at most {@link #MOST}, and
 * their messages share memory that is there from the start; the place and the memory of one that
 * has ended are another's as soon as they are needed.
 */
final class Connections {
    /** Connections of a host, those at their end among them. */
    static final int MOST = 256;

    private static final int MOST_REFUSALS = 16;

    /** Reports of connections that have made room for others: those of the last ones are kept. */
    private static final int MOST_REPORTS = 4 * MOST;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    /** A service that the two ends have agreed on (InfiniBand architecture, annex A3). */
    private static final long LOCAL_SERVICES = 0x1000_0000_0000_0000L;

    private static final int FIRST_QUEUE_PAIR = 0x11;

    // A number is used again only after so many others; all fit into 24 bits.
    private static final int GENERATIONS = 0xFF_0000 / MOST;

    /** A server that has nothing left to do answers for so long, if its last answer was lost. */
    private static final long LINGER_NS = 500_000_000;

    /** A client of which nothing is heard for so long has gone. */
    private static final long SILENCE_NS = 60_000_000_000L;

    private static final long NO_END = Long.MAX_VALUE;

    private final RdmaSetup setup;
    private final RdmaSetup.@Nullable Client client;
    private final RdmaSetup.@Nullable Server server;
    private final CounterBlock counters;
    private final MessageMemory memory;

    // By queue pair; ended ones stay until their place is needed.
    private final @Nullable Connection[] places = new Connection[MOST];
    private final List<Connection> all = new ArrayList<>();
    private final List<QueuePair> pairs = new ArrayList<>();
    private final ArrayDeque<Connection> refusals = new ArrayDeque<>();
    private final ArrayDeque<RdmaReport.Connection> replaced = new ArrayDeque<>();
    private final IntHashSet served = new IntHashSet();
    private int made;

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
        this.memory =
                new MessageMemory(
                        server != null
                                ? server.memoryBytes()
                                : client != null
                                        ? client.queuePairs()
                                                * MessageMemory.aligned(
                                                        client.plan().messageBytes())
                                        : 1);
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
        for (int i = 0; i < all.size(); i++) {
            Connection one = all.get(i);
            QueuePair pair = one.pair;
            if (pair != null && one.state == Connection.State.OPEN) {
                did |= pair.tick(nowNs);
                look(by, one, pair, nowNs);
            } else if (one.state == Connection.State.ENDING && one.isUnanswered()) {
                one.state = Connection.State.ENDED;
                one.answered();
            }
        }
        conclude(nowNs, peerMac);
        return did;
    }

    private void look(RdmaSetup.@Nullable Client by, Connection one, QueuePair pair, long nowNs) {
        boolean isBroken = pair.requester().hasFailed() || pair.responder().hasFailed();
        if (isBroken) {
            fail(
                    pair.responder().hasFailed()
                            ? "the other end sent what no message of the test has"
                            : "the other end answers no more, or refused what was sent; is it still"
                                    + " running, and does the way there carry frames of this"
                                    + " length?");
        }
        if (by != null) {
            if (one.run.isOver(nowNs) || failure != null) {
                one.state = Connection.State.ENDING;
                one.owe(ConnectionMessage.END);
                if (failure != null) {
                    // Else it may still acknowledge what it was sent last.
                    pairs.remove(pair);
                }
            }
        } else if (isBroken) {
            ended(one, nowNs);
        } else if (one.isSilent(nowNs, pair.progress(), SILENCE_NS)) {
            fail(
                    "a client was not heard for "
                            + SILENCE_NS / 1_000_000_000
                            + " s, and had not ended its connection");
            ended(one, nowNs);
        }
    }

    /** At a server. */
    private void ended(Connection one, long nowNs) {
        one.state = Connection.State.ENDED;
        pairs.remove(one.pair);
        if (server != null && served.size() < server.clients()) {
            served.add(one.path.peerIp());
        }
        serverMayEnd(nowNs);
    }

    private void conclude(long nowNs, long peerMac) {
        if (client == null) {
            over = nowNs >= endNs;
            return;
        }
        boolean waits = !begun;
        boolean isDone = begun;
        for (int i = 0; i < all.size(); i++) {
            waits |= all.get(i).state == Connection.State.REQUESTING;
            isDone &= all.get(i).isAtItsEnd();
        }
        if (!waits) {
            patientNs = NO_END;
        } else if (nowNs >= patientNs) {
            fail(
                    peerMac == Neighbors.UNKNOWN
                            ? "nobody says that it has the server's address, or the gateway's;"
                                    + " is the link up, and the address right?"
                            : "no server answers; start one with the same test and --service"
                                    + " first");
            over = true;
        }
        over |= isDone;
    }

    private void fail(String sentence) {
        if (failure == null) {
            failure = sentence;
        }
    }

    /** When {@link #tick} is to be called next, or a message sent, in ns. */
    long deadlineNs(long nowNs) {
        long nextNs = Math.min(client != null ? patientNs : NO_END, endNs);
        for (int i = 0; i < all.size(); i++) {
            Connection one = all.get(i);
            nextNs = Math.min(nextNs, one.oweNs());
            QueuePair pair = one.pair;
            if (pair != null && one.state == Connection.State.OPEN) {
                nextNs = Math.min(nextNs, pair.tickNs());
                nextNs = Math.min(nextNs, one.run.deadlineNs(nowNs));
                nextNs = Math.min(nextNs, client == null ? one.silentNs(SILENCE_NS) : NO_END);
            }
        }
        return refusals.isEmpty() ? nextNs : nowNs;
    }

    /** Whether there is nothing left to do. */
    boolean isOver() {
        return over;
    }

    /** What became of it so far. */
    RdmaReport report() {
        List<RdmaReport.Connection> reports = new ArrayList<>(replaced);
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
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).oweNs() <= nowNs) {
                return all.get(i);
            }
        }
        return refusals.poll();
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
            Connection asking =
                    connection(
                            Connection.State.REQUESTING,
                            i,
                            (nowNs << 8) + i,
                            0,
                            peerMac,
                            by.ipv4(),
                            new PerfRun(by.plan(), true, counters));
            asking.owe(ConnectionMessage.REQUEST);
            place(i, asking);
        }
    }

    private void place(int place, Connection one) {
        places[place] = one;
        all.add(one);
    }

    private Connection connection(
            Connection.State state,
            int place,
            long transaction,
            int remoteId,
            long peerMac,
            int peerIp,
            PerfRun run) {
        int number = FIRST_QUEUE_PAIR + place + MOST * (made++ % GENERATIONS);
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
                known.owe(ConnectionMessage.REPLY);
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
                one.owe(ConnectionMessage.ENDED);
                if (client == null) {
                    ended(one, nowNs);
                } else {
                    one.state = Connection.State.ENDED;
                    pairs.remove(one.pair);
                    fail("the server has ended the connection");
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
            MemorySegment messages = memory.take(one.own.bytes());
            if (messages == null) {
                throw new IllegalStateException("a client's connections have memory of their own");
            }
            open(one, nowNs, ConnectionMessage.replier(body), setup.mtuBytes(), messages);
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
        if (!ConnectionMessage.isOurs(body)) {
            counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
            return;
        }
        int mtuBytes = ConnectionMessage.mtuBytes(body);
        QueuePair.Peer peer = ConnectionMessage.requester(body);
        boolean fits =
                ConnectionMessage.service(body) == (LOCAL_SERVICES | setup.service())
                        && ConnectionMessage.test(body) == by.test().ordinal()
                        && mtuBytes != 0
                        && mtuBytes <= setup.mtuBytes()
                        && peer.bytes() >= 1
                        && peer.bytes() <= by.memoryBytes();
        int place = fits ? freePlace() : -1;
        MemorySegment messages = place < 0 ? null : freeMemory(peer.bytes());
        PerfPlan plan = new PerfPlan(by.test(), messages == null ? 1 : (int) peer.bytes(), 0, 0, 1);
        Connection asked =
                connection(
                        messages == null ? Connection.State.REJECTED : Connection.State.OPEN,
                        Math.max(place, 0),
                        ids.transaction(),
                        ids.sender(),
                        fromMac,
                        fromIp,
                        new PerfRun(plan, false, counters));
        if (messages == null) {
            counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
            asked.owe(ConnectionMessage.REJECT);
            // Who asks again is refused again; more than these need not be remembered.
            if (refusals.size() < MOST_REFUSALS) {
                refusals.add(asked);
            }
            return;
        }
        // The memory may have been that of the one whose place it was, too.
        place(place, asked);
        endNs = NO_END;
        open(asked, nowNs, peer, mtuBytes, messages);
        asked.owe(ConnectionMessage.REPLY);
    }

    /** A place for a connection, that of the one that ended first if need be; -1: none. */
    private int freePlace() {
        for (int place = 0; place < MOST; place++) {
            if (places[place] == null) {
                return place;
            }
        }
        Connection ended = firstEnded();
        return ended == null ? -1 : forget(ended);
    }

    private @Nullable MemorySegment freeMemory(long bytes) {
        MemorySegment part = memory.take(bytes);
        for (Connection ended = firstEnded(); part == null && ended != null; ended = firstEnded()) {
            forget(ended);
            part = memory.take(bytes);
        }
        return part;
    }

    private @Nullable Connection firstEnded() {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isAtItsEnd()) {
                return all.get(i);
            }
        }
        return null;
    }

    /** What is left of one that has ended; answers its place. */
    private int forget(Connection one) {
        QueuePair pair = one.pair;
        if (pair != null) {
            if (replaced.size() == MOST_REPORTS) {
                replaced.removeFirst();
            }
            replaced.add(one.run.report(pair));
            memory.give(pair.memory());
        }
        int place = place(one.own.number());
        places[place] = null;
        all.remove(one);
        return place;
    }

    private void open(
            Connection one, long nowNs, QueuePair.Peer peer, int mtuBytes, MemorySegment messages) {
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
                        messages,
                        setup.rates(),
                        setup.lineRateBps(),
                        QueuePair.largestFrameBytes(mtuBytes),
                        counters);
        one.pair = pair;
        pairs.add(pair);
        one.heard(nowNs);
        one.run.begin(nowNs, requester);
    }

    private void serverMayEnd(long nowNs) {
        RdmaSetup.Server by = server;
        if (by != null && pairs.isEmpty() && served.size() >= by.clients()) {
            endNs = nowNs + LINGER_NS;
        }
    }

    // ---- packets of connections

    /** The queue pair of a number that belongs to that host; null: there is none. */
    @Nullable QueuePair pair(int number, int peerIp) {
        Connection one = number < FIRST_QUEUE_PAIR ? null : places[place(number)];
        QueuePair pair = one == null ? null : one.pair;
        return pair != null && pair.number() == number && pair.path().peerIp() == peerIp
                ? pair
                : null;
    }

    private static int place(int number) {
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
