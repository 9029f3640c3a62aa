package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.SENDER;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.escape.EscapeToken;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.runner.ErrorRecord;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A half that fails, in real time and by hand: it is said once, its port is closed and opened again
 * with new state, what comes meanwhile is dropped under its name, and nothing is missing.
 */
@Tag("threads")
final class FailedHalfTest {
    private static final String PFC =
            "rate: 1Gbps, flow-control: pfc, lossless: [3], buffers: {xoff: 50kB, xon: 40kB},"
                    + " link: {own-reaction: 1ms}";

    private static void fail(LiveSwitch s, int port, boolean ingress) {
        if (ingress) {
            s.running.engine().ingress(port).order(FailedHalfTest::planted);
        } else {
            s.running.engine().egress(port).order(FailedHalfTest::planted);
        }
    }

    private static void planted(Object half) {
        throw new IllegalStateException("planted");
    }

    private static void learn(LiveSwitch s, int port) {
        long learned = s.value("s1", "fdb.learned");
        s.host(port).inject(frame(port, 99, LOSSY, 0));
        s.await("the address", () -> s.value("s1", "fdb.learned") > learned);
    }

    /** Sends frames from a host to another until 20 more have been counted. */
    private static int sendUntil(LiveSwitch s, int from, int to, String port, String label) {
        long wanted = s.value(port, label) + 20;
        int[] sent = {0};
        s.await(
                label + " of " + port,
                () -> {
                    s.collect(to); // or nothing would leave once the wire is full
                    sent[0] += s.host(from).inject(frame(from, to, LOSSLESS, 0)) ? 1 : 0;
                    return s.value(port, label) >= wanted;
                });
        return sent[0];
    }

