package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.dataplane.forwarding.ForwardingDatabase;
import io.headgate.dataplane.memory.DropReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a bridge learns, forgets and refuses. */
class BridgeTablesTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final long S = 1_000_000_000L;

    private static TestSwitch bridge(
            long ageingNs, int entries, long floodPerSec, BridgeConfig.StaticEntry... fixed) {
        BridgeConfig bridge =
                ConfigDefaults.BRIDGE
                        .withAgeingNs(ageingNs)
                        .withFdbEntries(entries)
                        .withFloodFramesPerSec(floodPerSec)
                        .withStaticEntries(List.of(fixed));
        return new TestSwitch(TestSwitch.withBridge(TestSwitch.bridge(3), bridge));
    }

    private static TestSwitch bridge() {
        return bridge(300 * S, 4096, 1_000_000);
    }

    private static byte[] frame(long destination, long source) {
        return Packets.ethernet(destination, source, 0x88B7, new byte[46]);
    }

    private static void send(TestSwitch s, int port, long destination, long source) {
        s.hosts.get(port).inject(frame(destination, source));
        s.run(3_000);
    }

    /** Lets time pass in leaps, as a switch without traffic sees it. */
    private static void rest(TestSwitch s, long durationNs) {
        long endNs = s.nowNs + durationNs;
        while (s.nowNs < endNs) {
            s.nowNs += 10_000_000;
            s.settle();
        }
    }

    private static int portOf(TestSwitch s, long mac) {
        long entry = s.engine.forwardingDatabase().lookup(ForwardingDatabase.key(1, mac));
        return entry == ForwardingDatabase.NONE ? -1 : ForwardingDatabase.port(entry);
    }

    @Test
    void addressMovesFiveTimesASecondAndThenStays() {
        TestSwitch s = bridge();
        send(s, 0, HOST + 9, HOST);
        for (int i = 0; i < 20; i++) {
            // A bridge looks a source up once a millisecond.
            rest(s, S / 100);
            send(s, 1 + i % 2, HOST + 9, HOST);
        }
        assertThat(s.total("fdb.moved")).isEqualTo(5);
        assertThat(s.total("fdb.moves.refused")).isPositive();
        int held = portOf(s, HOST);
        rest(s, S);
        send(s, held == 0 ? 1 : 0, HOST + 9, HOST);
        assertThat(s.total("fdb.moved")).isEqualTo(6);
    }

    @Test
    void addressIsForgottenWhenItsAgeIsReachedAndKeptWhileItSpeaks() {
        TestSwitch s = bridge(10 * S, 4096, 1_000_000);
        send(s, 0, HOST + 9, HOST);
        send(s, 1, HOST + 9, HOST + 1);
        for (int i = 0; i < 5; i++) {
            rest(s, 3 * S);
            send(s, 1, HOST + 9, HOST + 1);
        }
        assertThat(portOf(s, HOST)).isEqualTo(-1);
        assertThat(portOf(s, HOST + 1)).isEqualTo(1);
        assertThat(s.total("fdb.aged")).isEqualTo(1);
        assertThat(s.total("fdb.learned")).isEqualTo(2);
        rest(s, 12 * S);
        assertThat(s.engine.forwardingDatabase().size()).isZero();
        assertThat(s.total("fdb.entries")).isZero();
    }

    @Test
    void hugeTableIsSweptAPartACallAndAllOfItWithinASecond() {
        int entries = 1 << 20;
        TestSwitch s = bridge(10 * S, entries, 1_000_000);
        ForwardingDatabase database = s.engine.forwardingDatabase();
        for (int i = 0; i < 400_000; i++) {
            assertThat(database.put(ForwardingDatabase.key(1, HOST + 16 + i), 2, false, 0))
                    .isTrue();
        }
        send(s, 0, HOST + 9, HOST);
        s.nowNs = 11 * S;
        Duty owner = s.engine.duties().getLast();
        long calls = 0;
        while (s.nowNs < 12 * S) {
            // Call by call: what one does is bounded, and it is due again until its part is done.
            do {
                long aged = s.total("fdb.aged");
                owner.doWork(s.nowNs);
                assertThat(s.total("fdb.aged") - aged).isLessThanOrEqualTo(4096);
                calls++;
            } while (owner.deadlineNs() <= s.nowNs);
            long next = database.size() == 0 ? Long.MAX_VALUE : s.nowNs + S / 10;
            assertThat(owner.deadlineNs()).isEqualTo(next);
            s.nowNs += S / 10;
        }
        assertThat(database.size()).isZero();
        assertThat(calls).isGreaterThanOrEqualTo(database.slots() / 4096);
        assertThat(s.total("fdb.aged")).isEqualTo(400_001);
    }

    @Test
    void staticEntryNeitherMovesNorAges() {
        TestSwitch s =
                bridge(10 * S, 4096, 1_000_000, new BridgeConfig.StaticEntry(HOST + 7, 1, "p2"));
        send(s, 0, HOST + 9, HOST + 7);
        assertThat(portOf(s, HOST + 7)).isEqualTo(2);
        rest(s, 30 * S);
        assertThat(portOf(s, HOST + 7)).isEqualTo(2);
        s.received();
        send(s, 0, HOST + 7, HOST);
        assertThat(s.received()).containsExactly(0, 0, 1);
    }

    @Test
    void floodingIsLimitedAndTheRestCounted() {
        // A tenth of a second's worth may come at once.
        TestSwitch s = bridge(300 * S, 4096, 100);
        for (int i = 0; i < 50; i++) {
            s.hosts.get(0).inject(frame(HOST + 9, HOST));
        }
        s.run(100_000);
        assertThat(s.received()).containsExactly(0, 10, 10);
        assertThat(s.drops("p0", DropReason.FLOOD_LIMIT)).isEqualTo(40);
        rest(s, S / 20);
        for (int i = 0; i < 50; i++) {
            s.hosts.get(0).inject(frame(HOST + 9, HOST));
        }
        s.run(100_000);
        assertThat(s.received()).containsExactly(0, 5, 5);
        s.assertAtRest();
    }

    @Test
    void fullTableLearnsNoMoreAndFloodsInstead() {
        TestSwitch s = bridge(300 * S, 16, 1_000_000_000);
        for (int i = 0; i < 40; i++) {
            send(s, 0, HOST + 99, HOST + i);
        }
        assertThat(s.engine.forwardingDatabase().size()).isEqualTo(16);
        assertThat(s.total("fdb.full")).isEqualTo(24);
        s.received();
        send(s, 1, HOST + 39, HOST);
        assertThat(s.received()).containsExactly(1, 0, 1);
    }

    @Test
    void portThatGoesDownTakesItsAddressesWithIt() {
        TestSwitch s = bridge();
        send(s, 0, HOST + 9, HOST);
        send(s, 1, HOST + 9, HOST + 1);
        s.wires.get(0).setUp(false);
        rest(s, 2 * S);
        assertThat(portOf(s, HOST)).isEqualTo(-1);
        assertThat(portOf(s, HOST + 1)).isEqualTo(1);
        assertThat(s.total("fdb.flushed")).isEqualTo(1);
        s.wires.get(0).setUp(true);
        rest(s, S / 10);
        s.received();
        send(s, 1, HOST, HOST + 1);
        assertThat(s.received()).containsExactly(1, 0, 1);
        s.assertAtRest();
    }
}
