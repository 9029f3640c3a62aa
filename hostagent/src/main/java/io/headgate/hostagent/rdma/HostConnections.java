package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.memory.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All connections of a host, which may send to several others and receive at the same time. Each
 * end has its own range of queue pair numbers, by which an arriving packet finds it; a request
 * finds the server of its service. Owned by the card's worker; any thread may call {@link #report}.
 */
final class HostConnections {
    private final List<Connections> ends = new ArrayList<>();
    private final List<QueuePair> pairs = new ArrayList<>();
    private final CounterBlock counters;

    HostConnections(List<RdmaSetup.End> of, CounterBlock counters) {
        if (of.isEmpty() || of.size() > RdmaSetup.MOST_ENDS) {
            throw new IllegalArgumentException(
                    of.size() + " ends; a host has 1 to " + RdmaSetup.MOST_ENDS);
        }
        this.counters = counters;
        for (RdmaSetup.End end : of) {
            Connections.Place place = new Connections.Place(ends.size(), pairs);
            ends.add(
                    switch (end.role()) {
                        case RdmaSetup.Client client ->
                                new ClientConnections(end.setup(), client, place, counters);
                        case RdmaSetup.Server server ->
                                new ServerConnections(end.setup(), server, place, counters);
                    });
        }
    }

    /** The queue pairs that may send and receive. */
    List<QueuePair> pairs() {
        return pairs;
    }

    /**
     * Does the work that is due.
     *
     * @param asked MAC address found by ARP, for ends that do not know their peer's
     */
    void tick(long nowNs, long asked) {
        for (int i = 0; i < ends.size(); i++) {
            Connections end = ends.get(i);
            long known = end.peerMac();
            end.tick(nowNs, known == Neighbors.UNKNOWN ? asked : known);
        }
    }

    /** The result of an end, once it has nothing left to do; null before. Any thread. */
    @Nullable RdmaReport report(int end) {
        return ends.get(end).result();
    }

    /** The time of the next call of {@link #tick}, or of the next message, in ns. */
    long deadlineNs(long nowNs) {
        long nextNs = Connections.NEVER;
        for (int i = 0; i < ends.size(); i++) {
            nextNs = Math.min(nextNs, ends.get(i).deadlineNs(nowNs));
        }
        return nextNs;
    }

    /** The next connection with a message to send; null: there is none. */
    @Nullable Connection owing(long nowNs) {
        Connection owing = null;
        for (int i = 0; i < ends.size() && owing == null; i++) {
            owing = ends.get(i).owing(nowNs);
        }
        return owing;
    }

    void write(Connection one, Frame frame, long nowNs) {
        ends.get(Connections.end(one.own.number())).write(one, frame, nowNs);
    }

    /** A packet to queue pair 1 came. */
    void message(long nowNs, int opcode, long body, int bodyBytes, int fromIp, long fromMac) {
        if (opcode != RcOpcode.UD_SEND_ONLY || !ConnectionMessage.isValid(body, bodyBytes)) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        Connections end =
                ConnectionMessage.attribute(body) == ConnectionMessage.REQUEST
                        ? asked(ConnectionMessage.service(body))
                        : of(ConnectionMessage.ids(body).receiver());
        if (end == null) {
            counters.add(RdmaCounter.QP_UNKNOWN, 1);
        } else {
            end.message(nowNs, body, fromIp, fromMac);
        }
    }

    /**
     * The end that answers a request: the server of that service, otherwise any end, which refuses.
     */
    private Connections asked(long service) {
        for (int i = 0; i < ends.size(); i++) {
            if (ends.get(i).serves(service)) {
                return ends.get(i);
            }
        }
        return ends.getFirst();
    }

    private @Nullable Connections of(int number) {
        int end = Connections.end(number);
        return end >= 0 && end < ends.size() ? ends.get(end) : null;
    }

    /** The queue pair with this number that belongs to that host, or null. */
    @Nullable QueuePair pair(int number, int peerIp) {
        Connections end = of(number);
        return end == null ? null : end.pair(number, peerIp);
    }

    /** Gives a notice to the connection whose packet it quotes. */
    NoticeCounter notified(long nowNs, long packet, int bytes, int kind, long origin, long value) {
        NoticeCounter found = NoticeCounter.UNKNOWN_FLOW;
        for (int i = 0; i < ends.size() && found == NoticeCounter.UNKNOWN_FLOW; i++) {
            found = ends.get(i).notified(nowNs, packet, bytes, kind, origin, value);
        }
        return found;
    }
}
