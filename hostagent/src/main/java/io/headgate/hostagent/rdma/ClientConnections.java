package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.RdmaCounter;
import java.lang.foreign.MemorySegment;

/** The connections of a client, which makes them, measures, and ends them. */
final class ClientConnections extends Connections {
    private final RdmaSetup.Client client;
    private boolean begun;
    private long patientNs = NEVER;

    ClientConnections(RdmaSetup setup, RdmaSetup.Client client, Place at, CounterBlock counters) {
        super(
                setup,
                at,
                client.queuePairs()
                        * MessageMemory.aligned(
                                QueuePair.memoryBytes(setup, client.plan().messageBytes())),
                counters);
        this.client = client;
    }

    @Override
    PerfPlan.Test test() {
        return client.plan().test();
    }

    @Override
    long peerMac() {
        return client.mac();
    }

    @Override
    boolean serves(long service) {
        return false;
    }

    @Override
    boolean tick(long nowNs, long peerMac) {
        boolean begins = false;
        if (!begun) {
            if (patientNs == NEVER) {
                patientNs = nowNs + client.patienceNs();
            }
            if (peerMac != Neighbors.UNKNOWN) {
                begun = true;
                request(nowNs, peerMac);
                begins = true;
            }
        }
        return super.tick(nowNs, peerMac) || begins;
    }

    private void request(long nowNs, long peerMac) {
        for (int i = 0; i < client.queuePairs(); i++) {
            Connection asking =
                    connection(
                            Connection.State.REQUESTING,
                            i,
                            (nowNs << 8) + i,
                            0,
                            peerMac,
                            client.ipv4(),
                            PerfRun.of(client, counters));
            asking.owe(ConnectionMessage.REQUEST);
            place(i, asking);
        }
    }

    @Override
    void look(Connection one, QueuePair pair, boolean isBroken, long nowNs) {
        one.run.tick(nowNs);
        if (one.run.isOver(nowNs) || failure != null) {
            one.state = Connection.State.ENDING;
            one.owe(ConnectionMessage.END);
            if (failure != null) {
                // Else it may still acknowledge what it was sent last.
                remove(pair);
            }
        }
    }

    @Override
    void conclude(long nowNs, long peerMac) {
        boolean waits = !begun;
        boolean isDone = begun;
        for (int i = 0; i < all.size(); i++) {
            waits |= all.get(i).state == Connection.State.REQUESTING;
            isDone &= all.get(i).isAtItsEnd();
        }
        if (!waits) {
            patientNs = NEVER;
        } else if (nowNs >= patientNs) {
            fail(
                    peerMac == Neighbors.UNKNOWN
                            ? "no machine answers for the address of the server, or of the gateway;"
                                    + " is the link up, and is the address right?"
                            : "no server answers; start one with the same test and --service"
                                    + " first");
            over = true;
        }
        over |= isDone;
    }

    @Override
    long ownDeadlineNs() {
        return patientNs;
    }

    @Override
    long deadlineNs(Connection one, long nowNs) {
        return one.run.deadlineNs(nowNs);
    }

    @Override
    void requested(long nowNs, long body, ConnectionMessage.Ids ids, int fromIp, long fromMac) {
        counters.add(RdmaCounter.CONNECTIONS_REFUSED, 1);
    }

    @Override
    void answered(Connection one, int attribute, ConnectionMessage.Ids ids, long nowNs, long body) {
        if (attribute == ConnectionMessage.REPLY) {
            replied(one, ids, nowNs, body);
        } else if (one.state == Connection.State.REQUESTING) {
            one.state = Connection.State.REJECTED;
            one.answered();
            fail(
                    "the server refused the connection: it runs another test, its messages are"
                            + " smaller, it has a smaller --mtu or another --transport, or it has"
                            + " too many connections");
        }
    }

    private void replied(Connection one, ConnectionMessage.Ids ids, long nowNs, long body) {
        if (!ConnectionMessage.isOurs(body)) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        if (one.state == Connection.State.REQUESTING) {
            one.remoteId = ids.sender();
            one.state = Connection.State.OPEN;
            MemorySegment messages = memory.take(QueuePair.memoryBytes(setup, one.own.bytes()));
            if (messages == null) {
                throw new IllegalStateException("a client's connections have memory of their own");
            }
            open(one, nowNs, ConnectionMessage.replier(body), setup.mtuBytes(), messages);
        }
        if (one.state == Connection.State.OPEN) {
            one.owe(ConnectionMessage.READY);
        }
    }

    @Override
    void endedByPeer(Connection one, long nowNs) {
        one.state = Connection.State.ENDED;
        remove(one.pair);
        fail("the server has ended the connection");
    }
}
