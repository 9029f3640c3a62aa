package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.BridgeConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.FrameKind;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.link.LinkStatistics;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final long GIGABIT = 1_000_000_000L;
    private static final long MICROSECOND = 1_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private final VirtualRun run = new VirtualRun(RunOptions.of(5).withChecking(true));

    /** Two hosts and a link between them, no switch. */
    private final class Pair {
        final HostNode from;
        final HostNode to;
        final VirtualLink link;
        final TestTraffic sender;
        final TestTraffic receiver = new TestTraffic(run.clock(), 1);

        Pair(CardSetup nic, CardSetup farNic, LinkSpec setup, long intervalNs, long frames) {
            from = run.addHost(nic);
            to = run.addHost(farNic);
            link = run.connect(from, HostCard.WIRE, to, HostCard.WIRE, setup);
            sender = new TestTraffic(run.clock(), 0, 1, 1000, 0, intervalNs, frames);
            from.attachApp(sender);
            to.attachApp(receiver);
        }

        Pair(LinkSpec setup, long intervalNs, long frames) {
            this(
                    CardSetup.of("a", setup.rateBps()),
                    CardSetup.of("b", setup.rateBps()),
                    setup,
                    intervalNs,
                    frames);
        }
    }

    @Test
    void threeHopsAtThreeRatesTakeWhatTheHandComputes() {
        // Preamble 8, frame 1,500, FCS 4: the last bit after 1,512 bytes; with the gap 1,524.
        // 100 Gb/s: 80 ps a byte, 40 Gb/s: 200 ps, 10 Gb/s: 800 ps.
        LinkSpec first = new LinkSpec(100 * GIGABIT, 1_000_000);
        LinkSpec second = new LinkSpec(40 * GIGABIT, 500_000);
        LinkSpec third = new LinkSpec(10 * GIGABIT, 250_000);
        HostNode a = run.addHost(CardSetup.of("a", 100 * GIGABIT));
        HostNode b = run.addHost(CardSetup.of("b", 10 * GIGABIT));
        SwitchNode s = run.addSwitch(line("s", 100 * GIGABIT, 40 * GIGABIT));
        SwitchNode t = run.addSwitch(line("t", 40 * GIGABIT, 10 * GIGABIT));
        run.connect(a, HostCard.WIRE, s, 0, first);
        run.connect(s, 1, t, 0, second);
        run.connect(t, 1, b, HostCard.WIRE, third);
        TestTraffic receiver = new TestTraffic(run.clock(), 1);
        a.attachApp(new TestTraffic(run.clock(), 0, 1, 1500, 0, 0, 2));
        b.attachApp(receiver);

        // First frame: 0 + 1,512 * 80 + 1,000,000    = 1,120,960 at s
        //              1,120,960 + 1,512 * 200 + 500,000 = 1,923,360 at t
        //              1,923,360 + 1,512 * 800 + 250,000 = 3,382,960 at b
        run.runUntil(3_382_959);
        assertThat(receiver.received).isZero();
        run.runUntil(3_382_960);
        assertThat(receiver.received).isEqualTo(1);

        // Second: starts at 1,524 * 80 = 121,920 and is at s at 1,242,880, where the wire is taken
        // until 1,120,960 + 1,524 * 200 = 1,425,760. It is at t 802,400 after that, at 2,228,160,
        // where the wire is taken until 1,923,360 + 1,524 * 800 = 3,142,560. At b after another
        // 1,209,600 + 250,000: at 4,602,160.
        run.runUntil(4_602_159);
        assertThat(receiver.received).isEqualTo(1);
        run.runUntil(4_602_160);
        assertThat(receiver.received).isEqualTo(2);
    }

    private static SwitchConfig line(String name, long leftBps, long rightBps) {
        return Star.bridge(
                name,
                List.of(
                        Star.port("left", leftBps, PortTraffic.End.PLAIN),
                        Star.port("right", rightBps, PortTraffic.End.PLAIN)),
                List.of(
                        new BridgeConfig.StaticEntry(Star.mac(0), 1, "left"),
                        new BridgeConfig.StaticEntry(Star.mac(1), 1, "right")),
                1024);
    }

    @Test
    void aRateThatDividesNoPicosecondCarriesTheRemainder() {
        // 3 Gb/s: 8,000 / 3 ps a byte; 1,024 bytes of wire make 2,730,666 2/3 ps.
        Pair pair = new Pair(new LinkSpec(3 * GIGABIT, 0), 0, 9);
        run.runUntil(100 * MICROSECOND);
        assertThat(pair.link.freePs(0)).isEqualTo(9 * 1_024L * 8_000 / 3);
    }

    @Test
    void deliversAtTheHeaderIfAsked() {
        Pair pair =
                new Pair(
                        new LinkSpec(100 * GIGABIT, MICROSECOND)
                                .withDeliverAt(LinkSpec.Delivery.HEADER),
                        0,
                        1);
        run.runUntil(10 * MICROSECOND);
        // Preamble and 64 bytes at 80 ps each.
        assertThat(pair.receiver.lastReceivedPs).isEqualTo(72 * 80 + MICROSECOND);
    }

    @Test
    void countsNothingButTheFrameOnABareWire() {
        VirtualRun bare = new VirtualRun(RunOptions.of(1).withWire(WireFormat.BARE));
        Star star = new Star(bare, 2, new LinkSpec(8 * GIGABIT, 0));
        TestTraffic receiver = new TestTraffic(bare.clock(), 1);
        star.host(0).attachApp(new TestTraffic(bare.clock(), 0, 1, 40, 0, 0, 3));
        star.host(1).attachApp(receiver);
        bare.runUntil(10 * MICROSECOND);
        // 1 ns a byte: the third frame's last bit leaves the host after 120 ns, the switch 40
        // later.
        assertThat(receiver.lastReceivedPs).isEqualTo(160_000);
    }

    @Test
    void holdsTheSlotToTheLastBitIfAsked() {
        Pair pair =
                new Pair(
                        new LinkSpec(10 * GIGABIT, MICROSECOND).withRelease(LinkSpec.Release.END),
                        0,
                        1);
        // The last bit of 1,012 bytes leaves after 809,600 ps.
        run.runUntil(809_599);
        assertThat(slots(pair.from, SlotPlace.DEVICE_TRANSMIT)).isEqualTo(1);
        run.runUntil(809_600);
        assertThat(slots(pair.from, SlotPlace.DEVICE_TRANSMIT)).isZero();
        assertThat(slots(pair.from, SlotPlace.FREE)).isEqualTo(pair.from.engine().region().slots());
    }

    private static int slots(HostNode host, int place) {
        int count = 0;
        for (int slot = 0; slot < host.engine().region().slots(); slot++) {
            Frame frame = host.engine().region().made(slot);
            int where = frame == null ? SlotPlace.FREE : SlotPlace.kind(frame.place);
            count += where == place ? 1 : 0;
        }
        return count;
    }

    @Test
    void aReceiverWithoutSlotsDropsAndWithCreditsNever() {
        LinkSpec setup = new LinkSpec(10 * GIGABIT, MICROSECOND);
        CardSetup slow =
                CardSetup.of("b", 10 * GIGABIT).withAppRateBps(GIGABIT).withSlots(4, 4, 512);
        Pair plain = new Pair(CardSetup.of("a", 10 * GIGABIT), slow, setup, 0, FOREVER);
        run.runUntil(200 * MICROSECOND);
        assertThat(plain.link.statistics(0).noSlot()).isPositive();

        VirtualRun other = new VirtualRun(RunOptions.of(5).withChecking(true));
        HostNode from = other.addHost(CardSetup.of("a", 10 * GIGABIT));
        HostNode to = other.addHost(slow);
        VirtualLink link =
                other.connect(from, HostCard.WIRE, to, HostCard.WIRE, setup.withSlotCredits(true));
        TestTraffic receiver = new TestTraffic(other.clock(), 1);
        from.attachApp(new TestTraffic(other.clock(), 0, 1, 1000, 0, 0, FOREVER));
        to.attachApp(receiver);
        other.runUntil(200 * MICROSECOND);
        assertThat(link.statistics(0).noSlot()).isZero();
        // 1,024 bytes of wire at 1 Gb/s take 8.192 us: it never waits for a credit.
        assertThat(receiver.received).isBetween(23L, 25L);
    }

    /** Then frames are copied, where otherwise slots trade their memory. */
    @Test
    void slotsOfTheTwoEndsMayDifferInSize() {
        LinkSpec setup = new LinkSpec(10 * GIGABIT, MICROSECOND);
        CardSetup large = CardSetup.of("b", 10 * GIGABIT).withSlots(16, 16, 2048);
        Pair there = new Pair(CardSetup.of("a", 10 * GIGABIT), large, setup, 0, 1000);
        VirtualRun mirrored = new VirtualRun(RunOptions.of(5).withChecking(true));
        HostNode from = mirrored.addHost(large);
        HostNode to = mirrored.addHost(CardSetup.of("a", 10 * GIGABIT));
        mirrored.connect(from, HostCard.WIRE, to, HostCard.WIRE, setup);
        TestTraffic back = new TestTraffic(mirrored.clock(), 1);
        from.attachApp(new TestTraffic(mirrored.clock(), 0, 1, 1000, 0, 0, 1000));
        to.attachApp(back);
        run.runUntil(2000 * MICROSECOND);
        mirrored.runUntil(2000 * MICROSECOND);
        assertThat(there.receiver.received).isEqualTo(1000);
        assertThat(there.receiver.sumOfNumbers).isEqualTo(500_500);
        assertThat(back.sumOfNumbers).isEqualTo(500_500);
        assertThat(mirrored.digest()).isEqualTo(run.digest());
    }

    @Test
    void lossAndCorruptionBefallTheShareOfFramesThatIsAsked() {
        LinkFaults faults = LinkFaults.NONE.withLossProbability(0.1).withCorruptionProbability(0.2);
        VirtualRun plain = new VirtualRun(RunOptions.of(5));
        Star star = new Star(plain, 2, new LinkSpec(100 * GIGABIT, 0).withFaults(faults));
        star.host(0).attachApp(new TestTraffic(plain.clock(), 0, 1, 100, 0, 0, 20_000));
        star.host(1).attachApp(new TestTraffic(plain.clock(), 1));
        plain.runUntil(1000 * MICROSECOND);
        LinkStatistics sent = star.link(0).statistics(0);
        assertThat(sent.framesSent()).isEqualTo(20_000);
        assertThat(sent.framesLost()).isBetween(1_850L, 2_150L);
        assertThat(sent.framesCorrupted()).isBetween(3_400L, 3_800L);
        assertThat(sent.framesArrived()).isEqualTo(20_000 - sent.framesLost());
    }

    @Test
    void jitterDelaysAndReordersNothing() {
        Pair pair =
                new Pair(
                        new LinkSpec(10 * GIGABIT, 0)
                                .withFaults(LinkFaults.NONE.withJitterPs(5_000_000)),
                        0,
                        500);
        run.runUntil(2000 * MICROSECOND);
        assertThat(pair.receiver.received).isEqualTo(500);
        assertThat(pair.receiver.outOfOrder).isZero();
    }

    @Test
    void heldUpFramesAreOvertaken() {
        LinkFaults faults =
                LinkFaults.NONE.withReorderProbability(0.1).withReorderDelayPs(3_000_000);
        Pair pair = new Pair(new LinkSpec(10 * GIGABIT, 0).withFaults(faults), 0, 500);
        run.runUntil(2000 * MICROSECOND);
        assertThat(pair.receiver.received).isEqualTo(500);
        assertThat(pair.receiver.sumOfNumbers).isEqualTo(500 * 501 / 2);
        assertThat(pair.receiver.outOfOrder).isPositive();
        assertThat(pair.link.statistics(0).framesReordered()).isBetween(25L, 75L);
    }

    /** Its slot is free only when the half has been at its device already. */
    @Test
    void aFrameThatTheReceiverDropsGivesItsCreditBack() {
        LinkSpec setup = new LinkSpec(10 * GIGABIT, MICROSECOND).withSlotCredits(true);
        HostNode a = run.addHost(CardSetup.of("a", 10 * GIGABIT));
        SwitchNode s = run.addSwitch(line("s", 10 * GIGABIT, 10 * GIGABIT));
        run.connect(a, HostCard.WIRE, s, 0, setup);
        // To itself: the switch drops every one. Twice as many as it has slots.
        a.attachApp(new TestTraffic(run.clock(), 0, 0, 1000, 0, 0, 2200));
        run.runUntil(5_000 * MICROSECOND);
        assertThat(run.links().getFirst().statistics(0).framesSent()).isEqualTo(2200);
    }

    @Test
    void aCreditThatIsLostWithItsFrameIsGivenBackOnce() {
        LinkSpec setup =
                new LinkSpec(10 * GIGABIT, MICROSECOND)
                        .withFaults(LinkFaults.NONE.withLossProbability(0.3))
                        .withSlotCredits(true);
        CardSetup slow = CardSetup.of("b", 10 * GIGABIT).withAppRateBps(GIGABIT);
        Pair pair = new Pair(CardSetup.of("a", 10 * GIGABIT), slow, setup, 0, 2000);
        run.runUntil(50_000 * MICROSECOND);
        LinkStatistics seen = pair.link.statistics(0);
        assertThat(seen.framesSent()).isEqualTo(2000);
        // A second credit for each loss would promise slots twice.
        assertThat(seen.noSlot()).isZero();
        assertThat(pair.receiver.received).isEqualTo(2000 - seen.framesLost());
    }

    @Test
    void repeatedFramesArriveTwiceOneRightBehindTheOther() {
        LinkFaults faults = LinkFaults.NONE.withRepeatProbability(0.1).withJitterPs(2_000_000);
        Pair pair = new Pair(new LinkSpec(10 * GIGABIT, 0).withFaults(faults), 0, 500);
        run.runUntil(2000 * MICROSECOND);
        LinkStatistics seen = pair.link.statistics(0);
        assertThat(seen.framesSent()).isEqualTo(500);
        assertThat(seen.framesRepeated()).isBetween(25L, 75L);
        assertThat(pair.receiver.received).isEqualTo(500 + seen.framesRepeated());
        assertThat(pair.receiver.outOfOrder).isZero();
        assertThat(seen.framesArrived()).isEqualTo(pair.receiver.received);
        assertThat(seen.framesInFlight()).isZero();
    }

    @Test
    void linkControlFramesAloneAreHeldUpIfAsked() {
        LinkFaults faults =
                LinkFaults.NONE
                        .withReorderProbability(0.5)
                        .withReorderDelayPs(3_000_000)
                        .withKind(FrameKind.LINK_CONTROL);
        Pair pair = new Pair(new LinkSpec(10 * GIGABIT, 0).withFaults(faults), 0, 500);
        run.runUntil(2000 * MICROSECOND);
        assertThat(pair.link.statistics(0).framesReordered()).isZero();
    }

    @Test
    void whatIsOnALinkThatIsPulledIsLostAndItGoesOnLater() {
        Pair pair = new Pair(new LinkSpec(10 * GIGABIT, 5 * MICROSECOND), 0, FOREVER);
        VirtualTimer pull = run.addTimer((self, nowPs) -> pair.link.setUp(false));
        VirtualTimer plug = run.addTimer((self, nowPs) -> pair.link.setUp(true));
        pull.schedule(50 * MICROSECOND);
        plug.schedule(80 * MICROSECOND);
        run.runUntil(79 * MICROSECOND);
        long before = pair.receiver.received;
        LinkStatistics sent = pair.link.statistics(0);
        assertThat(before).isEqualTo(sent.framesArrived());
        // A frame is under way for 5.81 us, and one starts every 819.2 ns.
        assertThat(sent.framesLost()).isBetween(7L, 8L);
        run.runUntil(200 * MICROSECOND);
        assertThat(pair.receiver.received - before).isBetween(138L, 142L);
    }

    @Test
    void sameFaultsForTheSameSeedWhateverElseIsDrawn() {
        NamedRandom one = NamedRandom.of(1, "a", "loss");
        NamedRandom same = NamedRandom.of(1, "a", "loss");
        NamedRandom other = NamedRandom.of(1, "a", "jitter");
        for (int i = 0; i < 100; i++) {
            long drawn = one.nextLong();
            assertThat(same.nextLong()).isEqualTo(drawn);
            assertThat(other.nextLong()).isNotEqualTo(drawn);
        }
    }

    @Test
    void refusesWhatNoLinkIs() {
        assertThatThrownBy(() -> new LinkSpec(1, 0))
                .hasMessage("a link of 1 b/s: 1 Mb/s to 400 Gb/s are allowed");
        assertThatThrownBy(() -> new LinkSpec(GIGABIT, -1)).hasMessageContaining("-1 ps");
        assertThatThrownBy(() -> LinkFaults.NONE.withLossProbability(1.5))
                .hasMessage("loss with probability 1.5; allowed are 0 to 1");
    }
}
