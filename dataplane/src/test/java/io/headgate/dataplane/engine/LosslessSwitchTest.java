package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.PFC;
import static io.headgate.dataplane.engine.LosslessTraffic.SENDER;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;
import static io.headgate.dataplane.engine.LosslessTraffic.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.frame.PauseFrame;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.memory.DropReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pauses in the switch: what it sends, obeys, holds and loses. */
final class LosslessSwitchTest {
    /** Each host is heard once, so that nothing is flooded later. */
    private static void learn(TestSwitch test) {
        for (int host = 0; host < test.hosts.size(); host++) {
            test.hosts.get(host).inject(frame(host, 99, LOSSY, 0));
            test.run(20_000);
        }
        drain(test);
    }

    private static void drain(TestSwitch test) {
        test.received();
    }

    /** A host that sends a lossless frame a microsecond, and obeys pauses after a microsecond. */
    private static final class Sender {
        final TestSwitch test;
        final int host;
        final int destination;
        boolean obeys = true;
        int sent;
        long pausedUntilNs;
        final List<PfcFrame> pauses = new ArrayList<>();

        Sender(TestSwitch test, int host, int destination) {
            this.test = test;
            this.host = host;
            this.destination = destination;
        }

        void tick() {
            for (byte[] got = collect(); got != null; got = collect()) {
                if (got[12] == (byte) 0x88 && got[13] == 0x08) {
                    PfcFrame pause = PfcFrame.parse(got);
                    pauses.add(pause);
                    if ((pause.enabled() >> 3 & 1) != 0) {
                        pausedUntilNs =
                                test.nowNs
                                        + ConfigDefaults.pauseNs(
                                                pause.quanta().get(3), TestSwitch.RATE_BPS);
                    }
                }
            }
            if (!obeys || test.nowNs >= pausedUntilNs) {
                assertThat(test.hosts.get(host).inject(frame(host, destination, LOSSLESS, sent)))
                        .isTrue();
                sent++;
            }
        }

        private byte @Nullable [] collect() {
            return test.hosts.get(host).collect();
        }
    }

    private static void tick(TestSwitch test, Sender... senders) {
        for (Sender sender : senders) {
            sender.tick();
        }
        test.settle();
        test.nowNs += 1_000;
    }

    @Test
    void twoSendersAtTwiceTheBottleneckLoseNothing() {
        TestSwitch test = lossless(3, PFC);
        learn(test);
        Sender one = new Sender(test, 0, 2);
        Sender two = new Sender(test, 1, 2);
        int received = 0;
        int ticks = 5_000;
        for (int tick = 0; tick < ticks; tick++) {
            tick(test, one, two);
            while (test.hosts.get(2).collect() != null) {
                received++;
            }
        }
        assertThat(received).isGreaterThan(ticks * 99 / 100);
        assertThat(test.totalDrops()).isEqualTo(0);
        assertThat(one.pauses).isNotEmpty();
        assertThat(two.pauses).isNotEmpty();
        IngressFlowControl flow = Objects.requireNonNull(test.engine.ingress(0).flow());
        FlowControlConfig.Buffers buffers =
                Objects.requireNonNull(
                        test.engine.config().ports().getFirst().flowControl().buffers());
        assertThat(flow.accounts().maxBytes(3))
                .isBetween(buffers.xoffBytes(), buffers.xoffBytes() + buffers.headroomBytes());
        for (int tick = 0; tick < 500; tick++) {
            tick(test);
            while (test.hosts.get(2).collect() != null) {
                received++;
            }
        }
        assertThat(received).isEqualTo(one.sent + two.sent);
        assertThat(last(one.pauses).quanta().get(3)).isZero();
        assertThat(test.value("p0", "pfc.xoff.sent.p3") + test.value("p0", "pfc.xon.sent.p3"))
                .isEqualTo(one.pauses.size());
        assertThat(test.value("p0", "buffer.max.bytes.p3")).isEqualTo(flow.accounts().maxBytes(3));
        test.assertAtRest();
    }

    private static PfcFrame last(List<PfcFrame> frames) {
        return frames.get(frames.size() - 1);
    }

