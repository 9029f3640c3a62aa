package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.SwitchConfigReader;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.flowcontrol.CreditReceiver;
import io.headgate.dataplane.flowcontrol.CreditRegister;
import io.headgate.dataplane.flowcontrol.IngressFlow;
import io.headgate.dataplane.flowcontrol.PauseReceiver;
import io.headgate.dataplane.frame.PauseFrame;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.memory.DropReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Flow control in the switch: what it sends, obeys, holds and loses. */
final class LosslessSwitchTest {
    /** With preamble, FCS and gap 1,250 bytes: a microsecond at 10 Gb/s. */
    private static final int FRAME_BYTES = 1226;

    private static final int LOSSLESS = 26 << 2;
    private static final int LOSSY = 10 << 2;
    private static final long SENDER = 0x0200_0000_0100L;

    private static TestSwitch lossless(int ports, String keys) {
        StringBuilder text = new StringBuilder("name: s1\nbridge: {flood-limit: 100M/s}\n");
        text.append("defaults: {rate: 10Gbps,");
        text.append(" account-cap-slots: 64, classify: {trust: dscp}, ").append(keys);
        text.append("}\nports:\n");
        for (int port = 0; port < ports; port++) {
            text.append("  - {name: p").append(port);
            text.append(", device: {afpacket: v").append(port).append("}}\n");
        }
        return new TestSwitch(SwitchConfigReader.read(text.toString(), "test.yaml"));
    }

    /** Reactions of 2 µs at both ends: what the hosts here take. */
    private static final String PFC =
            "flow-control: pfc, link: {delay: 0ns, own-reaction: 2us, peer-reaction: 3us},"
                    + " buffers: {xoff: 50KB, xon: 40KB}";