    private static long lines(LiveSwitch s, String part) {
        return s.log.stream().filter(line -> line.contains(part)).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPortOfWhichAHalfFailedIsOpenedAgainWithNewState(boolean ingress) {
        String half = ingress ? "p1.ingress" : "p1.egress";
        try (LiveSwitch s = new LiveSwitch(2, 64, PFC)) {
            learn(s, 0);
            learn(s, 1);
            int sent = 2;
            for (int failures = 1; failures <= 2; failures++) {
                long opened = failures;
                sent += sendUntil(s, 0, 1, "p1", "frames.transmitted");
                fail(s, 1, ingress);
                s.await(
                        "the failure",
                        () -> lines(s, half + " failed, and is stopped until its port") == opened);
                // Nothing but a frame for it shows to others that it is down.
                sent += sendUntil(s, 0, 1, "p1", "drop." + DropReason.PORT_DOWN);
                s.await("the port", () -> lines(s, "port p1: opened again, up") == opened);
                sent += sendUntil(s, 0, 1, "p1", "frames.transmitted");
                sent += sendUntil(s, 1, 0, "p0", "frames.transmitted");
                assertThat(s.value("p1", "half.failures")).isEqualTo(failures);
                assertThat(lines(s, "port p1: closed, because one of its halves failed"))
                        .isEqualTo(failures);
            }
            assertThat(lines(s, "cannot be tended")).isZero();
            assertThat(s.errors.entries())
                    .singleElement()
                    .satisfies(error -> {
                        assertThat(error.kind()).isEqualTo(ErrorRecord.Kind.DUTY_FAILED);
                        assertThat(error.count()).isEqualTo(2);
                    });
            int all = sent;
            s.await(
                    "every frame's end",
                    () -> {
                        s.collect(0);
                        s.collect(1);
                        return s.value("p0", "frames.transmitted")
                                        + s.value("p1", "frames.transmitted")
                                        + s.drops()
                                == all;
                    });
            for (int port = 0; port < 2; port++) {
                IngressHalf home = s.running.engine().ingress(port);
                s.await(
                        "all slots",
                        () ->
                                s.value(home.name().substring(0, 2), "slots.free")
                                        == home.homeSlots());
            }
        }
    }

    /**
     * The frames that made it ask for the pause are still here: until they leave it is not opened.
     */
    @Test
    void aFarEndThatWasPausedIsNotPausedForEver() {
        try (LiveSwitch s = new LiveSwitch(2, 64, PFC)) {
            learn(s, 0);
            learn(s, 1);
            List<Integer> quanta = List.of(0, 0, 0, 0xFFFF, 0, 0, 0, 0);
            s.host(0).inject(new PfcFrame(SENDER, 1 << 3, quanta).encode());
            s.await("the pause", () -> s.value("p0", "pfc.xoff.received.p3") == 1);
            s.await(
                    "XOFF",
                    () -> {
                        s.host(1).inject(frame(1, 0, LOSSLESS, 0));
                        return s.value("p1", "pfc.xoff.sent.p3") > 0;
                    });
            s.collect(1);
            fail(s, 1, true);
            s.await(
                    "the port",
                    () -> {
                        s.collect(0); // or nothing would leave when the pause is over
                        return lines(s, "port p1: opened again, up") == 1;
                    });
            assertThat(s.value("p1", "buffer.bytes.p3")).isZero();
            long wanted = s.value("p0", "frames.transmitted") + 20;
            s.await(
                    "frames of the far end",
                    () -> {
                        s.collect(0);
                        s.host(1).inject(frame(1, 0, LOSSLESS, 0));
                        return s.value("p0", "frames.transmitted") >= wanted;
                    });
            List<PfcFrame> pauses =
                    s.collect(1).stream()
                            .filter(frame -> frame[12] == (byte) 0x88 && frame[13] == 0x08)
                            .map(PfcFrame::parse)
                            .toList();
            assertThat(pauses.isEmpty() || pauses.getFirst().quanta().get(3) != 0)
                    .as("nothing is left of the pause, and a new one may have begun: %s", pauses)
                    .isTrue();
            assertThat(s.value("p1", "pfc.xoff.sent.p3")).as("totals go on").isPositive();
        }
    }

    // ---- by hand: what the call that failed had in its hands

    private static Tap failingAtThird() {
        return new Tap() {
            private int seen;

            @Override
            public void received(int port, Frame frame, long nowNs) {}

            @Override
            public void transmitted(int port, int queue, Frame frame, long nowNs) {}

            @Override
            public void dropped(int port, DropReason reason, Frame frame, long nowNs) {
                if (++seen == 3) {
                    throw new IllegalStateException("a tap made to fail");
                }
            }
        };
    }

    private static void inject(TestSwitch s, int frames, Consumer<byte[]> spoiler) {
        for (int i = 0; i < frames; i++) {
            byte[] frame = frame(1, -1, LOSSY, i);
            spoiler.accept(frame);
            s.hosts.get(0).inject(frame);
        }
    }

    private static void assertAllHome(TestSwitch s) {
        s.settle();
        assertThat(s.slotsByPlace()[SlotPlace.FREE]).isEqualTo(s.engine.region().slots());
        s.assertAtRest();
    }

    /** Of both halves: totals go on, and nothing is shown of a stop that is no more. */
    @Test
    void countersOfAPortThatWasRestartedGoOn() {
        TestSwitch s =
                LosslessTraffic.lossless(
                        2,
                        "lossless: [3], "
                                + LosslessTraffic.PFC
                                + ", detour: {escape: {tokens: 2}},"
                                + " congestion: {red: {kmin: 1kB, kmax: 2kB, priorities: [3]}}");
        pause(s, 0);
        // An opcode of no known protocol.
        byte[] unknown = new PfcFrame(SENDER, 0, List.of(0, 0, 0, 0, 0, 0, 0, 0)).encode();
        unknown[15] = 0x55;
        s.hosts.get(0).inject(unknown);
        s.hosts.get(0).inject(token());
        for (int i = 0; i < 20; i++) {
            s.hosts.get(1).inject(frame(1, 0, LOSSLESS | 1, i));
        }
        s.run(100_000);
        resume(s, 0);
        s.run(100_000);
        pause(s, 0);
        s.hosts.get(1).inject(frame(1, 0, LOSSLESS, 20));
        s.run(2_000_000);
        List<String> totals =
                List.of(
                        "link.control.ignored",
                        "pfc.xoff.received.p3",
                        "stopped.p3",
                        "frames.started.p3",
                        "red.marked.p3",
                        "escape.received",
                        "escape.refused.unknown");
        Map<String, Long> before = new TreeMap<>();
        totals.forEach(label -> before.put(label, s.value("p0", label)));
        assertThat(before).allSatisfy((label, value) -> assertThat(value).isPositive());
        assertThat(s.value("p0", "stopped.now.ns.p3")).isPositive();
        s.engine.egress(0).stop();
        s.settle();
        s.restart(0);
        s.run(1_000);
        assertThat(s.value("p0", "stopped.now.ns.p3")).isZero();
        totals.forEach(
                label -> assertThat(s.value("p0", label)).as(label).isEqualTo(before.get(label)));
        long longestNs = s.value("p0", "stopped.max.ns.p3");
        assertThat(longestNs).isGreaterThan(1_000_000);
        pause(s, 0);
        s.hosts.get(1).inject(frame(1, 0, LOSSLESS, 21));
        s.run(1_000);
        resume(s, 0);
        s.run(1_000);
        assertThat(s.value("p0", "stopped.p3")).isGreaterThan(before.get("stopped.p3"));
        assertThat(s.value("p0", "stopped.max.ns.p3")).as("of a shorter one").isEqualTo(longestNs);
    }

    /** A token of a flow that is not known. */
    private static byte[] token() {
        byte[] bytes = new byte[EscapeToken.FRAME_BYTES];
        FiveTuple flow = new FiveTuple();
        flow.ipv4(0x0A00_0001, 0x0A00_0002, 99 << 16 | 4791, 17);
        EscapeToken.write(MemorySegment.ofArray(bytes), 0, SENDER, flow, 1, 3);
        return bytes;
    }

    private static void pause(TestSwitch s, int host) {
        tell(s, host, 0xFFFF);
    }

    private static void resume(TestSwitch s, int host) {
        tell(s, host, 0);
    }

    private static void tell(TestSwitch s, int host, int quanta) {
        List<Integer> all = List.of(0, 0, 0, quanta, 0, 0, 0, 0);
        s.hosts.get(host).inject(new PfcFrame(SENDER, 1 << 3, all).encode());
        s.settle();
    }

    @Test
    void aHalfThatFailedShowsOtherPortsNothingUntilItIsRestarted() {
        TestSwitch s = LosslessTraffic.lossless(2, "congestion: {shower: {}}");
        s.hosts.get(0).inject(frame(0, 9, LOSSY, 0));
        s.settle();
        s.hosts.get(1).inject(frame(1, 0, LOSSY, 1));
        s.run(10_000);
        CongestionPoint seer = Objects.requireNonNull(s.engine.egress(1).congestionPoint());
        assertThat(seer.counted(1, 0)).isEqualTo(7);
        for (int i = 0; i < 4; i++) {
            s.hosts.get(1).inject(frame(1, 0, LOSSY, i));
        }
        s.settle();
        s.hosts.get(1).inject(frame(1, 0, LOSSY, 4));
        s.engine.ingress(1).doWork(s.nowNs);
        s.engine.egress(0).stop();
        s.set("p0.congestion.shower.number=8");
        s.settle();
        assertThat(s.drops("p0", DropReason.PORT_DOWN)).isPositive();
        assertThat(seer.counted(1, 0)).isZero();
        s.restart(0);
        s.hosts.get(1).inject(frame(1, 0, LOSSY, 5));
        s.run(10_000);
        assertThat(seer.counted(1, 0)).isEqualTo(8);
    }

    @Test
    void framesThatAnEgressHalfHadTakenWhenItFailedGoHome() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(2));
        inject(s, 20, frame -> frame[0] = (byte) 0xFF);
        s.engine.ingress(0).doWork(s.nowNs);
        EgressHalf half = s.engine.egress(1);
        half.detach(s.nowNs);
        half.tap(failingAtThird());
        assertThatThrownBy(() -> half.doWork(s.nowNs)).hasMessage("a tap made to fail");
        assertThat(half.stop()).isTrue();
        half.doWork(s.nowNs);
        assertThat(s.drops("p1", DropReason.PORT_DOWN)).isEqualTo(21);
        assertAllHome(s);
    }

    /** As those of a mechanism of one's own may be, with a defect. */
    private static Queues notToBeEmptied(Queues real) {
        return (Queues)
                Proxy.newProxyInstance(
                        Queues.class.getClassLoader(),
                        new Class<?>[] {Queues.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("drain")) {
                                throw new IllegalStateException("queues made to fail");
                            }
                            return method.invoke(real, arguments);
                        });
    }

    @Test
    void framesInQueuesThatCannotBeEmptiedGoHomeWhenThePortIsRestarted() {
        SwitchConfig config = TestSwitch.bridge(2);
        TestSwitch s =
                new TestSwitch(
                        config,
                        WorkerPlan.single(2),
                        0,
                        (port, memory, wire) -> {
                            PortBehaviour usual = PortBehaviour.configured(port, memory, wire);
                            return usual.withQueues(() -> notToBeEmptied(usual.queues().get()));
                        },
                        64);
        inject(s, 20, frame -> frame[0] = (byte) 0xFF);
        s.settle();
        EgressHalf half = s.engine.egress(1);
        half.stop();
        for (int call = 0; call < 3; call++) {
            assertThatThrownBy(() -> half.doWork(s.nowNs)).hasMessage("queues made to fail");
        }
        assertThatThrownBy(() -> half.detach(s.nowNs)).hasMessage("queues made to fail");
        s.engine.restart(1).accept(half, s.nowNs);
        assertThat(s.drops("p1", DropReason.PORT_DOWN)).isPositive();
        assertAllHome(s);
    }

    @Test
    void framesThatAnIngressHalfWasProcessingWhenItFailedAreFreeAgain() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(2));
        // A source that is a group: dropped, each of them.
        inject(s, 20, frame -> frame[6] = 3);
        IngressHalf half = s.engine.ingress(0);
        half.tap(failingAtThird());
        assertThatThrownBy(() -> half.doWork(s.nowNs)).hasMessage("a tap made to fail");
        assertThat(half.stop()).isTrue();
        half.doWork(s.nowNs);
        assertThat(s.drops("p0", DropReason.PORT_DOWN)).isEqualTo(18);
        assertAllHome(s);
    }
}