    @Test
    void pausesNameTheLosslessPriorityAndComeSixtyBytesLong() {
        TestSwitch test = lossless(3, PFC);
        learn(test);
        Sender one = new Sender(test, 0, 2);
        Sender two = new Sender(test, 1, 2);
        for (int tick = 0; tick < 300 && one.pauses.isEmpty(); tick++) {
            tick(test, one, two);
        }
        PfcFrame xoff = one.pauses.getFirst();
        assertThat(xoff.enabled()).isEqualTo(1 << 3);
        assertThat(xoff.quanta()).containsExactly(0, 0, 0, 65_535, 0, 0, 0, 0);
        assertThat(test.value("p0", "link.control.transmitted")).isPositive();
    }

    @Test
    void sameTrafficWithoutFlowControlIsLost() {
        TestSwitch test = lossless(3, "flow-control: none");
        learn(test);
        Sender one = new Sender(test, 0, 2);
        Sender two = new Sender(test, 1, 2);
        for (int tick = 0; tick < 2_000; tick++) {
            tick(test, one, two);
            test.hosts.get(2).collect();
        }
        assertThat(test.totalDrops()).isGreaterThan(500);
        assertThat(one.pauses).isEmpty();
    }

    @Test
    void senderThatDoesNotObeyLosesBeyondTheHeadroomUnderItsName() {
        TestSwitch test = lossless(3, PFC);
        learn(test);
        Sender one = new Sender(test, 0, 2);
        Sender two = new Sender(test, 1, 2);
        one.obeys = false;
        for (int tick = 0; tick < 2_000; tick++) {
            tick(test, one, two);
            test.hosts.get(2).collect();
        }
        assertThat(test.drops("p0", DropReason.HEADROOM_EXHAUSTED)).isPositive();
        assertThat(test.drops("p1", DropReason.HEADROOM_EXHAUSTED)).isZero();
        assertThat(test.totalDrops()).isEqualTo(test.drops("p0", DropReason.HEADROOM_EXHAUSTED));
    }