    /** An IPv4 frame with a traffic class and a number. */
    private static byte[] frame(int source, int destination, int trafficClass, int number) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        frame.putShort((short) 0x0200).putInt(destination);
        frame.putShort((short) 0x0200).putInt(source).putShort((short) 0x0800);
        frame.put((byte) 0x45).put((byte) trafficClass).putShort((short) (FRAME_BYTES - 14));
        frame.putInt(0).put((byte) 64).put((byte) 17).putShort((short) 0);
        frame.putInt(0x0A00_0000 | source).putInt(0x0A00_0000 | destination);
        return frame.putInt(number).array();
    }

    private static int number(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(34);
    }

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
                                        + PauseReceiver.pauseNs(
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
        IngressFlow flow = Objects.requireNonNull(test.engine.ingress(0).flow());
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
        // Copies are lossy: what waits for ever is as much as a lossy priority may hold.
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

    // ---- credits

    /** Two switches, their ports p1 and p0 one link; the second's other port has a tenth. */
    private static final class Pair {
        final TestSwitch left;
        final TestSwitch right;

        Pair(String leftKeys, String rightKeys) {
            left = two(leftKeys, "none", "credits", "10Gbps", "10Gbps");
            right = two(rightKeys, "credits", "none", "10Gbps", "1Gbps");
            MemoryWire link = new MemoryWire("link", 4096, 9216);
            left.reattach(1, link.device(0, left.engine.region()));
            right.reattach(0, link.device(1, right.engine.region()));
        }

        private static TestSwitch two(
                String keys, String first, String second, String firstRate, String secondRate) {
            String text =
                    "name: s1\ndefaults: {account-cap-slots: 64, "
                            + keys
                            + "}\nports:\n  - {name: p0, device: {afpacket: v0}, flow-control: "
                            + first
                            + ", rate: "
                            + firstRate
                            + "}\n  - {name: p1, device: {afpacket: v1}, flow-control: "
                            + second
                            + ", rate: "
                            + secondRate
                            + "}\n";
            return new TestSwitch(SwitchConfigReader.read(text, "test.yaml"));
        }

        void tick() {
            left.settle();
            right.settle();
            left.settle();
            right.settle();
            left.nowNs += 1_000;
            right.nowNs += 1_000;
        }

        void run(int ticks) {
            for (int i = 0; i < ticks; i++) {
                tick();
            }
        }

        int leftState() {
            return Objects.requireNonNull(
                            Objects.requireNonNull(left.engine.ingress(1).flow()).credits())
                    .state();
        }
    }

    private static final String CREDITS =
            "classify: {trust: dscp}, credits: {update: periodic, period: 20us, block-scale: 0,"
                    + " buffer: 60KB}";

    @Test
    void creditsBringALinkUpAndHoldTheSenderWithoutLoss() {
        Pair pair = new Pair(CREDITS, CREDITS);
        pair.run(100);
        assertThat(pair.leftState()).isEqualTo(CreditRegister.UP);
        pair.right.hosts.get(1).inject(frame(2, 1, LOSSY, 0)); // or all would be flooded
        pair.run(100);
        int sent = 0;
        int received = 0;
        int next = 0;
        for (int tick = 0; tick < 20_000; tick++) {
            if (tick % 2 == 0) {
                pair.left.hosts.get(0).inject(frame(1, 2, LOSSLESS, sent++));
            }
            pair.tick();
            byte[] got = pair.right.hosts.get(1).collect();
            if (got != null) {
                received++;
                assertThat(number(got)).isGreaterThanOrEqualTo(next);
                next = number(got) + 1;
            }
        }
        assertThat(received).isGreaterThan(1_900);
        // What does not fit is refused where it came in, for that port has no flow control.
        assertThat(pair.left.totalDrops())
                .isEqualTo(pair.left.drops("p0", DropReason.ACCOUNT_AT_CAP));
        assertThat(pair.right.totalDrops()).isZero();
        IngressFlow flow = Objects.requireNonNull(pair.right.engine.ingress(0).flow());
        assertThat(flow.accounts().maxBytes(3)).isBetween(50_000L, 60_000L);
        var times = Objects.requireNonNull(pair.left.engine.egress(1).flow()).times();
        assertThat(Objects.requireNonNull(times).totalNs(3, pair.left.nowNs)).isPositive();
    }

    @Test
    void lossyPrioritiesNeedNoCredits() {
        Pair pair = new Pair(CREDITS, CREDITS);
        pair.left.hosts.get(0).inject(frame(1, 2, LOSSY, 9));
        pair.run(20);
        assertThat(number(pair.right.collect(1))).isEqualTo(9);
    }

    @Test
    void endsThatSortDifferentlyLetNoLosslessFrameThroughAndSaySo() {
        Pair pair =
                new Pair(
                        CREDITS,
                        CREDITS.replace(
                                "trust: dscp", "trust: dscp, dscp: [{values: [5], priority: 3}]"));
        pair.run(500);
        assertThat(pair.leftState()).isEqualTo(CreditRegister.DOWN);
        var credits = Objects.requireNonNull(pair.left.engine.ingress(1).flow()).credits();
        assertThat(Objects.requireNonNull(credits).isMismatched()).isTrue();
        assertThat(pair.left.value("p1", "link.control.mismatches")).isPositive();
        assertThat(pair.right.value("p0", "link.control.mismatches")).isPositive();
        pair.left.hosts.get(0).inject(frame(1, 2, LOSSLESS, 9));
        pair.left.hosts.get(0).inject(frame(1, 2, LOSSY, 10));
        pair.run(50);
        assertThat(number(pair.right.collect(1))).isEqualTo(10);
        assertThat(pair.right.hosts.get(1).collect()).isNull();
    }

    @Test
    void pauseOnALinkWithCreditsIsCountedAsForeign() {
        TestSwitch test = lossless(2, "flow-control: credits");
        test.hosts.get(0).inject(new PauseFrame(SENDER, 100).encode());
        test.run(5_000);
        assertThat(Objects.requireNonNull(test.engine.ingress(0).flow()).foreignControl())
                .isEqualTo(1);
        assertThat(test.value("p0", "link.control.mismatches")).isEqualTo(1);
        assertThat(test.value("p0", "link.control.ignored")).isZero();
    }

    @Test
    void linkControlThatCannotBeReadIsCounted() {
        TestSwitch test = lossless(2, PFC);
        byte[] unknown = new PauseFrame(SENDER, 100).encode();
        unknown[15] = 0x77;
        test.hosts.get(0).inject(unknown);
        test.run(5_000);
        assertThat(test.value("p0", "link.control.ignored")).isEqualTo(1);
        test = lossless(2, "flow-control: credits");
        test.hosts.get(0).inject(control(0x0180_C200_0001L, 0x88B5)); // no FCPs
        test.run(5_000);
        assertThat(test.value("p0", "link.control.ignored")).isEqualTo(1);
        assertThat(test.value("p0", "link.control.mismatches")).isZero();
    }

    private static byte[] control(long destination, int etherType) {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) 0x0200).putInt(0x100).putShort((short) etherType);
        return frame.array();
    }

    @Test
    void damagedLinkControlIsNeitherCountedAsDataNorGivenRoom() {
        String priorities = "lossless: [0], flow-control: credits";
        TestSwitch test = lossless(2, priorities);
        CreditReceiver credits =
                Objects.requireNonNull(
                        Objects.requireNonNull(test.engine.ingress(0).flow()).credits());
        int grant = credits.grant(0);
        test.hosts.get(0).inject(control(0x0080_C200_0001L, 0x88B5));
        test.hosts.get(0).inject(control(0x0180_C200_0001L, 0x88B4));
        test.hosts.get(0).inject(control(0x0180_C200_8001L, 0x8808));
        test.run(5_000);
        assertThat(test.drops("p0", DropReason.LINK_CONTROL_ASTRAY)).isEqualTo(3);
        assertThat(credits.grant(0)).isEqualTo(grant);
        assertThat(test.totalDrops()).isEqualTo(3);
        assertThat(test.engine.ingress(0).accounts().totalBytes()).isZero();
    }

    @Test
    void typeForPrivateUseIsDataWhereItCarriesNoCredits() {
        TestSwitch test = lossless(2, PFC);
        test.hosts.get(0).inject(control(0x0280_C200_0001L, 0x88B5));
        test.hosts.get(0).inject(control(0x0280_C200_0001L, 0x8808));
        test.run(5_000);
        assertThat(test.collect(1)).isNotNull();
        assertThat(test.hosts.get(1).collect()).isNull();
        assertThat(test.drops("p0", DropReason.LINK_CONTROL_ASTRAY)).isEqualTo(1);
    }
}
