package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.escape.EscapeToken;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.PfcFrame;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Escape at one switch of three ports: frames come in by p0, and leave by p1 or p2, whose far ends
 * pause them. Algorithm 3 of the dissertation, event by event.
 */
final class EscapeTest {
    private static final int PRIORITY = 3;
    private static final int FRAME_BYTES = 1226;

    /** Frames that bring p0 over its xoff. */
    private static final int MANY = 45;

    private static final String ESCAPE = "tokens: 2, period: 10us, reclaim: 200us";

    private static TestSwitch with(String escape) {
        return with(escape, "[3]");
    }

    private static TestSwitch with(String escape, String priorities) {
        return with(escape, priorities, "");
    }

    private static TestSwitch with(String escape, String priorities, String more) {
        TestSwitch test =
                lossless(
                        3,
                        "lossless: "
                                + priorities
                                + more
                                + ", mtu: 1496, flow-control: pfc,"
                                + " link: {delay: 0ns, own-reaction: 2us, peer-reaction: 3us},"
                                + " buffers: {xoff: 50kB, xon: 20kB}, detour: {escape: {"
                                + escape
                                + "}}",
                        more.isEmpty() ? "" : "address: 10.0.0.254/24\n");
        for (int host = 0; host < 3; host++) {
            test.hosts.get(host).inject(frame((host + 1) % 3, host, 9, 0, 0));
        }
        test.run(5_000);
        test.received();
        return test;
    }

    /** A frame of a flow, which is its source port, with a number; hops 0: it does not escape. */
    private static byte[] frame(int to, int from, int flow, int number, int hops) {
        return frame(to, from, flow, number, hops, LOSSLESS);
    }