    /** To a host that was never heard: frames to one port, copies to another, which is paused. */
    @Test
    void copiesOfFloodedFramesTakeNothingOfWhatTheirSenderWasPromised() {
        TestSwitch test = lossless(3, PFC);
        learn(test);
        Sender sender = new Sender(test, 2, 77);
        byte[] pfc = new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 65_535, 0, 0, 0, 0)).encode();
        test.hosts.get(1).inject(pfc);
        int received = 0;
        for (int tick = 0; tick < 2_000; tick++) {
            tick(test, sender);
            while (test.hosts.get(0).collect() != null) {
                received++;
            }
        }
        assertThat(sender.sent).isEqualTo(2_000);
        assertThat(sender.pauses).isEmpty();
        assertThat(received).isGreaterThan(1_990);
        // Copies are lossy: the most that can wait indefinitely is what a lossy priority may hold.
        assertThat(test.totalDrops()).isEqualTo(test.drops("p2", DropReason.NO_SLOT)).isPositive();
    }

    @Test
    void lossyTrafficAtItsCapTakesNothingFromLosslessTraffic() {
        TestSwitch test = lossless(3, PFC);
        learn(test);
        Sender one = new Sender(test, 0, 2);
        Sender two = new Sender(test, 1, 2);
        for (int tick = 0; tick < 3_000; tick++) {
            if (test.nowNs % 2_000 == 0) {
                test.hosts.get(0).inject(frame(0, 2, LOSSY, 0));
            }
            tick(test, one, two);
            test.hosts.get(2).collect();
        }
        assertThat(test.drops("p0", DropReason.ACCOUNT_AT_CAP)).isPositive();
        assertThat(test.drops("p0", DropReason.HEADROOM_EXHAUSTED)).isZero();
    }

    @Test
    void receivedPauseStopsItsPriorityForItsTimeAndNoOther() {
        TestSwitch test = lossless(2, PFC);
        learn(test);
        // 1,000 quanta are 51.2 µs.
        byte[] pfc = new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 1000, 0, 0, 0, 0)).encode();
        long pausedNs = test.nowNs;
        test.hosts.get(1).inject(pfc);
        test.settle();
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 1));
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 2));
        test.run(10_000);
        assertThat(number(test.collect(1))).isEqualTo(2);
        while (test.nowNs < pausedNs + 51_000) {
            test.run(1_000);
            assertThat(test.hosts.get(1).collect()).isNull();
        }
        test.run(1_000);
        assertThat(number(test.collect(1))).isEqualTo(1);
        var flow = Objects.requireNonNull(test.engine.egress(1).flow());
        assertThat(Objects.requireNonNull(flow.times()).totalNs(3, test.nowNs)).isEqualTo(51_200);
        assertThat(test.totalDrops()).isZero();
        assertThat(test.value("p1", "link.control.received")).isEqualTo(1);
        assertThat(test.value("p1", "pfc.xoff.received.p3")).isEqualTo(1);
        assertThat(test.value("p1", "stopped.ns.p3")).isEqualTo(51_200);
        assertThat(test.value("p1", "stopped.max.ns.p3")).isEqualTo(51_200);
    }

    /**
     * A frame that comes meanwhile is not looked at further: neither it nor another could start.
     */
    @Test
    void pauseThatComesWhileAFrameIsOnTheWireBeginsThen() {
        TestSwitch test = lossless(2, PFC);
        learn(test);
        EgressHalf half = test.engine.egress(1);
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 1));
        test.settle();
        // 1,250 bytes on the wire at 10 Gb/s.
        long freeNs = test.nowNs + 1000;
        test.nowNs += 100;
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 2));
        test.settle();
        assertThat(half.deadlineNs()).isEqualTo(freeNs);
        test.nowNs += 100;
        test.hosts
                .get(1)
                .inject(new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 1000, 0, 0, 0, 0)).encode());
        test.settle();
        var times = Objects.requireNonNull(Objects.requireNonNull(half.flow()).times());
        assertThat(times.sinceNs(3)).isEqualTo(test.nowNs);
    }

    @Test
    void pauseOfTheWholeLinkStopsAllAndResumesAtZero() {
        TestSwitch test = lossless(2, PFC.replace("pfc", "pause"));
        learn(test);
        test.hosts.get(1).inject(new PauseFrame(SENDER, 65_535).encode());
        test.settle();
        test.hosts.get(0).inject(frame(0, 1, LOSSY, 7));
        test.run(100_000);
        assertThat(test.hosts.get(1).collect()).isNull();
        test.hosts.get(1).inject(new PauseFrame(SENDER, 0).encode());
        test.run(3_000);
        assertThat(number(test.collect(1))).isEqualTo(7);
    }

    @Test
    void pausedPortGoesToSleepUntilThePauseRunsOut() {
        TestSwitch test = lossless(2, PFC);
        learn(test);
        test.hosts
                .get(1)
                .inject(new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 1000, 0, 0, 0, 0)).encode());
        test.settle();
        long pausedNs = test.nowNs;
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 1));
        test.settle();
        assertThat(test.engine.egress(1).deadlineNs())
                .isBetween(pausedNs + 51_200, pausedNs + 1_000_000);
    }

    /** The end of a stop is noted when it comes, also where no frame could start. */
    @Test
    void pauseRunsOutInTimeWhileTheDeviceTakesNothing() {
        TestSwitch test = lossless(2, PFC);
        learn(test);
        MemoryWire narrow = new MemoryWire("narrow", 2, 1518);
        test.reattach(1, narrow.device(0, test.engine.region()));
        narrow.farEnd(1)
                .inject(new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 1000, 0, 0, 0, 0)).encode());
        test.settle();
        long endNs = test.nowNs + 51_200;
        for (int i = 0; i < 8; i++) {
            test.hosts.get(0).inject(frame(0, 1, LOSSY, i));
        }
        test.run(10_000);
        EgressHalf half = test.engine.egress(1);
        while (half.deadlineNs() <= endNs) {
            test.nowNs = Math.max(test.nowNs + 1, half.deadlineNs());
            half.doWork(test.nowNs);
        }
        assertThat(half.heldFrames()).isPositive();
        var flow = Objects.requireNonNull(half.flow());
        assertThat(Objects.requireNonNull(flow.times()).stopped()).isZero();
        assertThat(test.nowNs).isEqualTo(endNs);
    }

    @Test
    void priorityIsHeldToItsRateAndThePortSleepsMeanwhile() {
        TestSwitch test =
                lossless(2, "flow-control: none, priority-rates: [{priority: 1, rate: 1Gbps}]");
        learn(test);
        for (int i = 0; i < 20; i++) {
            test.hosts.get(0).inject(frame(0, 1, LOSSY, i));
        }
        long startedNs = test.nowNs;
        int received = 0;
        while (test.nowNs < startedNs + 100_000) {
            test.settle();
            long next = test.engine.egress(1).deadlineNs();
            assertThat(next).isGreaterThan(test.nowNs);
            test.nowNs += 1_000;
            received += test.received()[1];
        }
        assertThat(received).isEqualTo(10);
    }

    @Test
    void weightsShareThePortAmongPriorities() {
        TestSwitch test =
                lossless(3, "flow-control: none, scheduler: [1, 1, 1, 3, 1, 1, strict, strict]");
        learn(test);
        int[] byPriority = new int[8];
        for (int tick = 0; tick < 4_000; tick++) {
            test.hosts.get(0).inject(frame(0, 2, LOSSLESS, 3));
            test.hosts.get(1).inject(frame(1, 2, LOSSY, 1));
            test.settle();
            test.nowNs += 1_000;
            byte[] got = test.hosts.get(2).collect();
            if (got != null) {
                byPriority[number(got)]++;
            }
        }
        assertThat(byPriority[3]).isBetween(2 * byPriority[1], 4 * byPriority[1]);
        assertThat(byPriority[3] + byPriority[1]).isGreaterThan(3_900);
    }

    @Test
    void watchdogDropsAStormAndRestoresServiceAfterwards() {
        TestSwitch test =
                lossless(
                        2,
                        PFC
                                + ", watchdog: {action: drop, detection: 200us, restoration: 300us,"
                                + " poll: 100us}");
        learn(test);
        byte[] pfc = new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 65_535, 0, 0, 0, 0)).encode();
        for (int i = 0; i < 1_000; i++) {
            if (i % 50 == 0) {
                test.hosts.get(1).inject(pfc);
            }
            if (i % 4 == 0) {
                test.hosts.get(0).inject(frame(0, 1, LOSSLESS, i));
            }
            test.settle();
            test.nowNs += 1_000;
            test.hosts.get(0).collect();
        }
        assertThat(test.hosts.get(1).collect()).isNull();
        var dog = Objects.requireNonNull(test.engine.egress(1).flow()).watchdog();
        assertThat(Objects.requireNonNull(dog).detected(3)).isEqualTo(1);
        assertThat(test.drops("p1", DropReason.WATCHDOG)).isPositive();
        // The pause itself runs on for 3.4 ms after the last frame.
        test.run(5_000_000);
        assertThat(dog.restored(3)).isEqualTo(1);
        assertThat(test.value("p1", "watchdog.storms.p3")).isEqualTo(1);
        assertThat(test.value("p1", "watchdog.restored.p3")).isEqualTo(1);
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 42));
        test.run(5_000);
        assertThat(number(test.collect(1))).isEqualTo(42);
        test.assertAtRest();
    }

    @Test
    void stormedPortAsksForNoPausesAndRefusesWhatComesFromThere() {
        TestSwitch test =
                lossless(
                        2,
                        PFC
                                + ", watchdog: {action: drop, detection: 200us, restoration: 5ms,"
                                + " poll: 100us}");
        learn(test);
        byte[] pfc = new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 65_535, 0, 0, 0, 0)).encode();
        test.hosts.get(1).inject(pfc);
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 1));
        test.run(1_000_000);
        test.hosts.get(1).inject(frame(1, 0, LOSSLESS, 2));
        test.run(5_000);
        assertThat(test.drops("p1", DropReason.WATCHDOG)).isEqualTo(2);
        assertThat(test.hosts.get(0).collect()).isNull();
    }

    @Test
    void linkThatComesBackIsNeitherPausedNorForgotten() {
        TestSwitch test = lossless(2, PFC);
        learn(test);
        test.hosts
                .get(1)
                .inject(
                        new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, 65_535, 0, 0, 0, 0))
                                .encode());
        test.run(5_000);
        test.wires.get(1).setUp(false);
        test.run(1_200_000);
        test.wires.get(1).setUp(true);
        test.run(1_200_000);
        test.hosts.get(0).inject(frame(0, 1, LOSSLESS, 5));
        test.run(5_000);
        assertThat(number(test.collect(1))).isEqualTo(5);
    }
}
