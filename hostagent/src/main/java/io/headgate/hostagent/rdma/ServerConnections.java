package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.RdmaCounter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server, which accepts clients until all have ended. The place and the memory
 * of an ended connection are given to another one when needed.
 */
final class ServerConnections extends Connections {
    private static final int MOST_REFUSALS = 16;

    /**
     * Maximum number of reports kept of connections that have made room for others: the last ones.
     */
    private static final int MOST_REPORTS = 4 * MOST;

    /**
     * Time for which a server with nothing left to do still answers, in case its last answer was
     * lost.
     */
    private static final long LINGER_NS = 500_000_000;

    /** A client that sends nothing for this time is gone. */
    private static final long SILENCE_NS = 60_000_000_000L;

    private final RdmaSetup.Server server;
    private final ArrayDeque<Connection> refusals = new ArrayDeque<>();
    private final ArrayDeque<RdmaReport.Connection> replaced = new ArrayDeque<>();
    private final IntHashSet served = new IntHashSet();
    private long endNs = NEVER;

    ServerConnections(RdmaSetup setup, RdmaSetup.Server server, Place at, CounterBlock counters) {
        super(
                setup,
                at,
                server.memoryBytes() + (long) RdmaSetup.MOST_REPAIRING * setup.repairBytes(),
                counters);
        this.server = server;
    }

    @Override
    PerfPlan.Test test() {
        return server.test();
    }

    @Override
    long peerMac() {
        return Neighbors.UNKNOWN;
    }

    @Override
    boolean serves(long service) {
        return service == (LOCAL_SERVICES | setup.service());
    }

    @Override
    void look(Connection one, QueuePair pair, boolean isBroken, long nowNs) {
        if (isBroken) {
            ended(one, nowNs);
        } else if (one.isSilent(nowNs, pair.progress(), SILENCE_NS)) {
            fail(
                    "no packet arrived from a client for "
                            + SILENCE_NS / 1_000_000_000
                            + " s, and it had not ended its connection");
            ended(one, nowNs);
        }
    }

    private void ended(Connection one, long nowNs) {
        one.state = Connection.State.ENDED;
        remove(one.pair);
        if (served.size() < server.clients()) {
            served.add(one.path.peerIp());
        }
        if (isQuiet() && served.size() >= server.clients()) {
            endNs = nowNs + LINGER_NS;
        }
    }

    @Override
    void conclude(long nowNs, long peerMac) {
        over = nowNs >= endNs;
    }

    @Override
    long ownDeadlineNs() {
        return endNs;
    }

    @Override
    long deadlineNs(Connection one, long nowNs) {
        return Math.min(one.run.deadlineNs(nowNs), one.silentNs(SILENCE_NS));
    }

    @Override
    long deadlineNs(long nowNs) {
        return refusals.isEmpty() ? super.deadlineNs(nowNs) : nowNs;
    }

    @Override
    RdmaReport report() {
        List<RdmaReport.Connection> reports = new ArrayList<>(replaced);
        reports.addAll(super.report().connections());
        return new RdmaReport(reports, failure);
    }

    @Override
    @Nullable Connection owing(long nowNs) {
        Connection owing = super.owing(nowNs);
        return owing == null ? refusals.poll() : owing;
    }

    @Override
    void answered(Connection one, int attribute, ConnectionMessage.Ids ids, long nowNs, long body) {
        // It has asked for nothing.
        counters.add(RdmaCounter.MALFORMED, 1);
    }

    @Override
    void endedByPeer(Connection one, long nowNs) {
        ended(one, nowNs);
    }

    @Override
    void requested(long nowNs, long body, ConnectionMessage.Ids ids, int fromIp, long fromMac) {
        if (!ConnectionMessage.isOurs(body)) {
            counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
            return;
        }
        int mtuBytes = ConnectionMessage.mtuBytes(body);
        QueuePair.Peer peer = ConnectionMessage.requester(body);
        boolean fits =
                serves(ConnectionMessage.service(body))
                        && ConnectionMessage.test(body) == server.test().ordinal()
                        && ConnectionMessage.repairs(body) == (setup.reordering() != 0)
                        && mtuBytes != 0
                        && mtuBytes <= setup.mtuBytes()
                        && peer.bytes() >= 1
                        && peer.bytes() <= server.memoryBytes();
        int place = fits ? freePlace() : -1;
        MemorySegment messages =
                place < 0 ? null : freeMemory(QueuePair.memoryBytes(setup, peer.bytes()));
        PerfPlan plan =
                new PerfPlan(server.test(), messages == null ? 1 : (int) peer.bytes(), 0, 0, 1);
        Connection asked =
                connection(
                        messages == null ? Connection.State.REJECTED : Connection.State.OPEN,
                        Math.max(place, 0),
                        ids.transaction(),
                        ids.sender(),
                        fromMac,
                        fromIp,
                        PerfRun.ofServer(plan, counters));
        if (messages == null) {
            counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
            asked.owe(ConnectionMessage.REJECT);
            // A client that asks again is refused again; more than these need not be remembered.
            if (refusals.size() < MOST_REFUSALS) {
                refusals.add(asked);
            }
            return;
        }
        // The memory may have been that of the one whose place it was, too.
        place(place, asked);
        endNs = NEVER;
        open(asked, nowNs, peer, mtuBytes, messages);
        asked.owe(ConnectionMessage.REPLY);
    }

    /** A place for a connection, if necessary that of the one that ended first; -1: none. */
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

    /** Forgets an ended connection; returns its place. */
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
}