    private static byte[] frame(
            int to, int from, int flow, int number, int hops, int trafficClass) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES + (hops > 0 ? 4 : 0));
        frame.putShort((short) 0x0200).putInt(to).putShort((short) 0x0200).putInt(from);
        if (hops > 0) {
            frame.putShort((short) 0x88B6).putShort((short) hops);
        }
        frame.putShort((short) 0x0800).put((byte) 0x45).put((byte) trafficClass);
        frame.putShort((short) (FRAME_BYTES - 14)).putInt(0).put((byte) 64).put((byte) 17);
        frame.putShort((short) 0).putInt(0x0A00_0000 | from).putInt(0x0A00_0000 | to);
        frame.putShort((short) flow).putShort((short) 4791).putInt(1200 << 16);
        return frame.putInt(number).array();
    }

    private static byte[] token(int to, int from, int flow, int hops) {
        byte[] bytes = new byte[EscapeToken.FRAME_BYTES];
        FiveTuple tuple = new FiveTuple();
        tuple.ipv4(0x0A00_0000 | from, 0x0A00_0000 | to, flow << 16 | 4791, 17);
        EscapeToken.write(
                MemorySegment.ofArray(bytes), 0, 0x0200_0000_0099L, tuple, hops, PRIORITY);
        return bytes;
    }

    /** What came to a host: data as flow.number, with its hops; tokens as T, flow and hops. */
    private static List<String> arrived(TestSwitch test, int host) {
        List<String> came = new ArrayList<>();
        for (byte[] frame = test.hosts.get(host).collect();
                frame != null;
                frame = test.hosts.get(host).collect()) {
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            int type = bytes.getShort(12) & 0xFFFF;
            if (type == 0x8808 && bytes.getShort(14) == 0x0102) {
                came.add("T" + bytes.getShort(24) + " hops " + bytes.getShort(29));
            } else if (type == 0x88B6) {
                came.add(
                        bytes.getShort(38)
                                + "."
                                + bytes.getInt(46)
                                + " hops "
                                + bytes.getShort(14));
            } else if (type == 0x0800) {
                came.add(bytes.getShort(34) + "." + bytes.getInt(42));
            }
        }
        return came;
    }

    private static void pause(TestSwitch test, int host, int quanta) {
        pause(test, host, 1 << PRIORITY, quanta);
    }

    private static void pause(TestSwitch test, int host, int priorities, int quanta) {
        List<Integer> times =
                IntStream.range(0, 8)
                        .mapToObj(priority -> (priorities >>> priority & 1) * quanta)
                        .toList();
        test.hosts.get(host).inject(new PfcFrame(0x0200_0000_0099L, priorities, times).encode());
        test.settle();
    }

    private static void send(TestSwitch test, int to, int flow, int... numbers) {
        for (int number : numbers) {
            test.hosts.get(0).inject(frame(to, 0, flow, number, 0));
        }
        test.run(1_000);
    }

    /** Blocks p0 behind a paused p1. */
    private static TestSwitch blocked(String escape) {
        TestSwitch test = with(escape);
        send(test, 2, 7, 0); // a flow that p2 knows
        test.run(10_000);
        pause(test, 1, 0xFFFF);
        for (int i = 0; i < MANY; i++) {
            test.hosts.get(0).inject(frame(1, 0, 5, i, 0));
        }
        test.settle();
        return test;
    }

    private static void endsAtRest(TestSwitch test) {
        pause(test, 1, 0);
        pause(test, 2, 0);
        test.run(1_000_000);
        test.assertAtRest();
        assertThat(test.totalDrops()).isZero();
        for (String port : List.of("p0", "p1", "p2")) {
            assertThat(test.value(port, "escape.pool.own")).isEqualTo(2);
            assertThat(test.value(port, "escape.pool.through")).isEqualTo(2);
        }
    }

    /** Also where RoCC knows which flows wait: all of them, or as many as it has room for. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ", congestion: {rocc: {priorities: [3]}}",
                ", congestion: {rocc: {priorities: [3], flows: 1}}",
                ", congestion: {rocc: {priorities: [3], flow-table: aged}}",
                ", congestion: {red: {}, rocc: {priorities: [3], flows: 2}}"
            })
    void aTokenTakesTheFirstFrameOfItsFlowOutOfAPausedQueue(String more) {
        TestSwitch test = with(ESCAPE, "[3]", more);
        pause(test, 1, 1000);
        send(test, 1, 5, 1);
        send(test, 1, 6, 1, 2);
        send(test, 1, 5, 2);
        test.run(5_000);
        assertThat(arrived(test, 1)).isEmpty();
        test.hosts.get(1).inject(token(1, 0, 6, 3));
        test.run(5_000);
        assertThat(arrived(test, 1)).containsExactly("6.1 hops 3");
        test.hosts.get(1).inject(token(1, 0, 5, 1));
        test.hosts.get(1).inject(token(1, 0, 5, 1));
        test.run(5_000);
        assertThat(arrived(test, 1)).containsExactly("5.1 hops 1", "5.2 hops 1");
        test.hosts.get(1).inject(token(1, 0, 5, 1));
        test.run(5_000);
        assertThat(arrived(test, 1)).as("none is left").isEmpty();
        assertThat(test.value("p1", "escape.escaped")).isEqualTo(3);
        assertThat(test.value("p1", "escape.refused.open")).isEqualTo(1);
        pause(test, 1, 0);
        test.run(5_000);
        assertThat(arrived(test, 1)).containsExactly("6.2");
        endsAtRest(test);
    }

    /** e1, and the end of what it began: the frame goes on as any other. */
    @Test
    void tokensGoToAPausedSenderForFlowsThatCouldGoOn() {
        TestSwitch test = blocked(ESCAPE);
        test.run(3_000);
        assertThat(arrived(test, 0)).containsExactly("T7 hops 1");
        test.run(30_000);
        assertThat(arrived(test, 0)).as("one, as none has found a frame").isEmpty();
        assertThat(test.value("p2", "escape.pool.own")).isEqualTo(1);
        arrived(test, 2);
        test.hosts.get(0).inject(frame(2, 0, 7, 1, 1));
        test.settle();
        assertThat(test.engine.ingress(0).accounts().slots(9)).isLessThanOrEqualTo(1);
        test.run(2_000);
        assertThat(arrived(test, 2)).containsExactly("7.1");
        assertThat(test.value("p2", "escape.arrived")).isEqualTo(1);
        assertThat(test.value("p2", "escape.unexpected")).isZero();
        test.run(10_000);
        assertThat(arrived(test, 0)).containsExactly("T7 hops 1", "T7 hops 1");
        assertThat(arrived(test, 1)).isEmpty();
        assertThat(test.value("p2", "escape.made")).isEqualTo(3);
        assertThat(test.value("p0", "escape.sent")).isEqualTo(3);
        endsAtRest(test);
        assertThat(test.value("p2", "escape.reclaimed")).isEqualTo(2);
    }

    /** What it had shown the others before it failed would hold for as long as the switch runs. */
    @Test
    void aPortThatWasRestartedIsNotTakenForPausedByTheOthers() {
        TestSwitch test = blocked(ESCAPE);
        test.run(3_000);
        assertThat(arrived(test, 0)).containsExactly("T7 hops 1");
        test.engine.egress(0).stop();
        pause(test, 1, 0);
        test.run(1_000_000);
        test.assertAtRest();
        test.restart(0);
        test.run(1_000);
        long made = test.value("p2", "escape.made");
        test.run(1_000_000);
        assertThat(test.value("p2", "escape.made")).isEqualTo(made);
        assertThat(arrived(test, 0)).isEmpty();
    }

    @Test
    void ofManyTokensACallTakesSixtyFourAndIsDueAgainAtOnce() {
        TestSwitch test = with("tokens: 10, period: 10us, reclaim: 200us");
        IngressHalf in = test.engine.ingress(1);
        EgressHalf out = test.engine.egress(1);
        for (int i = 0; i < 150; i++) {
            assertThat(test.hosts.get(1).inject(token(1, 0, 99, 1))).isTrue();
            in.doWork(test.nowNs);
        }
        for (int taken : new int[] {64, 128, 150}) {
            out.doWork(test.nowNs);
            assertThat(test.value("p1", "escape.refused.unknown")).isEqualTo(taken);
            assertThat(out.deadlineNs() <= test.nowNs).isEqualTo(taken < 150);
        }
    }

    /** Of flow 7 eight times as much came as of flow 8; each token is taken back. */
    private static TestSwitch blockedWithTwoFlows(String selection) {
        TestSwitch test =
                with("tokens: 1, flows: 4, period: 10us, reclaim: 20us, selection: " + selection);
        for (int number = 0; number < 16; number++) {
            send(test, 2, 7, number);
        }
        send(test, 2, 8, 0, 1);
        test.run(10_000);
        pause(test, 1, 0xFFFF);
        for (int i = 0; i < MANY; i++) {
            test.hosts.get(0).inject(frame(1, 0, 5, i, 0));
        }
        test.settle();
        return test;
    }

    private static List<String> tokensOf(TestSwitch test, long forNs) {
        arrived(test, 0);
        test.run(forNs);
        return arrived(test, 0).stream().map(token -> token.substring(0, 2)).toList();
    }

    @Test
    void tokensGoToFlowsInTurn() {
        List<String> tokens = tokensOf(blockedWithTwoFlows("turn"), 1_000_000);
        assertThat(tokens).hasSizeGreaterThan(30);
        assertThat(tokens.subList(0, 6)).containsExactly("T7", "T8", "T7", "T8", "T7", "T8");
    }

    @Test
    void tokensGoToFlowsByWeightAndToEachSome() {
        TestSwitch test = blockedWithTwoFlows("weight");
        List<String> tokens = tokensOf(test, 1_000_000);
        assertThat(tokens).hasSizeGreaterThan(30);
        List<String> turn = new ArrayList<>(Collections.nCopies(8, "T7"));
        turn.add("T8");
        assertThat(tokens.subList(0, 9)).isEqualTo(turn);
        assertThat(tokens.subList(9, 18)).isEqualTo(turn);
        test.set("p2.detour.escape.selection=turn");
        assertThat(tokensOf(test, 1_000_000).subList(2, 6))
                .containsExactlyInAnyOrder("T7", "T8", "T7", "T8");
    }

    /** Both priorities' tokens are taken back at once, and given out again at once. */
    @Test
    void flowsOfAPriorityHaveTheirTurnsWhateverAnotherDoes() {
        int four = 34 << 2;
        TestSwitch test = with("tokens: 1, flows: 4, period: 10us, reclaim: 20us", "[3, 4]");
        send(test, 2, 7, 0);
        send(test, 2, 8, 0);
        test.hosts.get(0).inject(frame(2, 0, 6, 0, 0, four));
        test.run(10_000);
        pause(test, 1, 0b11000, 0xFFFF);
        for (int i = 0; i < MANY; i++) {
            test.hosts.get(0).inject(frame(1, 0, 5, i, 0));
            test.hosts.get(0).inject(frame(1, 0, 5, i, 0, four));
        }
        test.settle();
        assertThat(tokensOf(test, 1_000_000)).contains("T6", "T7", "T8");
    }

    /** A frame that escapes delays no other frame: its slot counts for no pause. */
    @Test
    void aFrameThatHasEscapedIsChargedToSlotsOfItsOwn() {
        TestSwitch test = blocked(ESCAPE);
        pause(test, 2, 0xFFFF);
        test.run(3_000);
        long held = test.engine.ingress(0).accounts().bytes(PRIORITY);
        test.hosts.get(0).inject(frame(2, 0, 7, 1, 1));
        test.run(2_000);
        assertThat(test.engine.ingress(0).accounts().bytes(PRIORITY)).isEqualTo(held);
        assertThat(test.engine.ingress(0).accounts().bytes(9)).isEqualTo(FRAME_BYTES);
        arrived(test, 2);
        test.run(1_000);
        assertThat(arrived(test, 2)).as("it waits like any other").isEmpty();
        endsAtRest(test);
        assertThat(arrived(test, 2)).containsExactly("7.1");
    }

    @Test
    void aTokenThatFindsNoFrameGoesOnToTheSender() {
        TestSwitch test = blocked(ESCAPE);
        pause(test, 2, 0xFFFF);
        test.run(5_000);
        arrived(test, 0);
        arrived(test, 2);
        test.hosts.get(2).inject(token(2, 0, 7, 2));
        test.run(3_000);
        assertThat(arrived(test, 0)).containsExactly("T7 hops 3");
        assertThat(test.value("p2", "escape.pool.through")).isEqualTo(1);
        test.hosts.get(0).inject(frame(2, 0, 7, 1, 3));
        test.run(3_000);
        assertThat(arrived(test, 2)).as("past the pause").containsExactly("7.1 hops 2");
        assertThat(test.value("p2", "escape.pool.through")).isEqualTo(2);
        assertThat(test.value("p2", "escape.through")).isEqualTo(1);
        assertThat(test.value("p2", "escape.passed")).isEqualTo(1);
        endsAtRest(test);
    }

    /** Frames that were on their way while the token passed must not be overtaken. */
    @Test
    void aFrameThatPassesChangesPlacesWithTheOldestOfItsFlow() {
        TestSwitch test = blocked(ESCAPE);
        pause(test, 2, 0xFFFF);
        test.run(5_000);
        test.hosts.get(2).inject(token(2, 0, 7, 1));
        test.run(3_000);
        arrived(test, 2);
        send(test, 2, 7, 1, 2);
        long held = test.engine.ingress(0).accounts().bytes(PRIORITY);
        test.hosts.get(0).inject(frame(2, 0, 7, 3, 2));
        test.settle();
        assertThat(test.engine.ingress(0).accounts().bytes(PRIORITY)).isEqualTo(held);
        test.run(3_000);
        assertThat(arrived(test, 2)).containsExactly("7.1 hops 1");
        assertThat(test.value("p2", "escape.exchanged")).isEqualTo(1);
        endsAtRest(test);
        assertThat(arrived(test, 2)).containsExactly("7.2", "7.3");
    }

    @Test
    void aTokenEndsWhereItCannotGoOn() {
        TestSwitch test = with(ESCAPE);
        test.hosts.get(2).inject(token(2, 0, 8, 1));
        test.run(2_000);
        assertThat(test.value("p2", "escape.refused.unknown")).isEqualTo(1);
        send(test, 2, 8, 1);
        test.run(2_000);
        test.hosts.get(2).inject(token(2, 0, 8, 1));
        test.run(2_000);
        assertThat(test.value("p2", "escape.refused.open")).isEqualTo(1);
        endsAtRest(test);
        TestSwitch full = blocked(ESCAPE);
        pause(full, 2, 0xFFFF);
        for (int i = 0; i < 3; i++) {
            full.hosts.get(2).inject(token(2, 0, 7, 1));
        }
        full.run(2_000);
        assertThat(full.value("p2", "escape.refused.pool")).isEqualTo(1);
        assertThat(full.value("p2", "escape.passed")).isEqualTo(2);
        endsAtRest(full);
        assertThat(full.value("p2", "escape.reclaimed")).isGreaterThanOrEqualTo(2);
    }

    /** More than was asked for: charged as any other, and no token comes of it. */
    @Test
    void aFrameThatEscapesWithoutATokenChangesNoPool() {
        TestSwitch test = with(ESCAPE);
        for (int i = 0; i < 5; i++) {
            test.hosts.get(0).inject(frame(2, 0, 7, i, 1));
        }
        test.hosts.get(0).inject(frame(2, 0, 7, 5, 2));
        test.run(20_000);
        assertThat(arrived(test, 2)).hasSize(6).endsWith("7.5");
        assertThat(test.value("p2", "escape.unexpected")).isEqualTo(6);
        endsAtRest(test);
    }

    @Test
    void aFrameThatEscapesWithoutATokenIsHeldByAPauseAsAnyOther() {
        TestSwitch test = blocked(ESCAPE);
        for (int hops = 1; hops < 4; hops++) {
            test.hosts.get(0).inject(frame(1, 0, 7, hops, hops));
        }
        test.run(5_000);
        assertThat(arrived(test, 1)).isEmpty();
        pause(test, 1, 0);
        test.run(100_000);
        assertThat(arrived(test, 1)).hasSize(MANY + 3).endsWith("7.1", "7.2", "7.3");
        endsAtRest(test);
    }

    @Test
    void hostsGetNoTokensAndSendNone() {
        TestSwitch test = blocked(ESCAPE + ", peer: host");
        test.run(100_000);
        assertThat(arrived(test, 0)).isEmpty();
        assertThat(test.value("p2", "escape.made")).isZero();
        test.hosts.get(1).inject(token(1, 0, 5, 1));
        test.run(5_000);
        assertThat(arrived(test, 1)).isEmpty();
        assertThat(test.value("p1", "escape.escaped")).isZero();
        endsAtRest(test);
    }

    @Test
    void itIsOffUntilItIsTurnedOn() {
        TestSwitch test = blocked(ESCAPE + ", enabled: false");
        test.run(100_000);
        test.hosts.get(1).inject(token(1, 0, 5, 1));
        test.run(5_000);
        assertThat(arrived(test, 0)).isEmpty();
        assertThat(arrived(test, 1)).isEmpty();
        assertThat(test.value("p1", "escape.refused.off")).isEqualTo(1);
        test.set(
                "p0.detour.escape.enabled=true",
                "p1.detour.escape.enabled=true",
                "p2.detour.escape.enabled=true");
        test.run(3_000);
        send(test, 2, 7, 1);
        test.run(20_000);
        assertThat(arrived(test, 0)).contains("T7 hops 1");
        test.hosts.get(1).inject(token(1, 0, 5, 1));
        test.run(5_000);
        assertThat(arrived(test, 1)).containsExactly("5.0 hops 1");
        test.set(
                "p0.detour.escape.enabled=false",
                "p1.detour.escape.enabled=false",
                "p2.detour.escape.enabled=false");
        endsAtRest(test);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatEscapesByAPortThatGoesDownIsDroppedAndItsTokenIsBack(int hops) {
        TestSwitch test = blocked(ESCAPE);
        pause(test, 2, hops == 1 ? 0 : 0xFFFF);
        if (hops == 2) {
            test.hosts.get(2).inject(token(2, 0, 7, 1));
        }
        test.run(2_000);
        test.wires.get(2).setUp(false);
        test.run(2_000_000);
        test.hosts.get(0).inject(frame(2, 0, 7, 1, hops));
        test.run(2_000);
        assertThat(test.value("p2", "drop.PORT_DOWN")).isEqualTo(1);
        // A token that came to pass through is not replaced: it has been taken back by now.
        assertThat(test.value("p2", "escape.dropped")).isEqualTo(hops == 1 ? 1 : 0);
        test.wires.get(2).setUp(true);
        pause(test, 1, 0);
        test.run(2_000_000);
        test.assertAtRest();
        assertThat(test.value("p2", "escape.pool.own")).isEqualTo(2);
        assertThat(test.value("p2", "escape.pool.through")).isEqualTo(2);
    }

    @Test
    void malformedTokensAreIgnoredAndEachCounterHasFedItself() {
        TestSwitch test = with(ESCAPE);
        byte[] bad = token(2, 0, 7, 1);
        bad[31] = 9;
        test.hosts.get(2).inject(bad);
        test.run(2_000);
        assertThat(test.value("p2", "link.control.ignored")).isEqualTo(1);
        assertThat(test.value("p2", "escape.received")).isZero();
        // More at once than there is room for, before any is looked at.
        for (int i = 0; i < 64; i++) {
            test.hosts.get(2).inject(token(2, 0, 7, 1));
        }
        test.run(2_000);
        assertThat(test.value("p2", "escape.received")).isEqualTo(64);
        assertThat(test.value("p2", "escape.overrun")).isEqualTo(32);
        List<String> labels =
                test.engine.counters().entries().stream()
                        .filter(entry -> entry.owner().equals("p2"))
                        .map(Entry::label)
                        .filter(label -> label.startsWith("escape."))
                        .toList();
        assertThat(labels).hasSize(22).doesNotHaveDuplicates();
    }
}
